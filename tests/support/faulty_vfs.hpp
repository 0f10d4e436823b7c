// Stands between SQLite and the machine's files while it lives: counts what the library does, fails operation
// n, and remembers what was flushed, so that a test can look at the files a power cut would have left.
//
// The fault model: a failed write has written half of its bytes; a failed sync has flushed nothing. Files are
// durable as of their last successful sync, and as a whole: an unsynced write never survives a cut in part.
// Names are durable at once. Syncs are remembered, not passed on: the machine's own disk has no part in the
// model. Only one object may live at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace obsync::test {

enum class vfs_fault {
  no_space,      // SQLITE_FULL from a write, SQLITE_IOERR from a truncation or sync
  full,          // SQLITE_FULL from a write; truncations and syncs go through
  input_output,  // SQLITE_IOERR from each
  flush,         // SQLITE_IOERR from a sync; writes and truncations go through
};

class faulty_vfs {
 public:
  faulty_vfs();
  faulty_vfs(const faulty_vfs&) = delete;
  faulty_vfs& operator=(const faulty_vfs&) = delete;
  ~faulty_vfs();

  // The write, truncation or sync number `n`, counted from 0 from now on, fails, and so does every later one.
  void fail_from(std::uint64_t n, vfs_fault kind);
  // Only that one.
  void fail_once_at(std::uint64_t n, vfs_fault kind);
  void heal();
  bool fault_was_reached() const;

  std::uint64_t sync_count() const;  // successful ones since the object was made

  // Writes into `to` the files of `from` as a power cut at this moment would leave them.
  void copy_durable(const std::string& from, const std::string& to) const;

  struct state;

 private:
  std::unique_ptr<state> state_;
};

// One operation fails, or it and everything after it.
struct fault_plan {
  vfs_fault kind;
  bool once;
};

inline void arm(faulty_vfs& files, std::uint64_t n, fault_plan plan) {
  if (plan.once) {
    files.fail_once_at(n, plan.kind);
  } else {
    files.fail_from(n, plan.kind);
  }
}

}  // namespace obsync::test
