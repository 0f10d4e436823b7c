// How long a group commit waits for company. A writer that flushes at once whenever something waits splits
// the requests of a few busy devices over many flushes; one that always waits makes a lonely device slow. So
// it waits for as many as came together last time, at most `hold`, and not at all after a request that came
// alone. Plain data; one thread.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace obsync::actors {

class group_hold {
 public:
  static constexpr std::chrono::microseconds hold{2000};

  // Whether `waiting` requests should be flushed now, or company is expected.
  bool is_complete(std::size_t waiting) const { return waiting >= expected_ + (is_hopeful() ? 1 : 0); }

  // A group of this size was flushed. Expectations fall by halves, so that one late request does not end
  // them.
  void flushed(std::size_t size) {
    expected_ = std::max(size, expected_ / 2);
    ++groups_;
  }

 private:
  // Two pairs of devices can keep missing each other for ever. So now and then a group waits for one more
  // than came last time.
  bool is_hopeful() const { return expected_ > 1 && groups_ % 4 == 0; }

  std::size_t expected_ = 1;
  std::size_t groups_ = 0;
};

}  // namespace obsync::actors
