// The three views the engine compares: what this device last agreed on with the server (base), what the
// folder holds now (local), and what the server holds beyond that (remote). Plain values, no behaviour with
// effects.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.hpp"

namespace obsync::client {

// Digest over the keyed hashes of a file's chunks: equal exactly when the contents are.
using content_id = id<struct content_tag, 32>;

enum class item_kind : std::uint8_t { file, folder };

// What the file system says about an item. Equal marks mean: not touched since. Times in nanoseconds since
// the epoch; `born_ns` is 0 where the file system does not tell.
struct file_mark {
  std::int64_t size = 0;
  std::int64_t mtime_ns = 0;
  std::int64_t ctime_ns = 0;
  std::int64_t born_ns = 0;
  std::uint64_t inode = 0;

  bool operator==(const file_mark&) const = default;
  // The same item, perhaps renamed or edited in place. Inodes are reused at once by some file systems, so
  // where there is no time of birth the content must look untouched as well.
  bool same_item(const file_mark& other) const {
    if (inode == 0 || inode != other.inode || born_ns != other.born_ns) return false;
    return born_ns != 0 || looks_untouched(other);
  }
  bool looks_untouched(const file_mark& other) const {
    return size == other.size && mtime_ns == other.mtime_ns;
  }
  // What to remember of the item that bore this mark when it has been renamed and bears `now`: a rename moves
  // the time of change, so `now`; but a save that came in between is no part of what was agreed, and only
  // this mark lets the next look find it.
  file_mark after_rename(const file_mark& now) const {
    const bool same = inode == now.inode && born_ns == now.born_ns && looks_untouched(now);
    return same ? now : *this;
  }
};

// One file or folder as agreed: `version` is on the server, with this path and content, and the local item
// that holds it bore this mark. `gone`: the agreed version is a tombstone.
struct base_item {
  file_id id;
  item_kind kind = item_kind::file;
  bool gone = false;
  std::string path;
  version_id version;
  std::int64_t ts_ms = 0;  // the server's time of `version`, or our own when the server has not told yet
  content_id content;
  file_mark mark;
};

struct local_item {
  item_kind kind = item_kind::file;
  std::string path;
  file_mark mark;
  std::optional<content_id> content = {};  // nothing: not computed, and not equal to anything
  bool settling = false;                   // touched a moment ago: wait
};

struct local_view {
  std::map<std::string, local_item, std::less<>> items;
  // Paths that exist but cannot be looked at or cannot be synced, with a trouble code. All below is unknown.
  std::map<std::string, std::string, std::less<>> blocked;
  // What the scan looked at, folders with all they hold; nothing: everything.
  std::optional<std::set<std::string, std::less<>>> scope = {};

  // Whether the absence of `path` from `items` means that it is not there.
  bool looked_at(std::string_view path) const;
};

// One head of a file that differs from what was agreed, its manifest read and checked.
struct remote_head {
  version_id id;
  item_kind kind = item_kind::file;
  bool deleted = false;
  std::string path;
  std::int64_t size = 0;
  std::int64_t mtime_ms = 0;
  content_id content;
  std::int64_t ts_ms = 0;
  device_id author;
};

// A file whose heads are not just the agreed version.
struct remote_file {
  file_id id;
  std::vector<remote_head> heads;
  std::string refused = {};  // a trouble code when a head cannot be read or may not be applied
  // The agreed version is no longer on the server: it was set back to an older state.
  bool rewound = false;
};

// The folder that holds `path`; empty for the top.
std::string_view parent_of(std::string_view path);
// Whether `path` lies below `folder` (not equal).
bool is_below(std::string_view path, std::string_view folder);

}  // namespace obsync::client
