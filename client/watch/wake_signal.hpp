// Wakes a thread that waits on file descriptors.
#pragma once

#include <cstdint>

namespace obsync::client {

// raise() from any thread and from a signal handler; the rest belongs to the waiting thread.
class wake_signal {
 public:
  wake_signal();
  wake_signal(const wake_signal&) = delete;
  wake_signal& operator=(const wake_signal&) = delete;
  ~wake_signal();

  void raise();
  // Waits until raised or the time is over; the signal is then down again. True when it was raised.
  bool wait(std::int64_t timeout_ms);
  // Becomes readable when raised.
  int descriptor() const { return descriptor_; }
  void lower();

 private:
  int descriptor_;
};

}  // namespace obsync::client
