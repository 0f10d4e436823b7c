// The long polls of one device that wait for news, each until its own deadline. Plain data: the session
// decides what happens to a poll that leaves. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "actors/ports.hpp"
#include "core/ids.hpp"

namespace obsync::actors {

class parked_polls {
 public:
  bool empty() const { return polls_.empty(); }

  // Parks a poll; when more than `most` are parked, the oldest comes back out, otherwise nothing.
  call_ptr park(call_ptr call, sequence since, std::int64_t deadline_ms, std::size_t most);
  // Those that have not seen `head` yet.
  std::vector<call_ptr> take_before(sequence head);
  // Those whose time is up, and those whose peer hung up (which need no answer, but must go).
  std::vector<call_ptr> take_due(std::int64_t now_ms);
  std::vector<call_ptr> take_all();

  // How long to the next deadline, when no timer runs that ends in time for it; marks one as running.
  std::optional<std::int64_t> delay_to_arm(std::int64_t now_ms);
  void disarm() { armed_until_ms_ = {}; }

 private:
  struct poll {
    call_ptr call;
    sequence since = 0;
    std::int64_t deadline_ms = 0;
  };
  template <class Leaves>
  std::vector<call_ptr> take_if(Leaves leaves);

  std::vector<poll> polls_;  // oldest first
  std::optional<std::int64_t> armed_until_ms_ = {};
};

}  // namespace obsync::actors
