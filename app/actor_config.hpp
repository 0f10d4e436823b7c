// How CAF's scheduler is set up in this program.
#pragma once

#include <caf/actor_system_config.hpp>
#include <caf/atom.hpp>

#include <cstdint>

#include "config/settings.hpp"

namespace obsync::app {

struct actor_config : caf::actor_system_config {
  explicit actor_config(const config::settings& settings) {
    // The default policy wakes 196 times a second on an idle machine; this one sleeps.
    set("scheduler.policy", caf::atom("sharing"));
    set("scheduler.max-threads", static_cast<std::size_t>(settings.actors.threads));
    // Without a bound one busy actor starves all others.
    set("scheduler.max-throughput", static_cast<std::size_t>(50));
    set("logger.console", caf::atom("none"));
  }
};

}  // namespace obsync::app
