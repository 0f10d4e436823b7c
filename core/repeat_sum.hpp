// Which of many equal log lines are worth writing: the first few of a window are, the rest become one total.
// Plain data; time comes in with every call, in Unix milliseconds. One thread at a time.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace obsync {

// What makes two lines equal. No member may come from outside as it is, or a stranger could make any number
// of different ones.
struct repeat_key {
  std::string event;
  std::string decision;
  std::string path_class;
  int status = 0;
  auto operator<=>(const repeat_key&) const = default;
};

struct repeat_total {
  repeat_key key;
  std::int64_t count = 0;      // of lines left out
  std::int64_t window_ms = 0;  // the stretch of time they fell into
};

struct repeat_limits {
  std::int64_t window_ms = 10'000;
  std::int64_t lines_per_window = 10;
  std::size_t keys_max = 256;  // past it further keys share one, with an empty event
};

class repeat_sum {
 public:
  explicit repeat_sum(const repeat_limits& limits = {}) : limits_(limits) {}

  // Whether the line is to be written; otherwise it is counted.
  bool admit(const repeat_key& key, std::int64_t now_ms);
  // The totals of windows that are over; those windows are forgotten. A clock set back ends every window.
  std::vector<repeat_total> take_due(std::int64_t now_ms);
  // The totals of all windows, over or not.
  std::vector<repeat_total> take_all();
  // Whether something counted still waits to be told.
  bool pending() const { return left_out_ > 0; }

 private:
  struct window {
    std::int64_t begun_ms = 0;
    std::int64_t written = 0;
    std::int64_t left_out = 0;
  };

  bool is_over(const window& one, std::int64_t now_ms) const;
  void close(const repeat_key& key, const window& one, std::vector<repeat_total>& out);

  repeat_limits limits_;
  std::map<repeat_key, window> windows_;
  std::int64_t left_out_ = 0;
};

}  // namespace obsync
