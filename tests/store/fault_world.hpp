// A whole store, with a mirror, on a simulated disk; what was acknowledged; and whether it is still true
// after the power was cut and everything was opened anew.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "store/blob_scrub.hpp"
#include "store/blob_store.hpp"
#include "store/catalog.hpp"
#include "store/mirror_watch.hpp"
#include "store/small_store.hpp"
#include "tests/support/catalog_fixture.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/sim_disk.hpp"
#include "tests/support/sim_vfs.hpp"

namespace obsync::store {

inline const account_id fault_family = test::id_of<account_id>(1);

struct stored_chunk {
  chunk_sid sid;
  bytes body;
};

stored_chunk chunk_of(std::uint64_t number, std::size_t size);

// What the store has promised, and what it was asked to let go of.
struct ledger {
  std::vector<stored_chunk> chunks;
  std::vector<std::pair<file_id, version_id>> versions;
  std::set<version_id> let_go;  // asked to be pruned: may be there or not
  std::set<chunk_sid> dropped;  // asked to be collected: may be there or not
  std::set<chunk_sid> rotten;   // no copy is right: unreadable, or set aside
  std::vector<std::string> backups;
};

class fault_world {
 public:
  explicit fault_world(std::uint64_t seed);

  // The folders, and a catalog as schema 2 left it, all durable.
  void make_old_store();
  // Opens (and upgrades) everything; false when something cannot be opened.
  bool open();
  void close();

  bool put_small(const stored_chunk& chunk);
  bool put_large(const stored_chunk& chunk);
  bool post(std::uint64_t file, std::uint64_t version, std::vector<std::uint64_t> parents,
            std::vector<chunk_sid> sids, bool deleted = false);
  // Version number `version` of the file, and then its chunk.
  void collect(std::uint64_t file, std::uint64_t version, sequence seq, const stored_chunk& chunk);
  // One byte of a large chunk's copy changes on the medium, unseen.
  void rot(const stored_chunk& chunk, const std::string& volume);
  void scrub(const stored_chunk& chunk);
  void quarantine(const stored_chunk& chunk);
  void back_up(std::int64_t minute);

  // Records GoogleTest failures. Everything was closed, the power cut. Of a rotten chunk that could not even
  // be read there may be no evidence but the finding.
  void expect_promises_kept(bool all_was_readable);

  test::sim_disk& files() { return disk_; }
  ledger& promised() { return promised_; }
  std::string path(const std::string& name) const { return scratch_.path() + name; }

 private:
  blob_options blob_places() const;
  void expect_chunks();
  void expect_versions();
  void expect_evidence(bool all_was_readable);
  void expect_backups();
  void expect_clean_check();

  test::scratch_folder scratch_;  // real, for locks alone; all else is on the simulated disk, under its name
  test::sim_disk disk_;
  test::sim_vfs vfs_;
  std::shared_ptr<mirror_watch> watch_;
  test::chunks_in_memory presence_;
  std::unique_ptr<catalog_writer> catalog_;
  std::unique_ptr<small_writer> small_;
  std::unique_ptr<blob_store> blobs_;
  ledger promised_;
};

}  // namespace obsync::store
