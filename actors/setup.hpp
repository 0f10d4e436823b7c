// Setup: the first device of an account, and the device that recovers it.
//
// OWNS      the setup token, and which account it stands for.
// HEARS     public_call with route setup, whose call it answers: 201 | bad_json | bad_request |
//           bad_setup_token | already_set_up | recovery_unavailable | bad_recovery_proof | the journal's own.
// PROMISES  one account however many ask at once; the front knows the device before the device does.
// NEVER     says more than bad_setup_token to who does not hold the token.
// BLOCKS    no.
#pragma once

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>

#include <memory>
#include <optional>

#include "actors/enrolment.hpp"
#include "actors/worker_pool.hpp"

namespace obsync::actors {

struct setup_deps {
  enrolment_deps enrolment;
  crypto::secret32 setup_token;
  std::optional<account_id> owner = {};  // the account the token stands for, once it exists
  caf::actor front;
  caf::actor journal;
  std::shared_ptr<worker_pool> readers;
};

caf::actor spawn_setup(caf::actor_system& system, setup_deps deps);

}  // namespace obsync::actors
