// Setup: the first device of an account, and the device that recovers it.
//
// OWNS      the setup token and the invitations, and which account each of them stands for.
// HEARS     public_call with route setup, whose call it answers: 201 | bad_json | bad_request |
//           bad_setup_token | already_set_up | recovery_unavailable | bad_recovery_proof | account_disabled |
//           the journal's own. invitation_made from control, account_erased from the eraser.
// PROMISES  one account for one token however many ask at once; the front knows the device before the device
//           does; a token that is unknown, over or forgotten is answered as a wrong one.
// NEVER     says more than bad_setup_token to who does not hold a token; keeps an invitation's token.
// BLOCKS    no.
#pragma once

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>

#include <memory>
#include <optional>
#include <vector>

#include "actors/account_heads.hpp"
#include "actors/enrolment.hpp"
#include "actors/worker_pool.hpp"
#include "core/request_log.hpp"
#include "store/room.hpp"

namespace obsync::actors {

struct setup_deps {
  enrolment_deps enrolment;
  crypto::secret32 setup_token;
  std::optional<account_id> owner = {};  // the account the setup token stands for, once it exists
  std::vector<store::invitation_row> invitations = {};
  std::shared_ptr<account_heads> heads;
  std::shared_ptr<store::room> space;  // learns the quota of a new account
  caf::actor front;
  caf::actor journal;
  std::shared_ptr<worker_pool> readers;
  std::shared_ptr<request_log> requests;  // sums what strangers repeat
};

caf::actor spawn_setup(caf::actor_system& system, setup_deps deps);

}  // namespace obsync::actors
