// What the paced jobs say of themselves, for whoever shows it. Any thread.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "store/mirror_watch.hpp"
#include "wire/upkeep.hpp"

namespace obsync::actors {

class upkeep_board {
 public:
  explicit upkeep_board(std::shared_ptr<const store::mirror_watch> mirrors = {})
      : mirrors_(std::move(mirrors)) {}

  // Nothing where there are no mirrors.
  std::vector<store::mirror_view> mirrors() const {
    return mirrors_ ? mirrors_->all() : std::vector<store::mirror_view>{};
  }
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
    wire::scrub_view out;
    {
      const std::lock_guard lock(mutex_);
      out = scrub_;
    }
    for (const store::mirror_view& one : mirrors()) out.mirrors.push_back({one.label, name(one.state)});
    return out;
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
  const std::shared_ptr<const store::mirror_watch> mirrors_;
  mutable std::mutex mutex_;
  wire::scrub_view scrub_;
  wire::collection_view collection_;
};

}  // namespace obsync::actors
