// A moment as a person writes it.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/result.hpp"

namespace obsync::client {

// Unix ms of an RFC 3339 time (`2026-11-30T18:00:00Z`, `…+01:00`, a fraction of a second allowed), or of
// `YYYY-MM-DD[ HH:MM]` in this machine's time zone, a date alone being its first minute. errc::invalid
// otherwise, also for a day that is in no calendar.
result<std::int64_t> parse_moment(std::string_view text);

}  // namespace obsync::client
