#include "app/machine_findings.hpp"

#include <sys/resource.h>
#include <sys/timex.h>

#include <algorithm>

#include "app/operator_report.hpp"
#include "core/clock.hpp"
#include "wire/limits.hpp"

namespace obsync::app {

namespace {

using grade = finding::grade;

constexpr std::int64_t released_ms = 1'756'684'800'000;  // 2025-09-01: no honest clock shows less
// Besides a descriptor for each connection: databases, their logs, chunks being read and written.
constexpr std::int64_t own_descriptors = 128;

// The newest of what the store wrote, or 0.
std::int64_t last_written_ms(disk& on, const std::string& folder) {
  const auto entries = on.list(folder);
  if (!entries) return 0;
  std::int64_t out = 0;
  for (const disk_entry& one : *entries) {
    const auto written = on.modified_ms(folder + "/" + one.name);
    if (written) out = std::max(out, *written);
  }
  return out;
}

finding look_at_clock(disk& on, const config::settings& settings) {
  const std::int64_t now_ms = system_clock().now_ms();
  const std::string text = "it is " + time_text(now_ms) + " UTC";
  const std::string bound = std::to_string(wire::clock_skew_s_max / 60) + " minutes";
  if (now_ms < released_ms || now_ms + 60'000 < last_written_ms(on, settings.store.journal_dir + "/v1"))
    return {"clock", grade::wrong, text + ", which lies before what the store has written",
            "set the clock; devices that differ by more than " + bound + " are refused"};
  timex state{};
  if (::adjtimex(&state) == TIME_ERROR || (state.status & STA_UNSYNC) != 0)
    return {
        "clock", grade::warning, text + ", and nothing keeps the clock in step",
        "let NTP do it, for example `apt install systemd-timesyncd`; in a container that is the host's work. "
        "Devices that differ by more than " +
            bound + " are refused"};
  return {"clock", grade::good, text + ", kept in step"};
}

finding look_at_descriptors(const config::settings& settings) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0)
    return {"descriptors", grade::warning, "their limit is not known"};
  const std::int64_t wanted = settings.server.max_connections + own_descriptors;
  const auto allowed = limit.rlim_max == RLIM_INFINITY ? wanted : static_cast<std::int64_t>(limit.rlim_max);
  const std::string text =
      std::to_string(allowed) + " files may be open, " + std::to_string(wanted) + " are enough";
  if (allowed >= wanted) return {"descriptors", grade::good, text};
  return {"descriptors", grade::warning, text,
          "raise LimitNOFILE= of the service, or lower server.max_connections"};
}

}  // namespace

findings look_at_machine(disk& on, const config::settings& settings) {
  return {look_at_clock(on, settings), look_at_descriptors(settings)};
}

}  // namespace obsync::app
