// Control: what the operator asks for while the server runs.
//
// OWNS      nothing that lasts: each act is looked up, committed, made known, answered.
// HEARS     control_call_ptr from the operator's socket, whose call it answers: what wire/control.hpp says |
//           bad_request | unknown_account | unknown_device | last_device | recovery_too_new |
//           account_disabled | io_error | the journal's own.
// PROMISES  an act is on disk with its audit row, and in force for every later request, before the operator
//           hears that it is done.
// NEVER     writes a token anywhere but into the one answer that is to hold it.
// BLOCKS    no.
#pragma once

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>

#include <memory>

#include "actors/control_port.hpp"
#include "actors/upkeep_board.hpp"
#include "actors/worker_pool.hpp"
#include "core/clock.hpp"
#include "core/random.hpp"
#include "store/room.hpp"

namespace obsync::actors {

struct control_limits {
  std::int64_t invitation_life_ms = 7LL * 86'400'000;  // where the operator names none
  std::int64_t deletion_grace_ms = 7LL * 86'400'000;
};

struct control_deps {
  std::shared_ptr<const clock> time;
  std::shared_ptr<random_source> random;
  std::shared_ptr<store::room> space;
  std::shared_ptr<worker_pool> readers;
  std::shared_ptr<upkeep_board> board;
  caf::actor journal;
  caf::actor front;
  caf::actor setup;
  caf::actor collector;
  caf::actor scrubber;
};

caf::actor spawn_control(caf::actor_system& system, const control_limits& limits, control_deps deps);

std::unique_ptr<control_door> make_control_door(const caf::actor& control);

}  // namespace obsync::actors
