// Who else on this machine could change or read the store: its folders and secrets, and what they lie in.
// Objects of our own with a wrong mode can be put right, through an open handle and read back; whatever else
// is wrong is for a person to decide. Looks at the real file system. Blocks; one thread at a time.
#pragma once

#include <string>
#include <vector>

#include "core/result.hpp"

namespace obsync::store {

struct posture_paths {
  std::string journal_dir;  // absolute, as configured; the layout lies in its `v1`
  std::string blobs_dir;
};

struct posture_finding {
  // journal_mount, blobs_mount, journal_root, blobs_root, server_key, setup_token
  std::string object;
  std::string path;
  enum class state { ok, absent, repaired, repairable, refused } what = state::ok;
  unsigned mode = 0;    // permission bits as they are now
  unsigned before = 0;  // where repaired
  unsigned wanted = 0;  // where repairable
  // Where refused, one of: not_canonical, foreign_owner, writable_by_others, writable_by_group, unwritable,
  // symlink, not_a_directory, not_a_regular_file, swapped, repair_refused, reopen_refused, reread_refused,
  // mode_not_applied, shared_inode.
  std::string reason = {};

  bool is_fine() const { return what != state::refused && what != state::repairable; }
};

// In the order listed above. With `repair`, nothing stays repairable.
std::vector<posture_finding> look_at_posture(const posture_paths& paths, bool repair);

// `posture journal_root: ok 0700`, and what to do where that is not enough.
std::string to_text(const posture_finding& finding);

// The first that is not fine, as an error that says what to do.
status require_posture(const std::vector<posture_finding>& findings);

}  // namespace obsync::store
