// The journal: the only writer of the catalog.
//
// OWNS      the order of everything in catalog.db.
// HEARS     commit_request_ptr -> commit_reply_ptr, always, one outcome per operation:
//             what the store says | journal_faulted | storage_full | io_error | overloaded; a version that
//             would be stored also journal_full | journal_unverified
//           flush_now, from itself.
// PROMISES  an answer means the bytes are on disk; requests that wait share one flush; one refused operation
//           never fails its neighbours.
// NEVER     reads sockets, parses text, retries a failed sync: after one, everything is refused as
//           journal_faulted until a restart has read back what is really there.
// BLOCKS    yes, in the store: wiring gives it a thread of its own.
#pragma once

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>

#include <cstddef>
#include <memory>

#include "actors/account_heads.hpp"
#include "actors/health.hpp"
#include "actors/placement.hpp"
#include "store/catalog.hpp"
#include "store/journal_room.hpp"

namespace obsync::actors {

struct journal_limits {
  std::size_t group_requests_max = 64;     // requests that may share one flush
  std::size_t group_bytes_max = 4u << 20;  // of manifests and ids; the first request is always taken
  std::size_t queue_requests_max = 4096;   // past it the answer is `overloaded`
};

struct journal_deps {
  std::shared_ptr<store::catalog_writer> catalog;
  std::shared_ptr<account_heads> heads;
  std::shared_ptr<health> state;
  caf::actor feed;
  std::shared_ptr<const store::journal_room> space = {};  // nothing: history grows until the disk refuses
};

caf::actor spawn_journal(caf::actor_system& system, placement where, const journal_limits& limits,
                         journal_deps deps);

}  // namespace obsync::actors
