// The border between the operator's socket and the actors, in plain C++, as ports.hpp is for devices.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "wire/control.hpp"

namespace obsync::actors {

// One request of the operator on its way. Answered exactly once: an actor that dies with it lets `deliver`
// hear that the server is stopping. Shared, never copied.
class control_call {
 public:
  control_call(wire::control_request asked, std::int64_t uid) : wish(std::move(asked)), operator_uid(uid) {}
  control_call(const control_call&) = delete;
  control_call& operator=(const control_call&) = delete;
  virtual ~control_call() = default;

  // One JSON text without a line end: an answer of wire/control.hpp, or a failure.
  void answer(std::string json) {
    if (!answered_.exchange(true)) deliver(std::move(json));
  }

  const wire::control_request wish;
  const std::int64_t operator_uid;  // of the process at the other end

 protected:
  virtual void deliver(std::string json) = 0;
  std::atomic<bool> answered_{false};
};

using control_call_ptr = std::shared_ptr<control_call>;

// Where such calls go in. Any thread; returns at once.
class control_door {
 public:
  virtual ~control_door() = default;
  virtual void submit(control_call_ptr incoming) = 0;
};

}  // namespace obsync::actors
