// The verbs of obsyncd.
#pragma once

#include <string>
#include <vector>

namespace obsync::app {

// The process's exit status: 0 done, 1 refused or failed, 2 bad arguments or configuration.
int run_command_line(const std::vector<std::string>& arguments);

}  // namespace obsync::app
