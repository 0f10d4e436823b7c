// `obsyncd healthcheck`: asks the running server whether it is ready, as a container or a service manager
// does.
#pragma once

#include <string>

#include "config/settings.hpp"

namespace obsync::app {

// The address at which this machine reaches a listener; one that listens everywhere is reached by loopback.
std::string loopback_of(const std::string& host);

// 0 when ready; 1 and a line of why otherwise.
int healthcheck(const config::settings& settings);

}  // namespace obsync::app
