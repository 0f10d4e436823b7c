// The volumes the store lies on: is there room, do they keep what was flushed, and how fast. Writes a small
// file without a name to each. Blocks for a second or so.
#pragma once

#include "app/finding.hpp"
#include "config/settings.hpp"
#include "core/disk.hpp"

namespace obsync::app {

findings look_at_volumes(disk& on, const config::settings& settings);

}  // namespace obsync::app
