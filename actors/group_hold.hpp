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
  bool is_complete(std::size_t waiting) const { return waiting >= (is_hopeful() ? 2 : 1) * expected_; }

  // A group of this size was flushed. Expectations fall by halves, so that one late request does not end
  // them.
  void flushed(std::size_t size) {
    const bool hoped = is_hopeful();
    const bool grew = size > expected_;
    groups_ = hoped || grew ? 0 : groups_ + 1;
    if (grew) {
      patience_ = patience_min;
    } else if (hoped) {
      patience_ = std::min(2 * patience_, patience_max);
    }
    expected_ = std::max(size, expected_ / 2);
  }

 private:
  static constexpr std::size_t patience_min = 4;
  static constexpr std::size_t patience_max = 64;

  // Two halves of the busy devices can miss each other for ever: one writes chunks while the other posts
  // versions, and every group is complete without it. So now and then a group waits for twice of what came
  // last time, ever more seldom while that is in vain.
  bool is_hopeful() const { return expected_ > 1 && groups_ >= patience_; }

  std::size_t expected_ = 1;
  std::size_t groups_ = 0;  // flushed since the last hopeful one
  std::size_t patience_ = patience_min;
};

}  // namespace obsync::actors
