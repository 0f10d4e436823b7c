// Every actor of the server, spawned and introduced to each other.
#pragma once

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "actors/dashboard_pages.hpp"
#include "actors/device_directory.hpp"
#include "actors/health.hpp"
#include "actors/upkeep_board.hpp"
#include "actors/worker_pool.hpp"
#include "app/stores.hpp"
#include "config/settings.hpp"
#include "core/request_log.hpp"
#include "core/result.hpp"

namespace obsync::app {

struct actor_set {
  caf::actor front;
  caf::actor control;
  caf::actor scrubber;
  caf::actor collector;
  std::shared_ptr<actors::device_directory> directory = std::make_shared<actors::device_directory>();
  std::vector<caf::actor> others;
  std::shared_ptr<actors::worker_pool> readers;
  std::shared_ptr<actors::worker_pool> blob_writers;

  // Asks every actor to end and lets go of all handles. Twice is fine.
  void end();
};

// What a browser or a plugin may read without asking the store.
struct public_pages {
  std::optional<std::string> plugin_manifest = {};
  std::shared_ptr<const actors::dashboard_pages> dashboard;
};

result<actor_set> spawn_actors(caf::actor_system& system, const config::settings& settings,
                               const surroundings& around, stores& opened,
                               const std::shared_ptr<actors::health>& state,
                               const std::shared_ptr<request_log>& requests, public_pages pages);

// Only who looks at every chunk and puts right what is wrong, without pauses: for a store no server uses.
result<actor_set> spawn_repairers(caf::actor_system& system, const config::settings& settings,
                                  const surroundings& around, stores& opened,
                                  const std::shared_ptr<actors::health>& state,
                                  const std::shared_ptr<actors::upkeep_board>& board);

}  // namespace obsync::app
