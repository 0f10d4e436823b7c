// A reader: answers every question that only looks.
//
// OWNS      a read connection to each database.
// HEARS     read_call, whose call it answers itself: the route's answer | bad_request | bad_json |
//           unknown_chunk | unknown_file | unknown_version | batch_too_large | seq_ahead | not_set_up |
//           io_error (ranges are the connection's business). admin_view_call, likewise (admin_views.hpp).
//           account_lookup -> account_found; census_lookup -> census_ptr; audit_lookup -> audit_found.
// PROMISES  an answer comes from one consistent snapshot, and no earlier than every commit that was answered
//           before the question was asked.
// NEVER     writes.
// BLOCKS    yes, in the store: wiring gives it a thread of its own.
#pragma once

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>

#include <memory>

#include "actors/admin_views.hpp"
#include "actors/placement.hpp"
#include "store/blob_store.hpp"
#include "store/catalog.hpp"
#include "store/chunk_reader.hpp"
#include "store/room.hpp"

namespace obsync::actors {

struct reader_limits {
  std::int64_t file_record_versions_max = 10;  // newest versions a file record shows, beside every head
  std::uint64_t inline_chunk_bytes_max = 64u
                                         << 10;  // chunks up to here travel as bytes, larger ones as files
};

struct reader_deps {
  std::shared_ptr<store::catalog_reader> catalog;  // this reader's own
  std::shared_ptr<store::blob_store> blobs;        // shared: opens a large chunk when its turn comes
  std::shared_ptr<store::chunk_source> chunks;     // this reader's own, over `blobs`
  std::shared_ptr<store::room> space;              // shared: what an account uses
  std::shared_ptr<const admin_facts> facts = {};   // shared: what the dashboard shows of the server
};

caf::actor spawn_reader(caf::actor_system& system, placement where, const reader_limits& limits,
                        reader_deps deps);

}  // namespace obsync::actors
