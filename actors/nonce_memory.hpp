// The nonces a device has used, for as long as a request that carries one could still be fresh. One session
// owns each; all sessions share a count, so that the server's memory of nonces has one bound. One thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <unordered_map>
#include <utility>

#include "core/ids.hpp"
#include "wire/failure.hpp"

namespace obsync::actors {

struct nonce_limits {
  std::size_t per_device_max = 50'000;
  std::size_t total_max = 200'000;
};

class nonce_memory {
 public:
  // `total` is shared by all sessions of the server.
  nonce_memory(const nonce_limits& limits, std::shared_ptr<std::atomic<std::size_t>> total)
      : limits_(limits), total_(std::move(total)) {}
  nonce_memory(const nonce_memory&) = delete;
  nonce_memory& operator=(const nonce_memory&) = delete;
  ~nonce_memory();

  // Refused: replayed_nonce, nonce_cache_full, nonce_share_full.
  wire::outcome<void> use(const request_nonce& nonce, std::int64_t now_s);
  // The request went no further for a reason of ours: its nonce may be used again.
  void give_back(const request_nonce& nonce);

  std::size_t size() const { return used_.size(); }

 private:
  void forget_old(std::int64_t now_s);

  nonce_limits limits_;
  std::shared_ptr<std::atomic<std::size_t>> total_;
  std::unordered_map<request_nonce, std::int64_t> used_;        // when, in seconds
  std::deque<std::pair<std::int64_t, request_nonce>> by_time_;  // oldest first
};

}  // namespace obsync::actors
