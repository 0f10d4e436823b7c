// A device session: one for every live device.
//
// OWNS      that device's secret, its replay memory (600 s) and horizon, its parked long polls.
// HEARS     session_call from the front, after the checks that need no secret (see front.hpp);
//           account_advanced from the feed; device_activated, device_revoked, device_role_changed,
//           account_disabled, account_enabled from the front;
//           poll_due from itself; sweep, release_polls and settle from the front.
// PROMISES  a request is answered only for who signed it; a nonce is never accepted twice, also not over a
//           crash: no request is answered before a horizon at or beyond its timestamp is durable.
// ANSWERS   in this order: stale_timestamp, the body's refusal, bad_signature, replayed_nonce and its kin,
//           device_pending, read_only, then the route's own answer; account_disabled before all of them.
// NEVER     touches the store; outlives revocation by more than a message.
// BLOCKS    no.
#pragma once

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>

#include <atomic>
#include <cstddef>
#include <memory>

#include "actors/account_heads.hpp"
#include "actors/nonce_memory.hpp"
#include "actors/sightings.hpp"
#include "actors/worker_pool.hpp"
#include "core/clock.hpp"
#include "crypto/secret.hpp"
#include "store/catalog.hpp"

namespace obsync::actors {

struct session_limits {
  nonce_limits nonces = {};
  std::int64_t horizon_lead_s = 2;   // how far beyond a timestamp a horizon is committed
  std::int64_t idle_s_min = 900;     // a session without work for this long may retire; above nonce_memory_s
  std::size_t parked_polls_max = 8;  // past it the oldest is answered
};

struct session_deps {
  std::shared_ptr<const clock> time;
  std::shared_ptr<account_heads> heads;
  std::shared_ptr<std::atomic<std::size_t>> nonces_in_use;  // of the device's account; the front's gift
  caf::actor front;
  caf::actor journal;
  caf::actor small_writer;
  caf::actor feed;
  caf::actor pairing;
  std::shared_ptr<worker_pool> readers;
  std::shared_ptr<worker_pool> blob_writers;
  std::shared_ptr<const std::string> capabilities;  // the answer of that route
  std::shared_ptr<sightings> seen = std::make_shared<sightings>();
};

// `floor_s`: requests at or before it are refused as stale, for they may have been accepted by a process that
// died. Zero for a device enrolled by this process.
caf::actor spawn_session(caf::actor_system& system, const session_limits& limits, session_deps deps,
                         const store::device_row& device, const crypto::secret32& secret,
                         std::int64_t floor_s);

}  // namespace obsync::actors
