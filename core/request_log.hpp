// The request log: every answered request becomes a line on standard error and an entry of one of two rings
// in memory, which the dashboard shows. Requests that proved a credential and those that did not have rings
// of their own, so that noise from strangers cannot push out what a person needs; and repeats of strangers'
// lines are summed, so that a flood leaves a small log. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.hpp"
#include "core/ids.hpp"
#include "core/log.hpp"
#include "core/repeat_sum.hpp"

namespace obsync {

struct request_line {
  std::int64_t ts_ms = 0;
  std::string method;
  std::string path_class;  // the route's template, never the path
  std::string device;      // hex; the first eight digits when nothing was proved, empty when none was named
  int status = 0;
  std::int64_t bytes = 0;
  std::int64_t duration_ms = 0;
  std::string decision;
  bool proved = false;                     // a credential was
  std::optional<account_id> account = {};  // whose; nothing also while a setup token has no account yet
};

struct request_log_limits {
  std::size_t proved_lines_max = 1000;
  std::size_t other_lines_max = 200;
  repeat_limits repeats = {};
};

// Whose lines a reader may see.
struct request_log_view {
  std::optional<account_id> account = {};  // lines of its credentials
  bool shows_nobodys = false;              // and those that belong to no account
  std::string device_prefix = {};
  std::size_t lines_max = 100;
};

class request_log {
 public:
  explicit request_log(std::shared_ptr<const clock> time, const request_log_limits& limits = {});
  request_log(const request_log&) = delete;
  request_log& operator=(const request_log&) = delete;
  // Tells what was summed and not told yet.
  ~request_log();

  // Stamps the line with the time.
  void add(request_line line, log::level severity);
  // Some other event that strangers can cause at will. `http_status` 0: there was none.
  void note(log::level severity, std::string_view event, std::string_view decision, int http_status = 0);
  // Tells the sums whose window is over; whether others still wait. Called now and then while there is
  // traffic, so that no timer wakes an idle server.
  bool close_windows();

  // Newest first.
  std::vector<request_line> newest(const request_log_view& view) const;

 private:
  struct entry {
    std::uint64_t number;  // the order over both rings, which time alone does not give
    request_line line;
  };
  using ring = std::deque<entry>;

  void keep(const request_line& line);

  const std::shared_ptr<const clock> time_;
  const request_log_limits limits_;
  mutable std::mutex mutex_;
  ring proved_;
  ring others_;
  std::uint64_t next_number_ = 0;
  repeat_sum repeats_;
};

}  // namespace obsync
