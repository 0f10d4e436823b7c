// What a person typed, as a plain struct.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace obsync::client {

enum class verb {
  init,
  pair,
  join,
  sync,
  watch,
  status,
  take_out,  // export, which is a word of the language
  bring_in,  // import, likewise
  devices,
  dashboard,
  revoke,
  recover,
  help,
  version
};

// A secret is better not typed on the command line, where every user of the machine can read it.
struct secret_source {
  std::optional<std::string> given = {};  // the text itself, or `-` for the first line of standard input
  std::optional<std::string> file = {};   // whose first line it is
};

struct arguments {
  verb what = verb::help;
  std::optional<std::string> home = {};
  std::string folder = {};
  std::optional<std::string> server = {};
  std::optional<std::string> ca_file = {};
  std::optional<std::string> device_name = {};
  std::string account_name = "obsync";
  secret_source token = {};
  secret_source code = {};
  std::optional<std::string> phrase_file = {};
  std::string device = {};  // of revoke: an id, the beginning of one, or a name
  std::string topic = {};   // of help
  std::string out = {};     // of export
  std::optional<std::string> at = {};
  std::optional<std::string> archive = {};
  std::optional<std::string> sealed = {};
  std::string source = {};  // of import
  std::string under = {};
  bool dry_run = false;
  bool yes = false;
  bool json = false;
  bool verify = false;
};

// Why the words make no command; printed as they are, exit code 2.
struct usage_error {
  std::string text;
};

// `words` without the program's name.
result<arguments, usage_error> parse_arguments(const std::vector<std::string>& words);

}  // namespace obsync::client
