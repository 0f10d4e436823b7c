#include "core/repeat_sum.hpp"

namespace obsync {

bool repeat_sum::admit(const repeat_key& key, std::int64_t now_ms) {
  const bool room = windows_.size() < limits_.keys_max || windows_.contains(key);
  window& one = windows_.try_emplace(room ? key : repeat_key{}, window{now_ms, 0, 0}).first->second;
  if (one.written < limits_.lines_per_window) {
    ++one.written;
    return true;
  }
  ++one.left_out;
  ++left_out_;
  return false;
}

std::vector<repeat_total> repeat_sum::take_due(std::int64_t now_ms) {
  std::vector<repeat_total> out;
  for (auto at = windows_.begin(); at != windows_.end();) {
    if (!is_over(at->second, now_ms)) {
      ++at;
      continue;
    }
    close(at->first, at->second, out);
    at = windows_.erase(at);
  }
  return out;
}

std::vector<repeat_total> repeat_sum::take_all() {
  std::vector<repeat_total> out;
  for (const auto& [key, one] : windows_) close(key, one, out);
  windows_.clear();
  return out;
}

bool repeat_sum::is_over(const window& one, std::int64_t now_ms) const {
  return now_ms < one.begun_ms || now_ms - one.begun_ms >= limits_.window_ms;
}

void repeat_sum::close(const repeat_key& key, const window& one, std::vector<repeat_total>& out) {
  if (one.left_out == 0) return;
  left_out_ -= one.left_out;
  out.push_back({key, one.left_out, limits_.window_ms});
}

}  // namespace obsync
