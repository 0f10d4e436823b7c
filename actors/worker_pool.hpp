// Several actors that do the same work, taken in turn. The supervisor swaps a dead one for a fresh one. Any
// thread.
#pragma once

#include <caf/actor.hpp>

#include <cstddef>
#include <mutex>
#include <vector>

namespace obsync::actors {

class worker_pool {
 public:
  explicit worker_pool(std::vector<caf::actor> workers) : workers_(std::move(workers)) {}

  // Nobody once the pool is cleared: a request to nobody fails at once, and a message to nobody is lost.
  caf::actor next() {
    const std::lock_guard lock(mutex_);
    if (workers_.empty()) return {};
    at_ = (at_ + 1) % workers_.size();
    return workers_[at_];
  }

  void replace(const caf::actor_addr& dead, const caf::actor& fresh) {
    const std::lock_guard lock(mutex_);
    for (caf::actor& worker : workers_)
      if (worker.address() == dead) worker = fresh;
  }

  std::vector<caf::actor> all() const {
    const std::lock_guard lock(mutex_);
    return workers_;
  }

  // Lets go of every handle, so that the actors can end.
  void clear() {
    const std::lock_guard lock(mutex_);
    workers_.clear();
  }

 private:
  mutable std::mutex mutex_;
  std::vector<caf::actor> workers_;
  std::size_t at_ = 0;
};

}  // namespace obsync::actors
