// "Please end": asked once, by a signal or a test, and heard by whoever has something running.
#pragma once

#include <functional>
#include <list>
#include <mutex>

namespace obsync::client {

// Any thread.
class stop_request {
 public:
  // Runs `on_stop` when the request comes, or now when it is there already; not any more once destroyed.
  class listener {
   public:
    listener(stop_request& to, std::function<void()> on_stop) : to_(to) {
      const std::lock_guard lock(to_.mutex_);
      if (to_.requested_) on_stop();
      place_ = to_.listeners_.insert(to_.listeners_.end(), std::move(on_stop));
    }
    listener(const listener&) = delete;
    listener& operator=(const listener&) = delete;
    ~listener() {
      const std::lock_guard lock(to_.mutex_);
      to_.listeners_.erase(place_);
    }

   private:
    stop_request& to_;
    std::list<std::function<void()>>::iterator place_;
  };

  void request() {
    const std::lock_guard lock(mutex_);
    requested_ = true;
    for (const auto& on_stop : listeners_) on_stop();
  }

  bool requested() const {
    const std::lock_guard lock(mutex_);
    return requested_;
  }

 private:
  mutable std::mutex mutex_;
  bool requested_ = false;
  std::list<std::function<void()>> listeners_;
};

}  // namespace obsync::client
