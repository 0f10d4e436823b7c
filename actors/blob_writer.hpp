// A blob writer: takes large chunks in, slice by slice.
//
// OWNS      the uploads it was given, each with its temp file, running hash and reserved room.
// HEARS     upload_call, whose call it answers with a go-ahead: upload | volume_full | quota_exceeded |
//           io_error | overloaded. Slices, finish and abandonment arrive through the upload it handed out.
//           erase_blob_folder from the eraser -> erased.
// PROMISES  finish is answered 201 only when the whole verified body is durable on every copy, 200 when the
//           chunk was there already; an upload that is dropped leaves nothing behind.
// NEVER     holds a body whole: one slice of each upload at a time.
// BLOCKS    yes, in the store: wiring gives it a thread of its own. Uploads interleave, so that a slow phone
//           never holds a writer.
#pragma once

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>

#include <cstddef>
#include <memory>

#include "actors/placement.hpp"
#include "store/blob_store.hpp"
#include "store/room.hpp"

namespace obsync::actors {

struct blob_writer_limits {
  std::size_t uploads_max = 256;  // at once in one writer
};

struct blob_writer_deps {
  std::shared_ptr<store::blob_store> blobs;
  std::shared_ptr<store::room> space;
};

caf::actor spawn_blob_writer(caf::actor_system& system, placement where, const blob_writer_limits& limits,
                             blob_writer_deps deps);

}  // namespace obsync::actors
