// What the machine around the server must provide: a clock devices can agree with, and descriptors enough.
#pragma once

#include "app/finding.hpp"
#include "config/settings.hpp"
#include "core/disk.hpp"

namespace obsync::app {

findings look_at_machine(disk& on, const config::settings& settings);

}  // namespace obsync::app
