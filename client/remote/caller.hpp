// One call of the protocol: signs each attempt, repeats where repeating is safe, and turns whatever comes
// back into an answer or a remote_error. Knows no route.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "client/remote/remote.hpp"
#include "client/remote/sleeper.hpp"
#include "client/remote/transport.hpp"
#include "core/clock.hpp"
#include "core/random.hpp"
#include "crypto/secret.hpp"

namespace obsync::client {

// Who signs. Nothing: the call goes unsigned, as the public routes want it.
struct credential {
  device_id device;
  crypto::secret32 secret;
};

struct retry_policy {
  int attempts_max = 8;
  std::int64_t first_pause_ms = 1'000;
  std::int64_t pause_ms_max = 60'000;
};

// The pause after failed attempt number `attempt` (1, 2, ...): doubling, half of it random, so that devices
// that lost a server together do not come back together.
std::int64_t pause_ms(const retry_policy& policy, int attempt, random_source& random);

struct call {
  std::string method;
  std::string target;
  byte_view body = {};
  std::string content_type = {};  // of the body
  bool repeatable = true;         // may be sent again when nobody knows whether it was heard
  std::uint64_t answer_bytes_max = 4u << 20;
  std::uint64_t answer_bytes_expected = 0;  // lengthens the deadline
  std::int64_t wait_s = 0;                  // a long poll: answered this much later, and never repeated here
  std::optional<std::string> signed_hash = {};  // instead of the body's, for chunk uploads
};

struct call_failure {
  remote_error reason;
  bool answer_too_large = false;  // asking for less may help
  std::string body = {};          // of a refusal, for the members some refusals carry
};

using call_result = result<http_answer, call_failure>;

// Told when the server stops being reachable, with the reason, and when it is back. From the thread that
// found out; must be quick.
using link_listener = std::function<void(bool reachable, const std::string& reason)>;

// Any thread. The references must outlive the object.
class caller {
 public:
  caller(transport& wire, clock& time, random_source& random, sleeper& pauses, retry_policy policy,
         std::optional<credential> who);

  // The answer has a 2xx status. Its content is the route's to judge.
  call_result perform(const call& what);

  // Exchanges that ended without an answer so far: since one, another server may have taken this one's place.
  std::uint64_t unanswered() const { return unanswered_; }
  void on_link_change(link_listener listener);
  std::uint64_t bytes_sent() const { return bytes_sent_; }
  std::uint64_t bytes_received() const { return bytes_received_; }

 private:
  http_request signed_request(const call& what, const std::string& hash);
  // The verdict on one attempt: done, or failed for good, or worth repeating (then `again_ms` is set, 0 for
  // at once).
  struct verdict {
    std::optional<call_result> final = {};
    std::optional<call_failure> last = {};
    std::int64_t pause_ms_min = 0;
    bool free = false;  // does not count as an attempt
  };
  verdict judge(exchange_result outcome);
  verdict judge_failure(const exchange_failure& failed);
  verdict judge_refusal(http_answer answer);
  void tell_link(bool reachable, const std::string& reason);

  transport& wire_;
  clock& time_;
  random_source& random_;
  sleeper& pauses_;
  const retry_policy policy_;
  const std::optional<credential> who_;
  std::atomic<std::uint64_t> bytes_sent_{0};
  std::atomic<std::uint64_t> bytes_received_{0};
  std::atomic<std::uint64_t> unanswered_{0};
  std::mutex link_mutex_;
  bool reachable_ = true;
  link_listener listener_;
};

}  // namespace obsync::client
