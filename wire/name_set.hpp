// Names of chunks collected one after another, each kept once: 32 bytes a name, twice that while it grows.
// One thread.
#pragma once

#include <algorithm>
#include <vector>

#include "core/ids.hpp"

namespace obsync::wire {

class name_set {
 public:
  void add(const chunk_sid& sid) {
    names_.push_back(sid);
    if (names_.size() >= compact_at_) compact();
  }
  // In rising order, each once. What add() brings later may not be among them yet.
  const std::vector<chunk_sid>& sorted() {
    compact();
    return names_;
  }

 private:
  static constexpr std::size_t few = 1 << 16;

  void compact() {
    std::sort(names_.begin(), names_.end());
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
    compact_at_ = std::max(few, 2 * names_.size());
  }

  std::vector<chunk_sid> names_;
  std::size_t compact_at_ = few;
};

}  // namespace obsync::wire
