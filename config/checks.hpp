// Rules that concern several options at once.
#pragma once

#include "config/problem.hpp"
#include "config/settings.hpp"

namespace obsync::config {

void check_together(const settings& values, problems& wrong);

}  // namespace obsync::config
