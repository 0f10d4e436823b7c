// `obsyncd serve`: the server from start to signal.
#pragma once

#include <functional>

#include "config/load.hpp"
#include "config/settings.hpp"

namespace obsync::app {

// What the configuration says now: its sources, read again.
using settings_source = std::function<result<config::loaded, config::problems>()>;

// Blocks until SIGTERM or SIGINT; 0 after a clean stop, 1 when the server could not start, 2 when its
// certificate cannot be used. SIGHUP reads the certificate again, and from `again` the log level.
int serve(const config::settings& settings, const settings_source& again);

}  // namespace obsync::app
