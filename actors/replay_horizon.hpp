// The replay horizon of one device: a durable timestamp that no answered request has passed. Instead of a
// flush for every nonce, one commit every two seconds lets a restarted server tell requests it may have
// accepted before from new ones. Plain data, seconds of the device's own clock; one thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace obsync::actors {

class replay_horizon {
 public:
  // `floor_s`: what a former process may have accepted. `lead_s`: how far ahead of a timestamp to commit.
  replay_horizon(std::int64_t floor_s, std::int64_t durable_s, std::int64_t lead_s)
      : floor_s_(floor_s),
        durable_s_(std::max(durable_s, floor_s)),
        asked_s_(durable_s_),
        sent_s_(durable_s_),
        lead_s_(lead_s) {}

  bool may_be_replay(std::int64_t timestamp_s) const { return timestamp_s <= floor_s_; }
  // Whether a request may be answered as far as replay is concerned.
  bool covers(std::int64_t timestamp_s) const { return timestamp_s <= durable_s_; }
  // Whether a commit that is under way will cover it.
  bool will_cover(std::int64_t timestamp_s) const { return timestamp_s <= asked_s_; }

  void accept(std::int64_t timestamp_s) { last_accepted_s_ = std::max(last_accepted_s_, timestamp_s); }

  // 0 before the first.
  std::int64_t last_accepted() const { return last_accepted_s_; }

  // The horizon to commit for this timestamp now; call only when neither covers nor will_cover.
  std::int64_t ask(std::int64_t timestamp_s) {
    asked_s_ = timestamp_s + lead_s_;
    sent_s_ = std::max(sent_s_, asked_s_);
    return asked_s_;
  }

  // The horizon worth adding to a commit that goes out anyway, so that a busy device never waits for one of
  // its own; nothing while the present one still reaches far enough.
  std::optional<std::int64_t> ride_along(std::int64_t timestamp_s) {
    const std::int64_t wanted_s = timestamp_s + lead_s_;
    if (durable_s_ + lead_s_ / 2 >= wanted_s) return std::nullopt;
    sent_s_ = std::max(sent_s_, wanted_s);
    return wanted_s;
  }

  void landed(std::int64_t horizon_s) {
    durable_s_ = std::max(durable_s_, horizon_s);
    asked_s_ = std::max(asked_s_, durable_s_);
    sent_s_ = std::max(sent_s_, durable_s_);
  }
  // A commit asked for at `horizon_s` did not happen.
  void failed(std::int64_t horizon_s) {
    if (asked_s_ == horizon_s) asked_s_ = durable_s_;
  }

  // For a clean stop: the exact timestamp to store in place of the durable horizon, or of one that may still
  // be on its way there; nothing where that is exact.
  std::optional<std::int64_t> exact() const {
    if (last_accepted_s_ == 0 || last_accepted_s_ >= sent_s_) return std::nullopt;
    return std::max(last_accepted_s_, floor_s_);
  }

 private:
  std::int64_t floor_s_;
  std::int64_t durable_s_;
  std::int64_t asked_s_;
  std::int64_t sent_s_;  // the furthest of all that were given to a commit, whatever became of it
  std::int64_t lead_s_;
  std::int64_t last_accepted_s_ = 0;
};

}  // namespace obsync::actors
