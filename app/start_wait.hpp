// How long a start answers nothing but health. A captured request must not pass again, so until every honest
// clock is beyond the horizons on disk nobody is let in; see docs/adr/0003. Pure.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace obsync::app {

// After a crash, a horizon may lie this far ahead of what was answered.
inline constexpr std::int64_t crash_wait_ms = 3000;
// After a clean stop horizons are exact to the second: one second later every honest timestamp is beyond
// them.
inline constexpr std::int64_t clean_wait_ms = 1000;

// `clean_stop_ms`: when the last process stopped in order; nothing after a crash.
inline std::int64_t start_wait_ms(std::optional<std::int64_t> clean_stop_ms, std::int64_t now_ms) {
  if (!clean_stop_ms) return crash_wait_ms;
  return std::clamp<std::int64_t>(*clean_stop_ms + clean_wait_ms - now_ms, 0, clean_wait_ms);
}

}  // namespace obsync::app
