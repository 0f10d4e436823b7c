// SQLite on a sim_disk: while one of these lives, every database opened lies on that disk, whose faults and
// power cuts are then those of chunk files and databases alike, counted by one counter.
//
// Locks and the shared memory of a log are kept by path and forgotten at a power cut. Randomness is the
// disk's seed's, so that a run can be repeated. Only one object may live at a time, and longer than every
// connection opened meanwhile. Any thread.
#pragma once

#include <memory>

#include "tests/support/sim_disk.hpp"

namespace obsync::test {

class sim_vfs {
 public:
  // `on` outlives it.
  explicit sim_vfs(sim_disk& on, std::uint64_t seed = 1);
  sim_vfs(const sim_vfs&) = delete;
  sim_vfs& operator=(const sim_vfs&) = delete;
  ~sim_vfs();

  struct state;

 private:
  std::unique_ptr<state> state_;
};

}  // namespace obsync::test
