#include "actors/timed_actor.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "core/log.hpp"

namespace obsync::actors {

namespace {

// CAF numbers the types it knows and has only a number for them.
std::string type_of(const caf::type_erased_tuple& content) {
  if (content.empty()) return "nothing";
  const caf::rtti_pair first = content.type(0);
  if (first.second == nullptr) return "type " + std::to_string(first.first);
  const char* const mangled = first.second->name();
  const std::unique_ptr<char, void (*)(void*)> plain(abi::__cxa_demangle(mangled, nullptr, nullptr, nullptr),
                                                     std::free);
  return plain ? plain.get() : mangled;
}

}  // namespace

caf::invoke_message_result timed_actor::consume(caf::mailbox_element& message) {
  const auto begun = std::chrono::steady_clock::now();
  const caf::invoke_message_result outcome = caf::event_based_actor::consume(message);
  if (const auto told = stalls_.note(begun, std::chrono::steady_clock::now()))
    log::line(log::level::warn, "stall")
        .add("actor", name())
        .add("message", type_of(message.content()))
        .add("ms", told->took.count())
        .add("count", told->count)
        .add("worst_ms", told->worst.count());
  return outcome;
}

}  // namespace obsync::actors
