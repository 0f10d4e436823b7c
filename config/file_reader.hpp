// Takes a configuration file apart. The language is the part of TOML 1.0 that options need: comments,
// `[section]`, `name = value` and `section.name = value` with text in double or single quotes, whole numbers,
// true, false, and lists of text that may span lines. Knows nothing about options.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/assignment.hpp"
#include "config/problem.hpp"

namespace obsync::config {

// Every `section.name` in file order with its value as text: escapes resolved, list items joined by commas.
// What cannot be read becomes a problem, and reading goes on with the next line. Places are `path:line`.
// Messages never repeat a value, which may be a secret in the wrong place.
std::vector<assignment> read_file_text(std::string_view text, const std::string& path, problems& wrong);

}  // namespace obsync::config
