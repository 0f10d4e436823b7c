// The collector: lets go of the versions that retention does not keep, then of the chunks that no version
// names, and gives the room back to the file system.
//
// OWNS      how far the running round has come. What lasts is noted in the catalog: up to where each
// account's
//           versions were judged, and when the chunks were swept last.
// HEARS     tick and collect_step, from itself; collect_now from control and dashboard.
// PROMISES  nothing that a stored version names is removed, nor a chunk younger than the grace. Each step is
//           small, and is followed by a rest at least as long as it took. A round that finds nothing to do
//           writes nothing.
// NEVER     holds more in memory than a filter of 16 MiB and one step's names.
// BLOCKS    yes, in its own read connections: wiring gives it a thread of its own.
//
// Why a chunk that goes cannot be named by a post that comes is argued in docs/adr/0008.
#pragma once

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>

#include <cstdint>
#include <memory>

#include "actors/placement.hpp"
#include "actors/upkeep_board.hpp"
#include "core/clock.hpp"
#include "core/random.hpp"
#include "store/blob_store.hpp"
#include "store/departing_chunks.hpp"
#include "store/retention.hpp"
#include "store/room.hpp"
#include "store/small_store.hpp"
#include "store/upkeep_reader.hpp"

namespace obsync::actors {

struct collector_limits {
  store::retention_rule rule;
  std::int64_t first_ms = 60'000;      // after the start
  std::int64_t period_ms = 3'600'000;  // between rounds
  std::int64_t budget_ms = 600'000;    // of one round, its rests included; the next goes on
  std::int64_t grace_ms = 86'400'000;  // chunks younger than this stay, whoever names them
  std::int64_t sweep_ms = 86'400'000;  // so often chunks are swept although no version went
  std::int64_t rest_ms = 5;            // between two steps, at least
  std::int64_t versions_max = 256;     // looked at or removed in one step
  std::int64_t names_max = 1024;       // of chunks looked at in one step
  std::int64_t pages_max = 64;         // given back in one step
};

struct collector_deps {
  std::shared_ptr<const clock> time;
  std::shared_ptr<random_source> random;
  std::shared_ptr<store::upkeep_reader> catalog;
  std::shared_ptr<store::small_reader> small;
  std::shared_ptr<store::blob_store> blobs;
  std::shared_ptr<store::departing_chunks> departing;  // the one all presence checks look into
  std::shared_ptr<store::room> space;
  std::shared_ptr<upkeep_board> board;
  caf::actor journal;
  caf::actor small_writer;
};

caf::actor spawn_collector(caf::actor_system& system, placement where, const collector_limits& limits,
                           collector_deps deps);

}  // namespace obsync::actors
