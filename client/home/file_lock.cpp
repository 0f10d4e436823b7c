#include "client/home/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace obsync::client {

result<file_lock> file_lock::acquire(const std::string& path, lock_wait wait) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (descriptor < 0) return error{errc::io_failed, path + ": " + std::strerror(errno)};
  file_lock lock(descriptor);
  const int how = LOCK_EX | (wait == lock_wait::no ? LOCK_NB : 0);
  while (::flock(descriptor, how) != 0) {
    if (errno == EINTR) continue;
    if (errno == EWOULDBLOCK) return error{errc::exists, path + ": held by another process"};
    return error{errc::io_failed, path + ": " + std::strerror(errno)};
  }
  return lock;
}

bool file_lock::held(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool taken = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(descriptor);
  return taken;
}

file_lock::~file_lock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace obsync::client
