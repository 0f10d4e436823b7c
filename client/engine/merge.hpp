// One file, three views: what it should be once everybody is up to date. Names are judged here file by file;
// two files that want one name are client/engine/place.hpp's matter.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "client/engine/views.hpp"

namespace obsync::client {

// What the server holds of a file: its pending heads, or else the agreed version.
struct server_state {
  bool alive = false;
  std::string_view path;
  content_id content;
  version_id version;
  std::int64_t ts_ms = 0;
};

struct wanted {
  const base_item* base = nullptr;
  const local_item* local = nullptr;
  const remote_file* remote = nullptr;
  const remote_head* head = nullptr;  // the head that wins, of `remote`

  bool alive = false;
  std::string path;
  bool from_server = false;  // whose content it has: the server's, or the local file's
  // The local text is in no version and the server's takes its place: it is kept under another name.
  bool keep_local = false;
  std::string local_copy = {};  // that name, given by place_all
  bool unseen = false;          // the local side was not looked at
  std::string hold = {};        // a reason to leave everything as it is
  bool waits = false;
  std::optional<file_id> keeper = {};  // with !alive: the file this one was a double of

  std::optional<file_id> id() const {
    if (base != nullptr) return base->id;
    if (remote != nullptr) return remote->id;
    return std::nullopt;
  }
  item_kind kind() const {
    if (local != nullptr) return local->kind;
    return base != nullptr ? base->kind : head != nullptr ? head->kind : item_kind::file;
  }
  server_state server() const;
  std::vector<version_id> parents() const;
  bool forked() const { return remote != nullptr && remote->heads.size() > 1; }
};

// The head every device chooses: a living one before a deletion, then the one the server had first.
const remote_head* winning_head(const remote_file& file);

// `where` is found exactly when `local` is given. For folders and files alike; a folder that others need as a
// parent is revived by the plan.
wanted merge_item(const base_item* base, const local_item* local, bool local_unknown,
                  const remote_file* remote);

}  // namespace obsync::client
