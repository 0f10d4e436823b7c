#include "client/remote/caller.hpp"

#include <algorithm>

#include "client/version.hpp"
#include "crypto/digest.hpp"
#include "wire/signing.hpp"

namespace obsync::client {

namespace {

constexpr std::int64_t attempt_ms = 30'000;
constexpr std::int64_t poll_grace_ms = 15'000;
constexpr std::uint64_t bytes_per_ms_min = 16;  // the slowest link we wait for

remote_error error_of(remote_error::kind what, std::string detail) {
  remote_error out{what};
  out.detail = std::move(detail);
  return out;
}

std::int64_t deadline_ms(const call& what) {
  const auto moved =
      static_cast<std::int64_t>((what.body.size() + what.answer_bytes_expected) / bytes_per_ms_min);
  return moved + (what.wait_s > 0 ? what.wait_s * 1000 + poll_grace_ms : attempt_ms);
}

// Faults that pass by themselves. A faulted journal or nonce log needs the operator.
bool passes_by_itself(wire::refusal code) {
  using enum wire::refusal;
  if (code == journal_faulted || code == nonce_log_faulted) return false;
  const int status = wire::status_of(code);
  return status == 500 || status == 503;
}

// What proxies and overloaded servers say without an obsync body.
bool passes_by_itself(int status) {
  return status == 408 || status == 429 || (status >= 500 && status <= 504);
}

std::string describe(const wire::refusal_answer& said) {
  if (said.code == wire::refusal::stale_timestamp) {
    return "this machine's clock and the server's differ by more than five minutes; set the wrong one right";
  }
  // A word from a later server would otherwise be lost.
  return said.code ? said.detail : said.word + ": " + said.detail;
}

std::string foreign(int status) {
  std::string text = "this is not an obsync server (it answered with status " + std::to_string(status) + ")";
  if (status == 413)
    text = "a proxy before the server refuses bodies of this size (status 413): raise its limit";
  return text;
}

}  // namespace

std::int64_t pause_ms(const retry_policy& policy, int attempt, random_source& random) {
  std::int64_t full = policy.first_pause_ms;
  for (int i = 1; i < attempt && full < policy.pause_ms_max; ++i) full *= 2;
  full = std::min(full, policy.pause_ms_max);
  std::array<std::uint8_t, 4> raw{};
  random.fill(raw);
  const std::int64_t draw = raw[0] | raw[1] << 8 | raw[2] << 16 | std::int64_t{raw[3]} << 24;
  return full / 2 + draw % (full / 2 + 1);
}

caller::caller(transport& wire, clock& time, random_source& random, sleeper& pauses, retry_policy policy,
               std::optional<credential> who)
    : wire_(wire), time_(time), random_(random), pauses_(pauses), policy_(policy), who_(std::move(who)) {}

http_request caller::signed_request(const call& what, const std::string& hash) {
  http_request request;
  request.method = what.method;
  request.target = what.target;
  request.body = what.body;
  request.fresh_connection = !what.repeatable;
  request.headers.emplace_back("User-Agent", "obsync/" + std::string(version));
  if (!what.content_type.empty()) request.headers.emplace_back("Content-Type", what.content_type);
  if (!who_) return request;

  const std::string timestamp = std::to_string(time_.now_s());
  const std::string nonce = random_id<request_nonce>(random_).hex();
  const crypto::hmac_key key(who_->secret.view());
  const digest signature = wire::sign(key, {what.method, what.target, timestamp, nonce, hash});
  request.headers.emplace_back(wire::header_device, who_->device.hex());
  request.headers.emplace_back(wire::header_timestamp, timestamp);
  request.headers.emplace_back(wire::header_nonce, nonce);
  request.headers.emplace_back(wire::header_signature, signature.hex());
  return request;
}

call_result caller::perform(const call& what) {
  const std::string hash = what.signed_hash ? *what.signed_hash : crypto::sha256(what.body).hex();
  const exchange_limits limits{what.answer_bytes_max, deadline_ms(what)};
  const int attempts = what.repeatable && what.wait_s == 0 ? policy_.attempts_max : 1;
  bool had_stale = false;
  for (int attempt = 1;;) {
    bytes_sent_ += what.body.size();
    verdict judged = judge(wire_.exchange(signed_request(what, hash), limits));
    if (judged.final) return *std::move(judged.final);
    if (judged.free && !had_stale && what.repeatable) {
      had_stale = true;
      continue;
    }
    if (attempt >= attempts) return *std::move(judged.last);
    const std::int64_t pause =
        std::max(pause_ms(policy_, attempt, random_), std::min(judged.pause_ms_min, policy_.pause_ms_max));
    ++attempt;
    if (!pauses_.sleep_ms(pause)) return call_failure{error_of(remote_error::kind::stopped, "stopped")};
  }
}

caller::verdict caller::judge(exchange_result outcome) {
  if (!outcome) {
    ++unanswered_;
    return judge_failure(outcome.error());
  }
  bytes_received_ += outcome->body.size();
  if (outcome->status >= 200 && outcome->status < 300) {
    tell_link(true, {});
    return {call_result(*std::move(outcome))};
  }
  return judge_refusal(*std::move(outcome));
}

caller::verdict caller::judge_failure(const exchange_failure& failed) {
  using kind = exchange_failure::kind;
  const auto for_good = [&](remote_error::kind what, bool too_large = false) {
    return verdict{call_result(call_failure{error_of(what, failed.detail), too_large})};
  };
  switch (failed.what) {
    case kind::stopped:
      return for_good(remote_error::kind::stopped);
    case kind::too_large:
      return for_good(remote_error::kind::malformed, true);
    case kind::not_http:
      return for_good(remote_error::kind::not_obsync);
    case kind::untrusted:
      tell_link(false, failed.detail);
      return for_good(remote_error::kind::unreachable);
    case kind::stale:
      return {{}, call_failure{error_of(remote_error::kind::unreachable, failed.detail)}, 0, true};
    case kind::no_connection:
    case kind::broken:
    case kind::timed_out:
      break;
  }
  tell_link(false, failed.detail);
  return {{}, call_failure{error_of(remote_error::kind::unreachable, failed.detail)}};
}

caller::verdict caller::judge_refusal(http_answer answer) {
  const std::string body(as_text(answer.body));
  const std::int64_t asked_ms = answer.retry_after_s.value_or(0) * 1000;
  if (const auto said = wire::parse_refusal_answer(body)) {
    tell_link(true, {});
    remote_error reason{remote_error::kind::refused};
    reason.refusal = said->code;
    reason.detail = describe(*said);
    if (said->code == wire::refusal::missing_chunks) reason.missing = wire::missing_of(body);
    call_failure failed{std::move(reason), false, body};
    const bool passes = said->code ? passes_by_itself(*said->code) : passes_by_itself(answer.status);
    if (passes) return {{}, std::move(failed), asked_ms};
    return {call_result(std::move(failed))};
  }
  if (passes_by_itself(answer.status)) {
    const std::string detail =
        "the server is busy, or a proxy cannot reach it (status " + std::to_string(answer.status) + ")";
    tell_link(false, detail);
    return {{}, call_failure{error_of(remote_error::kind::unreachable, detail)}, asked_ms};
  }
  return {call_result(call_failure{error_of(remote_error::kind::not_obsync, foreign(answer.status))})};
}

void caller::on_link_change(link_listener listener) {
  const std::lock_guard lock(link_mutex_);
  listener_ = std::move(listener);
}

void caller::tell_link(bool reachable, const std::string& reason) {
  const std::lock_guard lock(link_mutex_);
  if (reachable == reachable_) return;
  reachable_ = reachable;
  if (listener_) listener_(reachable, reason);
}

}  // namespace obsync::client
