// The one file of the server that asks the operating system for time, randomness and files.
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "core/clock.hpp"
#include "core/disk.hpp"
#include "core/random.hpp"

namespace obsync {

namespace {

errc errc_of(int number) {
  switch (number) {
    case ENOENT:
    case ENOTDIR:
      return errc::not_found;
    case EEXIST:
      return errc::exists;
    case EACCES:
    case EPERM:
    case EROFS:
    case ELOOP:
      return errc::denied;
    case ENOSPC:
    case EDQUOT:
      return errc::no_space;
    case EMFILE:
    case ENFILE:
    case ENOMEM:
      return errc::overloaded;
    default:
      return errc::io_failed;
  }
}

// Names the act and the system's reason, not the path: a path may hold what a log must not.
error failed(const char* act) {
  const int number = errno;
  return {errc_of(number), std::string(act) + ": " + std::strerror(number)};
}

class posix_file final : public disk_file {
 public:
  explicit posix_file(int descriptor) : descriptor_(descriptor) {}
  posix_file(const posix_file&) = delete;
  posix_file& operator=(const posix_file&) = delete;
  ~posix_file() override { ::close(descriptor_); }

  status write_at(std::uint64_t offset, byte_view data) override {
    while (!data.empty()) {
      const ssize_t written = ::pwrite(descriptor_, data.data(), data.size(), static_cast<off_t>(offset));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return failed("write");
      offset += static_cast<std::uint64_t>(written);
      data = data.subspan(static_cast<std::size_t>(written));
    }
    return {};
  }

  result<std::size_t> read_at(std::uint64_t offset, std::span<std::uint8_t> out) override {
    std::size_t got = 0;
    while (got < out.size()) {
      const ssize_t count =
          ::pread(descriptor_, out.data() + got, out.size() - got, static_cast<off_t>(offset + got));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return failed("read");
      if (count == 0) break;
      got += static_cast<std::size_t>(count);
    }
    return got;
  }

  void begin_writeback(std::uint64_t offset, std::uint64_t size) override {
    // Its errors are those of the sync to come, or of no matter.
    ::sync_file_range(descriptor_, static_cast<off64_t>(offset), static_cast<off64_t>(size),
                      SYNC_FILE_RANGE_WRITE);
  }

  status sync() override {
    if (::fdatasync(descriptor_) != 0) return failed("sync");
    return {};
  }

  result<std::uint64_t> size() override {
    struct stat info {};
    if (::fstat(descriptor_, &info) != 0) return failed("stat");
    return static_cast<std::uint64_t>(info.st_size);
  }

  int native_handle() const override { return descriptor_; }

 private:
  int descriptor_;
};

class posix_file_lock final : public file_lock {
 public:
  explicit posix_file_lock(int descriptor) : descriptor_(descriptor) {}
  posix_file_lock(const posix_file_lock&) = delete;
  posix_file_lock& operator=(const posix_file_lock&) = delete;
  ~posix_file_lock() override { ::close(descriptor_); }

 private:
  int descriptor_;
};

class posix_disk final : public disk {
 public:
  result<std::unique_ptr<disk_file>> create(const std::string& path) override {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (descriptor < 0) return failed("create");
    return std::unique_ptr<disk_file>(std::make_unique<posix_file>(descriptor));
  }

  result<std::unique_ptr<disk_file>> open(const std::string& path) override {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0) return failed("open");
    auto file = std::make_unique<posix_file>(descriptor);
    struct stat info {};
    if (::fstat(descriptor, &info) != 0) return failed("stat");
    if (!S_ISREG(info.st_mode)) return error{errc::invalid, "open: not a regular file"};
    return std::unique_ptr<disk_file>(std::move(file));
  }

  result<std::uint64_t> size_of(const std::string& path) override {
    struct stat info {};
    if (::lstat(path.c_str(), &info) != 0) return failed("stat");
    return static_cast<std::uint64_t>(info.st_size);
  }

  result<std::int64_t> modified_ms(const std::string& path) override {
    struct stat info {};
    if (::lstat(path.c_str(), &info) != 0) return failed("stat");
    return std::int64_t{info.st_mtim.tv_sec} * 1000 + info.st_mtim.tv_nsec / 1'000'000;
  }

  status touch(const std::string& path) override {
    const timespec now[2] = {{0, UTIME_OMIT}, {0, UTIME_NOW}};
    if (::utimensat(AT_FDCWD, path.c_str(), now, AT_SYMLINK_NOFOLLOW) != 0) return failed("touch");
    return {};
  }

  status rename(const std::string& from, const std::string& to) override {
    if (::rename(from.c_str(), to.c_str()) != 0) return failed("rename");
    return {};
  }

  status rename_to_free(const std::string& from, const std::string& to) override {
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return {};
    // A file system that knows no careful rename: look first.
    if (errno == EINVAL || errno == ENOSYS) return disk::rename_to_free(from, to);
    return failed("rename");
  }

  status remove(const std::string& path) override {
    if (::unlink(path.c_str()) != 0) return failed("remove");
    return {};
  }

  status remove_folder(const std::string& path) override {
    if (::rmdir(path.c_str()) != 0) return failed("remove folder");
    return {};
  }

  status make_folder(const std::string& path) override {
    if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return failed("make folder");
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) return failed("stat");
    if (!S_ISDIR(info.st_mode)) return error{errc::invalid, "make folder: a file is in the way"};
    return {};
  }

  status sync_folder(const std::string& path) override {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return failed("open folder");
    const int outcome = ::fsync(descriptor);
    const int number = errno;
    ::close(descriptor);
    errno = number;
    if (outcome != 0) return failed("sync folder");
    return {};
  }

  result<std::vector<disk_entry>> list(const std::string& path) override {
    DIR* folder = ::opendir(path.c_str());
    if (folder == nullptr) return failed("list");
    std::vector<disk_entry> entries;
    errno = 0;
    while (const dirent* item = ::readdir(folder)) {
      const std::string name = item->d_name;
      if (name == "." || name == "..") continue;
      const disk_kind kind = item->d_type == DT_REG   ? disk_kind::file
                             : item->d_type == DT_DIR ? disk_kind::folder
                                                      : disk_kind::other;
      entries.push_back({name, kind});
    }
    const int number = errno;
    ::closedir(folder);
    errno = number;
    if (number != 0) return failed("list");
    return entries;
  }

  result<disk_room> room(const std::string& path) override {
    struct statvfs info {};
    if (::statvfs(path.c_str(), &info) != 0) return failed("statvfs");
    const std::uint64_t unit = info.f_frsize;
    return disk_room{unit * info.f_blocks, unit * info.f_bavail};
  }
};

}  // namespace

std::unique_ptr<disk> make_posix_disk() {
  return std::make_unique<posix_disk>();
}

result<std::unique_ptr<file_lock>> lock_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (descriptor < 0) return failed("open lock");
  auto lock = std::make_unique<posix_file_lock>(descriptor);
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return std::unique_ptr<file_lock>(std::move(lock));
  if (errno == EWOULDBLOCK) return error{errc::exists, "another process holds the lock"};
  return failed("lock");
}

std::int64_t system_clock::now_ms() const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

void system_random::fill(std::span<std::uint8_t> out) {
  for (std::size_t at = 0; at < out.size();) {
    const ssize_t got = ::getrandom(out.data() + at, out.size() - at, 0);
    if (got < 0 && errno == EINTR) continue;
    OBSYNC_ASSERT(got > 0);
    at += static_cast<std::size_t>(got);
  }
}

}  // namespace obsync
