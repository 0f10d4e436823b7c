// One folder kept in step with one vault: the object behind `obsync sync` and `obsync watch`.
//
// A round is: catch up with the server's feed, look at the folder (all of it, or the named paths), plan,
// carry the plan out, remember. Deletions are never published before the catch-up of the same round is
// complete. One thread calls round(); inside, transfers run on a few worker threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "client/remote/remote.hpp"
#include "core/clock.hpp"
#include "core/random.hpp"
#include "core/result.hpp"
#include "crypto/secret.hpp"

namespace obsync::client {

struct sync_options {
  std::string folder;       // absolute path of the synced folder
  std::string state_path;   // absolute path of this binding's state database, never inside the folder
  std::string device_name;  // used in the names of conflict copies
  int small_in_flight = 4;  // small files under way at once
  std::int64_t settle_ms =
      50;  // a file younger than this, or that moved while read, waits for the next round
};

// Called from worker threads, rarely enough to print: not more than a few times a second per kind.
class progress_sink {
 public:
  virtual ~progress_sink() = default;
  virtual void planned(std::uint64_t files, std::uint64_t bytes) = 0;
  virtual void moved(std::uint64_t bytes) = 0;
  virtual void finished_file(const std::string& path) = 0;
  virtual void note(const std::string& text) = 0;  // a line worth a person's eye, for example a conflict copy
};

// A file that is not up to date and why. `code` is a stable word for scripts, for example `no_permission`,
// `volume_full`, `still_changing`, `refused_name`, `held_delete`.
struct file_trouble {
  std::string path;
  std::string code;
  std::string reason;
};

struct round_report {
  bool up_to_date = false;                  // everything in scope is the same on both sides
  std::optional<remote_error> remote = {};  // the server's side ended the round early
  std::optional<error> local = {};          // the folder's side did, for example root_missing
  std::vector<file_trouble> troubles;
  std::uint64_t pushed = 0;
  std::uint64_t pulled = 0;
  std::uint64_t deleted_here = 0;
  std::uint64_t deleted_there = 0;
  std::uint64_t conflicts = 0;
  std::uint64_t mended = 0;   // files of which the server had lost chunks: sent again
  std::uint64_t pending = 0;  // changes seen and left for the next round (still settling)
};

struct round_scope {
  // Paths relative to the folder that changed since the last round, folders included; nothing: look at all.
  std::optional<std::set<std::string>> changed = {};
  // Also ask whether the server still has every chunk of this folder; a round a day does it unasked.
  bool verify = false;
};

struct sync_status {
  sequence cursor = 0;
  std::uint64_t tracked_files = 0;
  std::uint64_t tracked_folders = 0;
};

class vault_sync {
 public:
  virtual ~vault_sync() = default;
  virtual round_report round(const round_scope& scope, progress_sink& progress) = 0;
  // Position in the feed up to which everything is applied: what a long poll waits beyond.
  virtual sequence cursor() const = 0;
  virtual sync_status status() = 0;
  // Makes a running round return soon; from any thread.
  virtual void stop() = 0;
};

// errc::exists when the state belongs to another folder or another process holds it.
result<std::unique_ptr<vault_sync>> open_vault_sync(const sync_options& options,
                                                    const crypto::secret32& vault_root_key, remote& server,
                                                    clock& time, random_source& random);

}  // namespace obsync::client
