// The texts people read: `config show`, `config check`, and the sample file.
#pragma once

#include <string>

#include "config/load.hpp"

namespace obsync::config {

// One line per option: name, value, and where the value came from. Secrets show as set or not set.
std::string show_text(const loaded& from);

// One line per problem.
std::string problems_text(const problems& wrong);

// The commented sample: every option at its default, commented out, with unit, effect and variable.
std::string sample_text();

}  // namespace obsync::config
