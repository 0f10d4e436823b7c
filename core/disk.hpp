// The seam to the file system: few verbs, so that a test can put a disk behind it that fails operation n or
// forgets what was not synced. Paths are absolute. All calls block; an object belongs to one thread at a
// time, a `disk` to any number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/bytes.hpp"
#include "core/result.hpp"

namespace obsync {

class disk_file {
 public:
  virtual ~disk_file() = default;
  // Writes all of `data` at `offset`, or says why not; a failed write may have written a part.
  virtual status write_at(std::uint64_t offset, byte_view data) = 0;
  // Reads up to out.size() bytes; fewer only at the end of the file.
  virtual result<std::size_t> read_at(std::uint64_t offset, std::span<std::uint8_t> out) = 0;
  // Lets the system begin to write these bytes to the disk, so that a sync has less to wait for. Promises
  // nothing.
  virtual void begin_writeback(std::uint64_t /*offset*/, std::uint64_t /*size*/) {}
  // After success everything written so far survives a power cut. Never repeat a failed sync.
  virtual status sync() = 0;
  virtual result<std::uint64_t> size() = 0;
  // The descriptor for sendfile(2), or -1 where there is none. Owned by this object.
  virtual int native_handle() const = 0;
};

enum class disk_kind { file, folder, other };

struct disk_entry {
  std::string name;
  disk_kind kind = disk_kind::file;
};

struct disk_room {
  std::uint64_t total_bytes = 0;
  std::uint64_t free_bytes = 0;  // what an ordinary user may still write
};

class disk {
 public:
  virtual ~disk() = default;
  // A new file, mode 0600; errc::exists when the name is taken.
  virtual result<std::unique_ptr<disk_file>> create(const std::string& path) = 0;
  // An existing regular file for reading; a symbolic link is refused.
  virtual result<std::unique_ptr<disk_file>> open(const std::string& path) = 0;
  virtual result<std::uint64_t> size_of(const std::string& path) = 0;
  // When a file was written or touched last, by the file system's clock, Unix ms. Not made durable.
  virtual result<std::int64_t> modified_ms(const std::string& path) = 0;
  virtual status touch(const std::string& path) = 0;
  virtual status rename(const std::string& from, const std::string& to) = 0;
  // As rename, but errc::exists when `to` is taken. Here by looking first; in one step where the system can.
  virtual status rename_to_free(const std::string& from, const std::string& to) {
    if (size_of(to)) return error{errc::exists, "rename: the name is taken"};
    return rename(from, to);
  }
  virtual status remove(const std::string& path) = 0;
  // An empty folder.
  virtual status remove_folder(const std::string& path) = 0;
  // A new folder, mode 0700; success when it exists already.
  virtual status make_folder(const std::string& path) = 0;
  // After success the names in this folder survive a power cut.
  virtual status sync_folder(const std::string& path) = 0;
  virtual result<std::vector<disk_entry>> list(const std::string& path) = 0;
  virtual result<disk_room> room(const std::string& path) = 0;
};

// The machine's file system.
std::unique_ptr<disk> make_posix_disk();

// An exclusive lock between processes, held for the object's life; a process that dies gives it back.
class file_lock {
 public:
  virtual ~file_lock() = default;
};

// Makes the file, mode 0600, where it is missing; a symbolic link is refused. errc::exists when the lock is
// held.
result<std::unique_ptr<file_lock>> lock_file(const std::string& path);

}  // namespace obsync
