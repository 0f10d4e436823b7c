// `obsyncd healthcheck`: asks the running server whether it is ready, as a container or a service manager
// does.
#pragma once

#include "config/settings.hpp"

namespace obsync::app {

// 0 when ready; 1 and a line of why otherwise.
int healthcheck(const config::settings& settings);

}  // namespace obsync::app
