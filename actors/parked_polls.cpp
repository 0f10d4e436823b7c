#include "actors/parked_polls.hpp"

#include <algorithm>

namespace obsync::actors {

template <class Leaves>
std::vector<call_ptr> parked_polls::take_if(Leaves leaves) {
  std::vector<call_ptr> taken;
  std::vector<poll> kept;
  for (poll& item : polls_) {
    if (leaves(item)) {
      taken.push_back(std::move(item.call));
    } else {
      kept.push_back(std::move(item));
    }
  }
  polls_ = std::move(kept);
  return taken;
}

call_ptr parked_polls::park(call_ptr call, sequence since, std::int64_t deadline_ms, std::size_t most) {
  polls_.push_back({std::move(call), since, deadline_ms});
  if (polls_.size() <= most) return nullptr;
  call_ptr oldest = std::move(polls_.front().call);
  polls_.erase(polls_.begin());
  return oldest;
}

std::vector<call_ptr> parked_polls::take_before(sequence head) {
  return take_if([head](const poll& item) { return item.since < head; });
}

std::vector<call_ptr> parked_polls::take_due(std::int64_t now_ms) {
  return take_if([now_ms](const poll& item) { return item.deadline_ms <= now_ms || item.call->abandoned; });
}

std::vector<call_ptr> parked_polls::take_all() {
  return take_if([](const poll&) { return true; });
}

std::optional<std::int64_t> parked_polls::delay_to_arm(std::int64_t now_ms) {
  if (polls_.empty()) return std::nullopt;
  const auto next = std::min_element(polls_.begin(), polls_.end(), [](const poll& a, const poll& b) {
    return a.deadline_ms < b.deadline_ms;
  });
  if (armed_until_ms_ && *armed_until_ms_ <= next->deadline_ms) return std::nullopt;
  armed_until_ms_ = next->deadline_ms;
  return std::max<std::int64_t>(next->deadline_ms - now_ms, 0);
}

}  // namespace obsync::actors
