// The scrubber: looks at every stored chunk, small ones too, whether its bytes are still what its name says.
//
// OWNS      the pass under way, and where it has come to: noted in the catalog once an hour at most and at a
//           stop, so a crash repeats at most a minute of work.
// HEARS     tick and scrub_step, from itself; scrub_now from control and dashboard; settle -> settled, when
//           the place of the pass is durable: it does nothing more after that.
// PROMISES  it works at most one minute in each hour: a step that took t rests 62 t, and a step ends after a
//           second or 16 MiB. A wrong copy is replaced from a right one; where there is none the bytes are
//           set aside, durably, before the chunk counts as missing. What the primary lost comes back from a
//           mirror; a chunk that a version names and nobody has is said once a pass. A mirror that was
//           behind and can be written again is given what it lacks, in one whole pass.
// NEVER     destroys evidence. Never looks at two chunks at once.
// BLOCKS    yes, in its own read connections: wiring gives it a thread of its own.
#pragma once

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "actors/placement.hpp"
#include "actors/upkeep_board.hpp"
#include "core/clock.hpp"
#include "core/disk.hpp"
#include "store/blob_scrub.hpp"
#include "store/blob_store.hpp"
#include "store/chunk_reader.hpp"
#include "store/journal_room.hpp"
#include "store/mirror_watch.hpp"
#include "store/room.hpp"
#include "store/small_copies.hpp"
#include "store/small_store.hpp"
#include "store/upkeep_reader.hpp"

namespace obsync::actors {

// The catalog's note of where the pass has come to; empty: it is over.
inline constexpr const char* scrub_place_note = "scrub_place";

struct scrubber_limits {
  std::int64_t bytes_per_second = 4 << 20;
  std::int64_t step_bytes = 16 << 20;
  std::int64_t step_ms = 1'000;
  std::int64_t rest_factor = 62;        // see docs/adr/0009
  std::int64_t period_ms = 86'400'000;  // from the beginning of one pass to the next
  std::int64_t look_ms = 600'000;       // how often an idle scrubber asks whether that is over
  std::int64_t note_ms = 3'600'000;
};

struct scrubber_deps {
  std::shared_ptr<const clock> time;
  std::shared_ptr<disk> files;
  std::shared_ptr<store::upkeep_reader> catalog;
  std::shared_ptr<store::small_reader> small;
  std::shared_ptr<store::small_copies> small_mirrors;
  std::shared_ptr<store::mirror_watch> mirrors;
  std::shared_ptr<store::blob_store> blobs;
  std::shared_ptr<store::blob_scrub> copies;
  std::shared_ptr<store::chunk_source> presence;  // this actor's own
  std::shared_ptr<store::room> space;
  std::shared_ptr<upkeep_board> board;
  std::shared_ptr<const store::journal_room> journal_space;  // nothing: as much as the disk takes
  std::string quarantine_folder;                             // on the journal volume
  caf::actor journal;
  caf::actor small_writer;
};

caf::actor spawn_scrubber(caf::actor_system& system, placement where, const scrubber_limits& limits,
                          scrubber_deps deps);

}  // namespace obsync::actors
