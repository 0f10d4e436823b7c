// A file that says: the last process ended in order, so the replay horizons on disk are exact. Taken away,
// durably, before the next process accepts anything.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/disk.hpp"
#include "core/result.hpp"

namespace obsync::store {

// Leaves the mark in `<folder>/clean-stop` with the time of the stop, Unix milliseconds.
status leave_clean_mark(disk& on, const std::string& folder, std::int64_t now_ms);

// Removes the mark and returns its time; nothing when there was none, which means a crash.
result<std::optional<std::int64_t>> take_clean_mark(disk& on, const std::string& folder);

}  // namespace obsync::store
