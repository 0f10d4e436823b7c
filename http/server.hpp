// What all connections of one listener share: its bounds, the way in to the actors, the memory they divide,
// and the set of connections alive.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "actors/ports.hpp"
#include "core/random.hpp"
#include "core/request_log.hpp"
#include "http/byte_budget.hpp"
#include "http/client_address.hpp"
#include "http/forwarding_log.hpp"

namespace obsync::http {

struct http_options {
  std::size_t connections_max = 256;
  std::chrono::milliseconds head_timeout{10'000};
  std::chrono::milliseconds idle_timeout{60'000};
  std::chrono::milliseconds answer_timeout{120'000};  // above the longest poll; past it the answer is 503
  std::uint64_t body_rate_min = 16u << 10;            // bytes per second, after one second of grace
  std::uint64_t inline_chunk_bytes_max = 64u
                                         << 10;  // chunks up to here are read whole before they are judged
  std::size_t slice_bytes = 256u << 10;
  std::uint64_t admission_bytes = 48u << 20;
  std::uint64_t preauth_bytes = 64u << 20;
  edge_rules edge;
};

class connection;

class server {
 public:
  // `requests` is shared with whoever shows it; without one the server keeps its own.
  server(const http_options& options, actors::door& entry, random_source& random,
         std::shared_ptr<request_log> requests = nullptr);

  const http_options& options() const { return options_; }
  actors::door& entry() { return entry_; }
  random_source& random() { return random_; }
  request_log& requests() { return *requests_; }
  forwarding_log& forwarding() { return forwarding_; }

  // The admission budget in three lanes, so that slow large bodies never make small ones wait.
  const std::shared_ptr<byte_budget>& small_bodies() const { return small_bodies_; }  // a quarter
  const std::shared_ptr<byte_budget>& large_bodies() const { return large_bodies_; }  // a quarter
  const std::shared_ptr<byte_budget>& uploads() const { return uploads_; }            // half
  // What bodies may take before their credential is proved: those of devices that are known, and those that
  // carry a token. Strangers that exhaust the second leave the first alone.
  const std::shared_ptr<byte_budget>& signed_bodies() const { return signed_bodies_; }
  const std::shared_ptr<byte_budget>& token_bodies() const { return token_bodies_; }

  // At the ceiling, the oldest connection that waits and has never proved a credential makes room: a crowd
  // of silent strangers must not keep a device out. False when there is none.
  bool enter(const std::shared_ptr<connection>& who);
  // One that is over the ceiling, while it takes its refusal; false when too many do.
  bool enter_refused(const std::shared_ptr<connection>& who);
  void leave(const std::shared_ptr<connection>& who);
  std::vector<std::shared_ptr<connection>> alive() const;
  std::size_t alive_count() const;
  // Waits until nobody is connected, at most that long; whether it is so.
  bool wait_empty(std::chrono::milliseconds at_most);

  // From now on every answer closes its connection.
  void set_stopping() { stopping_ = true; }
  bool stopping() const { return stopping_; }

 private:
  struct by_arrival {
    bool operator()(const std::shared_ptr<connection>& a, const std::shared_ptr<connection>& b) const;
  };

  const http_options options_;
  actors::door& entry_;
  random_source& random_;
  std::shared_ptr<request_log> requests_;
  forwarding_log forwarding_;
  std::shared_ptr<byte_budget> small_bodies_;
  std::shared_ptr<byte_budget> large_bodies_;
  std::shared_ptr<byte_budget> uploads_;
  std::shared_ptr<byte_budget> signed_bodies_;
  std::shared_ptr<byte_budget> token_bodies_;
  std::atomic<bool> stopping_{false};
  // Whom to cut so that one more fits; nothing when nobody may be. Holds the lock.
  std::shared_ptr<connection> oldest_expendable() const;

  mutable std::mutex mutex_;
  std::condition_variable emptied_;
  std::set<std::shared_ptr<connection>, by_arrival> alive_;
  std::unordered_set<std::shared_ptr<connection>> refused_;
};

}  // namespace obsync::http
