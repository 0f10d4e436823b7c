// `obsyncd serve`: the server from start to signal.
#pragma once

#include "config/settings.hpp"

namespace obsync::app {

// Blocks until SIGTERM or SIGINT; 0 after a clean stop, 1 when the server could not start.
int serve(const config::settings& settings);

}  // namespace obsync::app
