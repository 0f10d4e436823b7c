// Pairing: how a second device joins.
//
// OWNS      the pairings (pairing_book.hpp), in memory, 600 s each as a rule.
// HEARS     pairing_call from sessions (create, status, reveal, approve, reject, envelope) and public_call
// from
//           the front (claim), whose calls it answers; account_disabled, which ends that account's pairings;
//           tick, from itself, once a minute while any are alive.
// PROMISES  the states of the protocol exactly once: one claim, one collection; a device becomes active in
// the
//           journal before its envelope leaves; the front knows a device before the device does.
// NEVER     can read an envelope.
// BLOCKS    no.
#pragma once

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>

#include <cstddef>

#include "actors/enrolment.hpp"
#include "wire/limits.hpp"

namespace obsync::actors {

struct pairing_limits {
  std::size_t live_max = 1024;
  std::int64_t sweep_s = 60;
  std::int64_t life_s = wire::pairing_life_s;
};

struct pairing_deps {
  enrolment_deps enrolment;
  caf::actor front;
  caf::actor journal;
};

caf::actor spawn_pairing(caf::actor_system& system, const pairing_limits& limits, pairing_deps deps);

}  // namespace obsync::actors
