// The operator's verbs as words of a command line, and what they ask of the server. Plain; no effects.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"
#include "wire/control.hpp"

namespace obsync::app {

struct operator_words {
  wire::control_request wish;
  bool json = false;
  bool yes = false;                       // do not ask
  std::vector<std::string> options = {};  // for config/load.hpp
};

// `account`, `device`, `audit`, `gc` and `scrub`.
bool is_operator_group(const std::string& group);

// `words` follow the group. errc::invalid names what is wrong and how it is written.
result<operator_words> parse_operator_words(const std::string& group, const std::vector<std::string>& words);

}  // namespace obsync::app
