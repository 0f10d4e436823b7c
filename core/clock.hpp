// Wall time as a dependency, so that tests decide what time it is. Relative time belongs to the event loops.
#pragma once

#include <cstdint>

namespace obsync {

class clock {
 public:
  virtual ~clock() = default;
  // Unix milliseconds. May jump when an operator sets the clock. Any thread.
  virtual std::int64_t now_ms() const = 0;
  std::int64_t now_s() const { return now_ms() / 1000; }
};

// The machine's clock.
class system_clock final : public clock {
 public:
  std::int64_t now_ms() const override;
};

// A clock that moves when told to. Not for use from several threads at once.
class manual_clock final : public clock {
 public:
  explicit manual_clock(std::int64_t now_ms) : now_ms_(now_ms) {}
  std::int64_t now_ms() const override { return now_ms_; }
  void set_ms(std::int64_t now_ms) { now_ms_ = now_ms; }
  void advance_ms(std::int64_t by_ms) { now_ms_ += by_ms; }

 private:
  std::int64_t now_ms_;
};

}  // namespace obsync
