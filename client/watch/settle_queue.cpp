#include "client/watch/settle_queue.hpp"

#include <algorithm>

namespace obsync::client {

void settle_queue::finished(const std::string& path, std::int64_t now_ms) {
  auto [found, is_new] = waiting_.try_emplace(path);
  entry& item = found->second;
  if (is_new || item.open) item.since_ms = now_ms;
  item.open = false;
  item.due_ms = std::min(now_ms + limits_.settle_ms, item.since_ms + limits_.settle_ms_max);
}

void settle_queue::writing(const std::string& path, std::int64_t now_ms) {
  entry& item = waiting_[path];
  item.open = true;
  item.due_ms = now_ms + limits_.quiet_ms;
}

void settle_queue::touched(const std::string& path, std::int64_t now_ms) {
  const auto found = waiting_.find(path);
  if (found == waiting_.end() || !found->second.open) finished(path, now_ms);
}

std::set<std::string> settle_queue::take(std::int64_t now_ms) {
  std::set<std::string> ready;
  for (auto item = waiting_.begin(); item != waiting_.end();) {
    if (item->second.due_ms <= now_ms) {
      ready.insert(ready.end(), item->first);
      item = waiting_.erase(item);
    } else {
      ++item;
    }
  }
  return ready;
}

std::optional<std::int64_t> settle_queue::next_ms() const {
  std::optional<std::int64_t> next;
  for (const auto& [path, item] : waiting_) next = std::min(next.value_or(item.due_ms), item.due_ms);
  return next;
}

}  // namespace obsync::client
