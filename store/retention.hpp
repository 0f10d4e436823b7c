// Which versions of a file stay: the newest few, the young, and every head. A file that was deleted long ago,
// by everybody who had it, goes whole once every device may know: whoever was away since before would keep
// the file for ever. Pure: rows in, decision out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.hpp"

namespace obsync::store {

// A version stays while any of the three says so.
struct retention_rule {
  std::int64_t days = 30;      // younger than this by the server's clock at arrival
  std::int64_t versions = 10;  // among so many of the file's newest by arrival

  bool operator==(const retention_rule&) const = default;

  // What arrived before it is no longer young.
  std::int64_t cutoff_ms(std::int64_t now_ms) const { return now_ms - days * 86'400'000; }
};

struct kept_version {
  sequence seq = 0;
  std::int64_t ts_ms = 0;
  bool deleted = false;
  bool is_head = false;
};

struct retention_verdict {
  bool whole_file = false;              // all of it goes, the file's own row included
  bool waits = false;                   // all but its tombstone goes: some device was away since before
  std::vector<sequence> versions = {};  // what goes, oldest first
};

// `newest_first`: every version of one file, by falling sequence number. `heard_ms`: what was committed
// before it every device had the chance to hear.
retention_verdict judge(std::span<const kept_version> newest_first, const retention_rule& rule,
                        std::int64_t now_ms, std::int64_t heard_ms);

}  // namespace obsync::store
