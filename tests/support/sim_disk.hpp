// A disk in memory that forgets what was not synced, and fails when told to.
//
// The fault model:
// - Bytes written to a file are volatile until that file's sync succeeds; names made, renamed or removed are
//   volatile until their folder's sync succeeds. Both are visible at once.
// - power_cut(drop) brings every file and every folder back to its durable state. power_cut(tear) keeps each
//   volatile write and each volatile name with even odds, independently: a write may survive in part, a file
//   may have its new length over zeros, a rename may show under both names or under neither.
// - A failed write has written the first half of its bytes. A failed sync has made nothing durable, and the
//   volatile state it should have flushed is lost for good: later syncs succeed without it, as on Linux,
//   where the pages count as clean after the error was reported once.
// - A truncation is volatile like a write. Any other failed operation did nothing.
// - After a power cut every open file answers io_failed.
// One object serves any number of threads.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "core/disk.hpp"
#include "core/random.hpp"

namespace obsync::test {

enum class cut { drop, tear };

// What both open() and create() of a sim_disk give: a file that may be written, and cut short.
class sim_file_base : public disk_file {
 public:
  virtual status truncate(std::uint64_t size) = 0;
};

class sim_disk final : public disk {
 public:
  explicit sim_disk(std::uint64_t seed = 1, disk_room has_room = {1ull << 40, 1ull << 40});
  ~sim_disk() override;

  // The operation number `n`, counted from 0 over all verbs from now on, fails with `code`.
  void fail_at(std::uint64_t n, errc code);
  // From operation number `n` on, counted likewise, none succeeds until the next power cut.
  void die_at(std::uint64_t n);
  // Operations since the object was made or fail_at or die_at was called last, also failed ones.
  std::uint64_t operations() const;
  bool fault_was_reached() const;
  std::uint64_t sync_count() const;  // of files and folders, successful ones

  // While it is full, no file grows and no name is made: no_space.
  void set_full(bool full);
  void power_cut(cut how);
  std::uint64_t cuts() const;
  // What files written or touched from now on say of their time; 0 until set.
  void set_time(std::int64_t now_ms);

  result<std::unique_ptr<disk_file>> create(const std::string& path) override;
  result<std::unique_ptr<disk_file>> open(const std::string& path) override;
  result<std::uint64_t> size_of(const std::string& path) override;
  result<std::int64_t> modified_ms(const std::string& path) override;
  status touch(const std::string& path) override;
  status rename(const std::string& from, const std::string& to) override;
  status remove(const std::string& path) override;
  status remove_folder(const std::string& path) override;
  status make_folder(const std::string& path) override;
  status sync_folder(const std::string& path) override;
  result<std::vector<disk_entry>> list(const std::string& path) override;
  result<disk_room> room(const std::string& path) override;

 private:
  friend class sim_file;
  struct node;
  struct place {
    std::shared_ptr<node> folder;
    std::string name;
  };

  // These with the mutex held.
  std::optional<error> fault(const char* verb);
  static error no_room() { return {errc::no_space, "the simulated disk is full"}; }
  std::shared_ptr<node> find(const std::string& path) const;
  result<place> split(const std::string& path) const;
  bool coin() { return (random_.next() & 1) != 0; }
  void cut_node(node& at, cut how);

  mutable std::mutex mutex_;
  seeded_random random_;
  disk_room room_;
  std::shared_ptr<node> root_;
  std::uint64_t generation_ = 0;  // counts power cuts
  std::uint64_t operations_ = 0;
  std::uint64_t syncs_ = 0;
  std::optional<std::uint64_t> fail_at_;
  errc fail_code_ = errc::io_failed;
  bool dies_ = false;
  bool full_ = false;
  std::int64_t now_ms_ = 0;
};

}  // namespace obsync::test
