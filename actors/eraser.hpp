// The eraser: removes what belonged to a deleted account once its grace is over.
//
// OWNS      which account is being erased and how far that has come; nothing that lasts. A restart finds the
//           account still marked and begins anew, for every step may be repeated.
// HEARS     tick and erase_step, from itself: at the start, then once an hour.
// PROMISES  versions go before the chunks they name, and the account itself last; each step is small and
// followed
//           by a rest, so that nobody else waits for it.
// NEVER     touches an account whose grace lasts: the journal checks that again in every step.
// BLOCKS    no.
#pragma once

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>

#include <memory>

#include "actors/worker_pool.hpp"
#include "core/clock.hpp"
#include "store/room.hpp"

namespace obsync::actors {

struct eraser_limits {
  std::int64_t period_s = 3600;
  std::int64_t rest_ms = 20;    // between two steps
  std::int64_t rows_max = 256;  // versions or files in one step
};

struct eraser_deps {
  std::shared_ptr<const clock> time;
  std::shared_ptr<store::room> space;
  std::shared_ptr<worker_pool> readers;
  std::shared_ptr<worker_pool> blob_writers;
  caf::actor journal;
  caf::actor small_writer;
  caf::actor front;
  caf::actor setup;
};

caf::actor spawn_eraser(caf::actor_system& system, const eraser_limits& limits, eraser_deps deps);

}  // namespace obsync::actors
