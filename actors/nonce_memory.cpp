#include "actors/nonce_memory.hpp"

#include "wire/limits.hpp"

namespace obsync::actors {

nonce_memory::~nonce_memory() {
  total_->fetch_sub(used_.size());
}

wire::outcome<void> nonce_memory::use(const request_nonce& nonce, std::int64_t now_s) {
  forget_old(now_s);
  if (used_.contains(nonce))
    return wire::failure{wire::refusal::replayed_nonce, "this nonce was used before"};
  if (total_->load() >= limits_.total_max)
    return wire::failure{wire::refusal::nonce_cache_full, "too many requests in the last ten minutes"};
  if (used_.size() >= limits_.per_device_max)
    return wire::failure{wire::refusal::nonce_share_full,
                         "too many requests of this device in the last ten minutes"};
  used_.emplace(nonce, now_s);
  by_time_.emplace_back(now_s, nonce);
  total_->fetch_add(1);
  return {};
}

void nonce_memory::give_back(const request_nonce& nonce) {
  // Its entry in by_time_ stays: forgetting an absent nonce is harmless, searching the queue is not cheap.
  if (used_.erase(nonce) > 0) total_->fetch_sub(1);
}

void nonce_memory::forget_old(std::int64_t now_s) {
  while (!by_time_.empty() && by_time_.front().first + wire::nonce_memory_s < now_s) {
    // A nonce that was given back and used anew is remembered from its second use on.
    const auto [when, nonce] = by_time_.front();
    const auto found = used_.find(nonce);
    if (found != used_.end() && found->second == when) give_back(nonce);
    by_time_.pop_front();
  }
}

}  // namespace obsync::actors
