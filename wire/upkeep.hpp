// What the server's paced jobs did last, as the dashboard and the operator read it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wire/failure.hpp"

namespace obsync::wire {

// The answer to whoever asks for a run.
inline constexpr const char* queued_text = R"({"queued":true})";

struct collection_summary {
  std::int64_t ts_ms = 0;  // when it began
  std::int64_t duration_ms = 0;
  std::int64_t chunks_collected = 0;
  std::int64_t bytes_collected = 0;
  std::int64_t chunks_retained = 0;

  bool operator==(const collection_summary&) const = default;
};

struct collection_view {
  bool running = false;
  std::optional<collection_summary> last = {};
};

struct scrub_summary {
  std::int64_t ts_ms = 0;  // when the pass began
  std::int64_t duration_ms = 0;
  std::int64_t chunks_verified = 0;
  std::int64_t bytes_verified = 0;
  std::int64_t mismatches = 0;   // copies that were wrong or missing
  std::int64_t quarantined = 0;  // chunks no copy of which was right
  bool complete_pass = false;

  bool operator==(const scrub_summary&) const = default;
};

struct mirror_health {
  std::string label;
  std::string state;  // whole, behind or returning
};

struct scrub_view {
  bool running = false;  // a pass is under way, if only resting
  std::optional<scrub_summary> last = {};
  std::vector<mirror_health> mirrors = {};
};

std::string to_json(const scrub_summary& value);
std::string to_json(const scrub_view& value);
template <>
outcome<scrub_summary> from_json(std::string_view text);
template <>
outcome<scrub_view> from_json(std::string_view text);
std::string to_json(const collection_summary& value);
// {"state":"idle|running","last":…}
std::string to_json(const collection_view& value);
template <>
outcome<collection_summary> from_json(std::string_view text);
template <>
outcome<collection_view> from_json(std::string_view text);

}  // namespace obsync::wire
