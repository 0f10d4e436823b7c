// The server itself: does it answer here and where devices look for it, does its certificate last, and what
// its paced jobs found. Blocks for the time-outs of who does not answer.
#pragma once

#include "app/finding.hpp"
#include "config/settings.hpp"

namespace obsync::app {

findings look_at_server(const config::settings& settings);

}  // namespace obsync::app
