// The table of options: the one place where a name, its environment variable, its grammar and its meaning
// meet. Loading, `config show`, the sample file and the hints in error messages are all read from it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "config/settings.hpp"

namespace obsync::config {

struct option {
  std::string_view name;         // section.key
  std::string_view environment;  // OBSYNC_...
  std::string_view unit;         // what the value counts, or what kind of text it is
  std::string_view effect;       // one sentence
  std::string expected;          // the grammar in words, for error messages
  // False, and `to` unchanged, when the text is outside the grammar.
  bool (*assign)(settings& to, std::string_view text);
  // The text that assign() takes back; empty where nothing is set.
  std::string (*print)(const settings& from);
  bool secret = false;      // its value is never shown
  bool reloadable = false;  // could change in a running server without losing anything
};

// In the order of the sample file; options of one section stand together.
std::span<const option> options();

const option* find_option(std::string_view name);
const option* find_variable(std::string_view environment);

// The known name closest to a mistyped one; empty when none is close enough to be a plausible slip.
std::string_view nearest_option(std::string_view name);
std::string_view nearest_variable(std::string_view environment);

}  // namespace obsync::config
