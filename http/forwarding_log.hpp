// Tells the operator about odd forwarding headers, each oddity at most once a minute with how often it came:
// a peer may send them at any rate. Any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>

#include "http/client_address.hpp"

namespace obsync::http {

class forwarding_log {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  void note(const client_address& found, time_point now);

 private:
  struct counter {
    std::uint64_t unsaid = 0;
    std::optional<time_point> said = {};
  };
  // How often it came since it was last said, this time included; 0 when it is not to be said now.
  std::uint64_t count(counter& which, time_point now);

  std::mutex mutex_;
  counter ignored_;
  counter joined_;
  counter disagree_;
};

}  // namespace obsync::http
