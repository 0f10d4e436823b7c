// The words of a verb that takes flags of its own beside the options of the configuration.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace obsync::app {

struct verb_flags {
  std::set<std::string> given = {};
  std::vector<std::string> options = {};  // --config FILE and --section.name=VALUE, not looked at yet

  bool has(const std::string& flag) const { return given.contains(flag); }
};

// Nothing when a word is neither.
std::optional<verb_flags> parse_flags(const std::vector<std::string>& words,
                                      const std::set<std::string>& known);

}  // namespace obsync::app
