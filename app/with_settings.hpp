// The configuration a verb works with, read the same way by each.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "config/load.hpp"

namespace obsync::app {

// What `act` returns; 2, after saying on standard error what is wrong, where the configuration cannot be
// read. `options`: as config::load_from_system takes them.
int with_settings(const std::vector<std::string>& options,
                  const std::function<int(const config::loaded&)>& act);

}  // namespace obsync::app
