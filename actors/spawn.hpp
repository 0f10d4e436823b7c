// How actors are started and how their handlers fail: the two things every actor here does the same way.
#pragma once

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/message.hpp>
#include <caf/result.hpp>
#include <caf/scheduled_actor.hpp>
#include <caf/sec.hpp>
#include <caf/spawn_options.hpp>

#include <exception>
#include <utility>

#include "actors/placement.hpp"
#include "actors/ports.hpp"
#include "actors/timed_actor.hpp"
#include "core/log.hpp"

namespace obsync::actors {

template <class F, class... Args>
caf::actor spawn_placed(caf::actor_system& system, placement where, F behavior, Args&&... args) {
  if (where == placement::own_thread)
    return system.spawn<caf::detached>(behavior, std::forward<Args>(args)...);
  return system.spawn(behavior, std::forward<Args>(args)...);
}

// A throwing handler would end its actor; this answers the call with 500 instead. Ours throw only when memory
// runs out or a library does.
template <class F>
void guarded(const char* actor, const call_ptr& call, F&& body) {
  try {
    body();
  } catch (const std::exception& failure) {
    log::line(log::level::error, "handler_failed").add("actor", actor).add("reason", failure.what());
    if (call) call->answer(refuse(wire::refusal::io_error, "the server failed to handle this request"));
  }
}

// Counts as a fault of ours when it fires: a message nobody declared.
inline void log_unexpected(caf::event_based_actor* self, const char* actor) {
  self->set_default_handler(
      [actor](caf::scheduled_actor*, caf::message_view& message) -> caf::result<caf::message> {
        log::line(log::level::error, "unexpected_message")
            .add("actor", actor)
            .add("message", caf::to_string(message.content()));
        return caf::sec::unexpected_message;
      });
}

}  // namespace obsync::actors
