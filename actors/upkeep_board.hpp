// What the paced jobs say of themselves, for whoever shows it. Any thread.
#pragma once

#include <mutex>
#include <optional>

#include "wire/upkeep.hpp"

namespace obsync::actors {

class upkeep_board {
 public:
  wire::collection_view collection() const {
    const std::lock_guard lock(mutex_);
    return collection_;
  }
  void collecting(bool running) {
    const std::lock_guard lock(mutex_);
    collection_.running = running;
  }
  void collected(const wire::collection_summary& last) {
    const std::lock_guard lock(mutex_);
    collection_.last = last;
  }
  wire::scrub_view scrub() const {
    const std::lock_guard lock(mutex_);
    return scrub_;
  }
  void scrubbing(bool running) {
    const std::lock_guard lock(mutex_);
    scrub_.running = running;
  }
  void scrubbed(const wire::scrub_summary& last) {
    const std::lock_guard lock(mutex_);
    scrub_.last = last;
  }

 private:
  mutable std::mutex mutex_;
  wire::scrub_view scrub_;
  wire::collection_view collection_;
};

}  // namespace obsync::actors
