// The supervisor: everybody's life.
//
// OWNS      the list of who must live.
// HEARS     watch_actor from the wiring; down messages from CAF.
// PROMISES  the death of an actor that owns durable order makes /readyz say so; a worker that owns nothing
// but
//           its connection is replaced by a fresh one in its pool.
// NEVER     restarts a writer: what the disk holds after a failure is for a restart to read back.
// BLOCKS    no.
#pragma once

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>
#include <caf/allowed_unsafe_message_type.hpp>

#include <functional>
#include <memory>
#include <string>

#include "actors/health.hpp"
#include "actors/worker_pool.hpp"

namespace obsync::actors {

// One actor to watch. Without `respawn` its death is a fault; with it, a fresh actor takes its place in
// `pool`.
struct watch_actor {
  std::string name;
  caf::actor who;
  std::shared_ptr<worker_pool> pool = {};
  std::function<caf::actor()> respawn = {};
};

caf::actor spawn_supervisor(caf::actor_system& system, std::shared_ptr<health> state);

}  // namespace obsync::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::watch_actor)
