#include "client/watch/feed_poller.hpp"

#include <algorithm>
#include <chrono>

#include "client/remote/caller.hpp"
#include "wire/limits.hpp"

namespace obsync::client {

namespace {

// A server that does not honour `wait` must not be asked a thousand times a second.
constexpr std::int64_t empty_poll_ms_min = 1'000;

std::int64_t steady_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

bool is_hopeless(const remote_error& why) {
  using enum wire::refusal;
  return why.refusal == device_revoked || why.refusal == bad_signature || why.refusal == missing_auth ||
         why.refusal == device_pending;
}

feed_poller::feed_poller(remote& server, sleeper& pauses, random_source& random, events on)
    : server_(server), pauses_(pauses), random_(random), on_(std::move(on)) {}

feed_poller::~feed_poller() {
  stop();
  if (thread_.joinable()) thread_.join();
}

void feed_poller::start(sequence cursor) {
  cursor_ = cursor;
  thread_ = std::thread([this] { run(); });
}

void feed_poller::round_done(sequence cursor) {
  const std::lock_guard lock(mutex_);
  ++rounds_;
  cursor_ = cursor;
  changed_.notify_all();
}

void feed_poller::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

bool feed_poller::wait_for_round() {
  std::unique_lock lock(mutex_);
  const std::uint64_t seen = rounds_;
  on_.news();
  changed_.wait(lock, [&] { return stopped_ || rounds_ != seen; });
  return !stopped_;
}

void feed_poller::run() {
  int failures = 0;
  sequence quiet_until = 0;  // frames of the feed that hold no version
  for (;;) {
    sequence since = 0;
    {
      const std::lock_guard lock(mutex_);
      if (stopped_) return;
      since = std::max(cursor_, quiet_until);
    }
    const std::int64_t began = steady_ms();
    // After a failure the first poll must not wait: only its answer tells that the server is back.
    const bool probe = failures > 0;
    const auto page = server_.changes(since, probe ? 0 : wire::poll_wait_s_max, 1);
    if (page && page->changes.empty()) {
      failures = 0;
      const bool hasty = !probe && page->seq <= since && steady_ms() - began < empty_poll_ms_min;
      quiet_until = std::max(quiet_until, page->seq);
      if (hasty && !pauses_.sleep_ms(empty_poll_ms_min)) return;
      continue;
    }
    const bool went_back = !page && page.error().refusal == wire::refusal::seq_ahead;
    if (page || went_back) {
      failures = 0;
      quiet_until = 0;
      if (!wait_for_round()) return;
      continue;
    }
    if (page.error().what == remote_error::kind::stopped) return;
    if (is_hopeless(page.error())) {
      on_.hopeless(page.error());
      return;
    }
    ++failures;
    if (!pauses_.sleep_ms(pause_ms({}, failures, random_))) return;
  }
}

}  // namespace obsync::client
