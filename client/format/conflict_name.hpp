// What the copy of a losing side is called, so that a person understands it and every device says the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace obsync::client {

// A device name as it may stand in a file name: no path or link characters, no runs of dots or white space,
// at most 40 UTF-16 units; "another device" when nothing is left.
std::string clean_device_name(std::string_view name);

struct conflict_mark {
  std::string device;        // as the device calls itself; cleaned here
  std::int64_t when_ms = 0;  // Unix milliseconds
  // Seconds east of UTC for a copy only this device makes. Nothing: the time is UTC and says so, which is the
  // form for copies that every device names alike.
  std::optional<std::int64_t> local_offset_s = {};
};

// `<stem> (conflict from <device>, YYYY-MM-DD HHmm[ UTC])[ number]<.ext>` in the folder of `path`; a number
// of 1 is not written. The stem is shortened where the name would exceed the 255 bytes a file name may have.
std::string conflict_path(std::string_view path, const conflict_mark& mark, int number = 1);

}  // namespace obsync::client
