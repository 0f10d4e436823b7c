// Builds the settings from, in rising order of precedence: the defaults, a file, the environment, the command
// line. Reports every problem at once, not only the first.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/assignment.hpp"
#include "config/problem.hpp"
#include "config/settings.hpp"
#include "core/result.hpp"

namespace obsync::config {

inline constexpr std::string_view default_file = "/etc/obsync/obsyncd.conf";

struct file_text {
  std::string path;
  std::string text;
};

struct inputs {
  std::optional<file_text> file = {};
  std::vector<std::string> environment = {};  // entries `NAME=value`; names without OBSYNC_ are ignored
  std::vector<std::string> arguments = {};    // `--section.name=value` or `--section.name value`
};

struct loaded {
  settings values;
  std::vector<source> origins;  // by index of options()
};

result<loaded, problems> load(const inputs& from);

// As load(), after reading the file that `--config FILE` or `--config=FILE` among the arguments names, or
// else `fallback_file` where that exists. `environment` is a null-terminated list such as ::environ, or null.
result<loaded, problems> load_from_system(std::vector<std::string> arguments, const char* const* environment,
                                          std::string_view fallback_file = default_file);

}  // namespace obsync::config
