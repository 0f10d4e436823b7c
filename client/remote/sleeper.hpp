// Waiting that can be cut short: between attempts, and between looks at something that takes its time.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace obsync::client {

// Any thread.
class sleeper {
 public:
  virtual ~sleeper() = default;
  // Waits; false, at once or early, when told to stop.
  virtual bool sleep_ms(std::int64_t ms) = 0;
  // Ends every wait, present and future.
  virtual void stop() = 0;
};

class real_sleeper final : public sleeper {
 public:
  bool sleep_ms(std::int64_t ms) override {
    std::unique_lock lock(mutex_);
    return !woken_.wait_for(lock, std::chrono::milliseconds(ms), [this] { return stopped_; });
  }

  void stop() override {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    woken_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable woken_;
  bool stopped_ = false;
};

}  // namespace obsync::client
