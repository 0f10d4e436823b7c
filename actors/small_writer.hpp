// The small-blob writer: the only writer of small.db.
//
// OWNS      the order of everything in small.db.
// HEARS     small_chunk_call, whose call it answers itself: 201 | 200 when stored already | volume_full |
//           quota_exceeded | sid_mismatch | storage_full | io_error | overloaded;
//           small_batch_ptr -> small_batch_reply_ptr, always, with the same outcome for each chunk;
//           erase_small_chunks from the eraser -> erased; remove_small_chunks -> chunks_removed and
//           return_small_pages -> pages_returned, from the collector; restore_small_chunk ->
//           small_chunk_restored and drop_rotten_chunk -> chunks_removed, from the scrubber; flush_now, from
//           itself.
// PROMISES  an answer of 201 means the chunk is on disk; chunks that wait share one flush; a chunk that is
//           stored already is answered 200 even when the volume is full, and replaces bytes that rotted;
//           the chunks of a batch share one
//           flush, however many they are.
// NEVER     holds more than its queue bound.
// BLOCKS    yes, in the store: wiring gives it a thread of its own.
#pragma once

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>

#include <cstddef>
#include <memory>

#include "actors/health.hpp"
#include "actors/placement.hpp"
#include "core/clock.hpp"
#include "store/chunk_reader.hpp"
#include "store/mirror_watch.hpp"
#include "store/room.hpp"
#include "store/small_store.hpp"

namespace obsync::actors {

struct small_writer_limits {
  std::size_t group_chunks_max = 64;
  std::size_t queue_chunks_max = 4096;
  std::int64_t erased_chunks_max = 128;        // in one step of an erasure: 8 MiB at most
  std::int64_t renewed_after_ms = 43'200'000;  // a stored chunk sent again counts as new after this long
};

struct small_writer_deps {
  std::shared_ptr<store::small_writer> chunks;
  std::shared_ptr<store::chunk_source> present;  // this actor's own: answers "is it here already"
  std::shared_ptr<store::room> space;
  std::shared_ptr<const clock> time;
  std::shared_ptr<health> state;
  std::shared_ptr<const store::mirror_watch> mirrors = {};  // behind `chunks`, if any
};

caf::actor spawn_small_writer(caf::actor_system& system, placement where, const small_writer_limits& limits,
                              small_writer_deps deps);

}  // namespace obsync::actors
