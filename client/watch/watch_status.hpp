// What a running watch says about itself, for `obsync status` in another process.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/ids.hpp"
#include "core/result.hpp"

namespace obsync::client {

// `state` is one of: starting, syncing, up_to_date, waiting (something is held, failed or still settling),
// offline, root_missing, stopped. `reason_code` is a stable word for scripts, empty when all is well.
struct watch_status {
  std::string state = "starting";
  std::string reason_code = {};
  std::string reason = {};  // for a person
  std::uint64_t pending = 0;
  std::uint64_t held = 0;
  std::uint64_t failed = 0;
  std::uint64_t bytes_sent = 0;      // since the watch began
  std::uint64_t bytes_received = 0;  // since the watch began
  std::uint64_t tracked_files = 0;
  std::uint64_t tracked_folders = 0;
  sequence cursor = 0;
  std::int64_t updated_ms = 0;
  bool operator==(const watch_status&) const = default;
};

std::string to_text(const watch_status& value);
// errc::corrupt for anything to_text does not produce.
result<watch_status> parse_watch_status(std::string_view text);

}  // namespace obsync::client
