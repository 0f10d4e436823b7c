// The dashboard: its session's cookies, and what its routes show.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/request_log.hpp"
#include "wire/account.hpp"
#include "wire/device.hpp"
#include "wire/upkeep.hpp"

namespace obsync::wire {

inline constexpr std::string_view cookie_session = "__Host-obsync_session";
inline constexpr std::string_view cookie_csrf = "__Host-obsync_csrf";
inline constexpr std::string_view header_csrf = "X-Obsync-Csrf";

inline constexpr std::int64_t dashboard_session_s_max = 43'200;
inline constexpr std::int64_t dashboard_session_idle_s_max = 3'600;
inline constexpr std::int64_t login_link_s_max = 300;
inline constexpr std::size_t login_link_chars_max = 2048;
inline constexpr std::size_t device_sightings_max = 64;
inline constexpr std::int64_t log_lines_max = 500;
inline constexpr std::int64_t log_lines_default = 100;
inline constexpr std::int64_t activity_versions_max = 1000;
inline constexpr std::size_t activity_hours = 24;

// The values of Set-Cookie headers.
std::string session_cookie(std::string_view token);
std::string csrf_cookie(std::string_view token);
std::string cleared_session_cookie();
std::string cleared_csrf_cookie();

struct login_link {
  std::string url;
  std::int64_t expires_s = 0;
};

enum class sighting_kind { sign_in, edit, heartbeat };
std::string_view name(sighting_kind value);

struct device_sighting {
  std::int64_t ts_ms = 0;  // whole seconds
  sighting_kind kind = sighting_kind::sign_in;
  std::optional<std::string> address = {};
  std::optional<std::string> country = {};
};

struct watched_device {
  device_info info;
  std::vector<device_sighting> history;  // newest first
};

struct watched_device_list {
  std::vector<watched_device> devices;
};

struct volume_view {
  std::string role;        // blobs, mirror or journal
  std::string path_class;  // the operator's word for it
  std::int64_t bytes_total = 0;
  std::int64_t bytes_used = 0;
  std::int64_t bytes_free = 0;
  std::int64_t watermark_bytes = 0;
  bool usage_unverified = false;
  std::string state = {};  // of a mirror that is not whole: behind or returning; written only then
};

struct hour_count {
  std::int64_t hour_ms = 0;  // when the hour begins
  std::int64_t count = 0;
};

struct dashboard_overview {
  std::optional<account_info> account = {};
  std::string edge;
  std::optional<std::string> public_url = {};
  std::vector<volume_view> volumes = {};
  std::int64_t versions = 0;
  std::int64_t files = 0;
  std::array<hour_count, activity_hours> activity = {};  // oldest first
  std::optional<collection_summary> last_collection = {};
  std::optional<scrub_summary> last_scrub = {};
  bool recovery = false;
};

struct quarantined_chunk {
  chunk_sid sid;
  std::int64_t ts_ms = 0;
};

struct dashboard_storage {
  std::vector<volume_view> volumes = {};
  std::int64_t retention_days = 0;
  std::int64_t retention_versions = 0;
  std::string watermark_spec;
  collection_view collection = {};
  scrub_view scrub = {};
  std::int64_t scrub_bytes_per_second = 0;
  std::vector<quarantined_chunk> quarantine = {};
};

std::string to_json(const login_link& value);
template <>
outcome<login_link> from_json(std::string_view text);
std::string to_json(const watched_device_list& value);
std::string to_json(const dashboard_overview& value);
std::string to_json(const dashboard_storage& value);
// {"lines":[…]}
std::string to_json(const std::vector<request_line>& lines);

}  // namespace obsync::wire
