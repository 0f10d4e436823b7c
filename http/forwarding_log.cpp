#include "http/forwarding_log.hpp"

#include "core/log.hpp"

namespace obsync::http {

namespace {

constexpr std::chrono::minutes quiet_for{1};

void say(const char* event, const char* decision, std::uint64_t times) {
  if (times == 0) return;
  log::line line(log::level::warn, event);
  if (decision != nullptr) line.add("decision", decision);
  line.add("count", static_cast<std::int64_t>(times));
}

}  // namespace

std::uint64_t forwarding_log::count(counter& which, time_point now) {
  ++which.unsaid;
  if (which.said && now - *which.said < quiet_for) return 0;
  which.said = now;
  return std::exchange(which.unsaid, 0);
}

void forwarding_log::note(const client_address& found, time_point now) {
  if (!found.ignored && !found.joined && !found.disagree) return;
  std::uint64_t ignored = 0;
  std::uint64_t joined = 0;
  std::uint64_t disagree = 0;
  {
    const std::lock_guard lock(mutex_);
    if (found.ignored) ignored = count(ignored_, now);
    if (found.joined) joined = count(joined_, now);
    if (found.disagree) disagree = count(disagree_, now);
  }
  say("forwarded_headers", "ignored", ignored);
  say("forwarded_headers", "joined", joined);
  say("forwarded_headers_disagree", nullptr, disagree);
}

}  // namespace obsync::http
