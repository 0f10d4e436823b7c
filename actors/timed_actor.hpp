// What every actor here derives from: an event-based actor whose handlers are timed, and named in the log
// with the type of the message (never its content) when one keeps its thread for long. Two looks at a clock a
// message.
#pragma once

#include <caf/event_based_actor.hpp>
#include <caf/stateful_actor.hpp>

#include "actors/stall_watch.hpp"

namespace obsync::actors {

class timed_actor : public caf::event_based_actor {
 public:
  using caf::event_based_actor::event_based_actor;
  caf::invoke_message_result consume(caf::mailbox_element& message) override;

 private:
  stall_watch stalls_;
};

template <class State>
using timed = caf::stateful_actor<State, timed_actor>;

}  // namespace obsync::actors
