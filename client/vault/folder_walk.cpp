#include "client/vault/folder_walk.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "wire/path_rule.hpp"

namespace obsync::client {

namespace {

std::int64_t nanoseconds(const statx_timestamp& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

errc code_of(int number) {
  switch (number) {
    case ENOENT:
      return errc::not_found;
    case EEXIST:
    case ENOTEMPTY:
    case ENOTDIR:  // a file, or a link, stands where a folder is needed
    case EISDIR:
    case ELOOP:
      return errc::exists;
    case EACCES:
    case EPERM:
    case EROFS:
      return errc::denied;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return errc::no_space;
    case ENAMETOOLONG:
    case EINVAL:
    case EILSEQ:
      return errc::unsupported;
    case EMFILE:
    case ENFILE:
    case ENOMEM:
      return errc::overloaded;
    default:
      return errc::io_failed;
  }
}

// Below a file there is nothing; below a link there is something unknown.
error blocked_way(int folder, const std::string& name, const error& why) {
  const auto info = info_at(folder, name);
  return info && info->is_file ? error{errc::not_found, why.detail} : why;
}

}  // namespace

file_handle::~file_handle() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

result<std::size_t> read_all_at(int descriptor, std::uint64_t offset, std::span<std::uint8_t> out) {
  std::size_t got = 0;
  while (got < out.size()) {
    const ssize_t count =
        ::pread(descriptor, out.data() + got, out.size() - got, static_cast<off_t>(offset + got));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return last_error("read");
    if (count == 0) break;
    got += static_cast<std::size_t>(count);
  }
  return got;
}

error last_error(const char* act) {
  const int number = errno;
  return {code_of(number), std::string(act) + ": " + std::strerror(number)};
}

result<item_info> info_at(int folder, const std::string& name) {
  struct statx raw {};
  const int flags = AT_SYMLINK_NOFOLLOW | (name.empty() ? AT_EMPTY_PATH : 0);
  if (::statx(folder, name.c_str(), flags, STATX_BASIC_STATS | STATX_BTIME, &raw) != 0)
    return last_error("stat");
  item_info info;
  info.is_file = S_ISREG(raw.stx_mode);
  info.is_folder = S_ISDIR(raw.stx_mode);
  info.mode = raw.stx_mode & 07777u;
  info.mark.size = info.is_file ? static_cast<std::int64_t>(raw.stx_size) : 0;
  info.mark.inode = raw.stx_ino;
  if ((raw.stx_mask & STATX_BTIME) != 0) info.mark.born_ns = nanoseconds(raw.stx_btime);
  if (info.is_file) {
    info.mark.mtime_ns = nanoseconds(raw.stx_mtime);
    info.mark.ctime_ns = nanoseconds(raw.stx_ctime);
  }
  return info;
}

result<file_handle> open_folder(int folder, const std::string& name) {
  file_handle opened(::openat(folder, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!opened) return last_error("open folder");
  return opened;
}

result<place_in_folder> walk_to(int root, const std::string& path, bool make) {
  auto at = open_folder(root, ".");
  if (!at) return at.error();
  std::size_t begin = 0;
  for (auto slash = path.find('/'); slash != std::string::npos; slash = path.find('/', begin)) {
    const std::string name = path.substr(begin, slash - begin);
    OBSYNC_ASSERT(!name.empty() && name != "." && name != "..");
    auto next = open_folder(at->get(), name);
    if (!next && next.error().code == errc::not_found && make) {
      if (::mkdirat(at->get(), name.c_str(), 0777) != 0 && errno != EEXIST) return last_error("make folder");
      if (::fsync(at->get()) != 0) return last_error("sync folder");
      next = open_folder(at->get(), name);
    }
    if (!next && next.error().code == errc::exists && !make)
      return blocked_way(at->get(), name, next.error());
    if (!next) return next.error();
    at = std::move(next);
    begin = slash + 1;
  }
  std::string name = path.substr(begin);
  OBSYNC_ASSERT(!name.empty() && name != "." && name != "..");
  return place_in_folder{std::move(*at), std::move(name)};
}

}  // namespace obsync::client
