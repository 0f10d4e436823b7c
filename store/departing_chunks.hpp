// Chunks that are about to be removed, because no version names them. Whoever asks meanwhile is told that
// they are not stored, so no version can come to name one between the last look at the versions and the
// removal of the bytes. Any thread.
#pragma once

#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "core/ids.hpp"

namespace obsync::store {

class departing_chunks {
 public:
  using chunk = std::pair<account_id, chunk_sid>;

  bool has(const account_id& account, const chunk_sid& sid) const {
    const std::lock_guard lock(mutex_);
    return chunks_.contains({account, sid});
  }
  void add(const std::vector<chunk>& batch) {
    const std::lock_guard lock(mutex_);
    chunks_.insert(batch.begin(), batch.end());
  }
  void clear() {
    const std::lock_guard lock(mutex_);
    chunks_.clear();
  }

 private:
  mutable std::mutex mutex_;
  std::set<chunk> chunks_;
};

}  // namespace obsync::store
