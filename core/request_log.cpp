#include "core/request_log.hpp"

#include <utility>

namespace obsync {

namespace {

void tell(const std::vector<repeat_total>& totals) {
  for (const repeat_total& total : totals) {
    const repeat_key& key = total.key;
    log::line line(log::level::warn, "request_repeated");
    line.add("of", key.event.empty() ? "others" : key.event);
    if (!key.path_class.empty()) line.add("path_class", key.path_class);
    if (key.status != 0) line.add("status", key.status);
    if (!key.decision.empty()) line.add("decision", key.decision);
    line.add("count", total.count).add("window_ms", total.window_ms);
  }
}

void write(const request_line& of, log::level severity) {
  log::line(severity, "request")
      .add("method", of.method)
      .add("path_class", of.path_class)
      .add("device", of.device.empty() ? "-" : of.device.substr(0, 8))
      .add("status", of.status)
      .add("bytes", of.bytes)
      .add("duration_ms", of.duration_ms)
      .add("decision", of.decision);
}

bool may_see(const request_log_view& view, const request_line& line) {
  const bool visible = line.account ? line.account == view.account : view.shows_nobodys;
  return visible && line.device.starts_with(view.device_prefix);
}

}  // namespace

request_log::request_log(std::shared_ptr<const clock> time, const request_log_limits& limits)
    : time_(std::move(time)), limits_(limits), repeats_(limits.repeats) {}

request_log::~request_log() {
  tell(repeats_.take_all());
}

void request_log::add(request_line line, log::level severity) {
  bool written = true;
  std::vector<repeat_total> due;
  {
    const std::lock_guard lock(mutex_);
    line.ts_ms = time_->now_ms();
    due = repeats_.take_due(line.ts_ms);
    if (!line.proved)
      written = repeats_.admit({"request", line.decision, line.path_class, line.status}, line.ts_ms);
    if (written) keep(line);
  }
  tell(due);
  if (written) write(line, severity);
}

void request_log::note(log::level severity, std::string_view event, std::string_view decision,
                       int http_status) {
  bool written = false;
  std::vector<repeat_total> due;
  {
    const std::lock_guard lock(mutex_);
    const std::int64_t now_ms = time_->now_ms();
    due = repeats_.take_due(now_ms);
    written = repeats_.admit({std::string(event), std::string(decision), {}, http_status}, now_ms);
  }
  tell(due);
  if (!written) return;
  log::line line(severity, event);
  line.add("decision", decision);
  if (http_status != 0) line.add("status", http_status);
}

bool request_log::close_windows() {
  std::vector<repeat_total> due;
  bool waiting = false;
  {
    const std::lock_guard lock(mutex_);
    due = repeats_.take_due(time_->now_ms());
    waiting = repeats_.pending();
  }
  tell(due);
  return waiting;
}

// Called with the mutex held.
void request_log::keep(const request_line& line) {
  ring& into = line.proved ? proved_ : others_;
  into.push_back({next_number_++, line});
  if (into.size() > (line.proved ? limits_.proved_lines_max : limits_.other_lines_max)) into.pop_front();
}

std::vector<request_line> request_log::newest(const request_log_view& view) const {
  const std::lock_guard lock(mutex_);
  std::vector<request_line> out;
  auto one = proved_.rbegin();
  auto other = others_.rbegin();
  while (out.size() < view.lines_max && (one != proved_.rend() || other != others_.rend())) {
    const bool take_one = other == others_.rend() || (one != proved_.rend() && one->number > other->number);
    const request_line& line = take_one ? (one++)->line : (other++)->line;
    if (may_see(view, line)) out.push_back(line);
  }
  return out;
}

}  // namespace obsync
