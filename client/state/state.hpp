// What one folder's client remembers between runs, in one SQLite file outside the folder: what was agreed,
// what the server holds beyond that, and how far its feed was read. One process at a time: opening takes an
// exclusive lock. Any thread; every call is a transaction of its own unless it is inside a batch.
//
// A power cut may lose the last commits but never half of one. That is safe: a base that is behind the truth
// is caught up by comparing contents, and the cursor moves in the same commit as what was read.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/engine/views.hpp"
#include "core/result.hpp"
#include "wire/manifest.hpp"

namespace obsync::client {

using chunk_list = std::vector<wire::manifest_chunk>;

// The content of a version as its manifest lists it; kept so that a rename need not read the file.
struct listed_content {
  chunk_list chunks = {};
  std::optional<digest> sha256 = {};  // of files of one chunk
};

struct base_record {
  base_item item;
  listed_content listed = {};
};

struct pending_head {
  remote_head head;
  listed_content listed = {};
};

// A file whose heads are not (only) the agreed version.
struct pending_file {
  file_id id;
  std::vector<version_id> heads;  // all of them, also those whose manifest is still to be fetched
  std::string refused = {};
  bool rewound = false;
};

struct state_counts {
  std::uint64_t files = 0;
  std::uint64_t folders = 0;
};

class sync_state {
 public:
  virtual ~sync_state() = default;

  // Small facts by name: "root", "domain", "vault". Nothing when never set.
  virtual result<std::optional<std::string>> fact(const std::string& name) = 0;
  virtual status set_fact(const std::string& name, const std::string& value) = 0;
  virtual result<sequence> cursor() = 0;
  virtual status set_cursor(sequence value) = 0;

  // All agreed items that live, all deleted folders, and the deleted files that have news pending.
  virtual result<std::vector<base_item>> base() = 0;
  // Every row, deleted files too.
  virtual result<std::vector<base_item>> whole_base() = 0;
  // Those of base() at these paths or below; "" is the top, which everything lies below.
  virtual result<std::vector<base_item>> base_at(const std::vector<std::string>& paths) = 0;
  virtual result<std::optional<base_record>> base_of(const file_id& id) = 0;
  virtual result<std::optional<std::string>> path_of_inode(std::uint64_t inode) = 0;
  virtual result<bool> is_path_known(const std::string& path) = 0;
  virtual status put_base(const base_record& record) = 0;
  // Changes all but the listed content.
  virtual status update_base(const base_item& item) = 0;
  virtual status forget_base(const file_id& id) = 0;
  virtual result<state_counts> counts() = 0;

  // The remote view. A file of whose heads some were not read is refused as unread_head.
  virtual result<std::vector<remote_file>> pending() = 0;
  virtual result<std::optional<pending_file>> pending_of(const file_id& id) = 0;
  virtual result<std::vector<pending_file>> pending_files() = 0;
  // Pending files, not refused, with heads that were not read yet.
  virtual result<std::vector<pending_file>> unread_files() = 0;
  virtual result<std::optional<pending_head>> head(const file_id& id, const version_id& version) = 0;
  // Sets the file's heads, forgetting read heads that are no longer among them.
  virtual status put_pending(const pending_file& file) = 0;
  virtual status put_head(const file_id& id, const pending_head& head) = 0;
  virtual status forget_pending(const file_id& id) = 0;
  virtual status forget_all_pending() = 0;

  // Between these all calls of all threads are one transaction. Not nested.
  virtual status begin() = 0;
  virtual status commit() = 0;
  virtual void roll_back() = 0;
};

// Makes the file (0600) when it is missing. errc::exists when another process holds it, errc::corrupt when it
// is not such a file, errc::unsupported when a newer version wrote it. `path` may be ":memory:" in tests.
result<std::unique_ptr<sync_state>> open_state(const std::string& path);

}  // namespace obsync::client
