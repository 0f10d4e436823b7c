// The feed: who waits for which account.
//
// OWNS      the list of sessions with a parked poll, per account, and the newest head it was told of.
// HEARS     await_account from sessions; account_advanced from the journal. Answers neither.
// PROMISES  every session that waits is told once, by account_advanced, when its account is beyond what it
//           has seen; at once when it already is, so a commit between looking and waiting is never missed.
// NEVER     reads the store.
// BLOCKS    no.
#pragma once

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>

namespace obsync::actors {

caf::actor spawn_feed(caf::actor_system& system);

}  // namespace obsync::actors
