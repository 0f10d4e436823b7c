#include "app/operator_report.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "core/size_text.hpp"

namespace obsync::app {

namespace {

constexpr std::size_t account_digits = 8;
constexpr std::size_t device_digits = 16;

using row = std::vector<std::string>;

std::string aligned(const std::vector<row>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const row& one : rows)
    for (std::size_t i = 0; i < one.size(); ++i) widths[i] = std::max(widths[i], one[i].size());
  std::string out;
  for (const row& one : rows) {
    for (std::size_t i = 0; i + 1 < one.size(); ++i)
      out += one[i] + std::string(widths[i] - one[i].size() + 2, ' ');
    out += one.back() + "\n";
  }
  return out;
}

std::string or_never(const std::optional<std::int64_t>& ms) {
  return ms ? time_text(*ms) : "never";
}

}  // namespace

std::string time_text(std::int64_t ms) {
  using namespace std::chrono;
  const sys_time<milliseconds> at{milliseconds(ms)};
  const auto day = floor<days>(at);
  const year_month_day date(day);
  const hh_mm_ss clock(floor<minutes>(at - day));
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u %02d:%02d", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()));
  return text;
}

std::string report(const wire::account_entries& value) {
  if (value.accounts.empty()) return "there is no account yet\n";
  std::vector<row> rows{{"ID", "NAME", "STATE", "USED", "QUOTA", "DEVICES", "CREATED"}};
  for (const wire::account_entry& one : value.accounts) {
    std::string state(name(one.state));
    if (one.delete_after_ms) state += ", data goes " + time_text(*one.delete_after_ms);
    rows.push_back({one.id.hex().substr(0, account_digits), one.name, state, size_text(one.used_bytes),
                    one.quota_bytes ? size_text(*one.quota_bytes) : "none", std::to_string(one.device_count),
                    time_text(one.created_ms)});
  }
  return aligned(rows);
}

std::string report(const wire::device_entries& value) {
  if (value.devices.empty()) return "there is no device\n";
  std::vector<row> rows{{"ID", "ACCOUNT", "NAME", "PLATFORM", "STATE", "ROLE", "LAST SEEN"}};
  for (const wire::device_entry& one : value.devices)
    rows.push_back({one.id.hex().substr(0, device_digits), one.account_name, one.card.name, one.card.platform,
                    std::string(wire::name(one.state)), one.read_only ? "ro" : "rw",
                    or_never(one.last_seen_ms)});
  return aligned(rows);
}

std::string report(const wire::audit_entries& value) {
  if (value.rows.empty()) return "nothing is recorded yet\n";
  std::vector<row> rows{{"WHEN (UTC)", "WHO", "ACCOUNT", "WHAT", "DETAIL"}};
  for (const wire::audit_entry& one : value.rows) {
    const std::string who = one.operator_uid ? "operator uid " + std::to_string(*one.operator_uid)
                            : one.device     ? "device " + one.device->hex().substr(0, device_digits)
                                             : "server";
    rows.push_back({time_text(one.ts_ms), who,
                    one.account ? one.account->hex().substr(0, account_digits) : "-", one.event, one.detail});
  }
  return aligned(rows);
}

std::string report(const wire::collection_view& value) {
  std::string out = value.running ? "running now\n" : "idle\n";
  if (!value.last) return out + "no collection was completed yet\n";
  const wire::collection_summary& last = *value.last;
  return out + "last: " + time_text(last.ts_ms) + " UTC, " + std::to_string(last.chunks_collected) +
         " chunks removed (" + rounded_size_text(last.bytes_collected) + "), " +
         std::to_string(last.chunks_retained) + " kept\n";
}

std::string report(const wire::scrub_view& value) {
  std::string out = value.running ? "a pass is under way\n" : "idle\n";
  for (const wire::mirror_health& one : value.mirrors) out += "mirror " + one.label + ": " + one.state + "\n";
  if (!value.last) return out + "no pass was completed yet\n";
  const wire::scrub_summary& last = *value.last;
  return out + "last: " + time_text(last.ts_ms) + " UTC, " + std::to_string(last.chunks_verified) +
         " chunks (" + rounded_size_text(last.bytes_verified) + ") looked at, " +
         std::to_string(last.mismatches) + " wrong copies, " + std::to_string(last.quarantined) +
         " chunks set aside\n";
}

}  // namespace obsync::app
