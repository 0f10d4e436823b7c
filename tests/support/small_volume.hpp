// A file system of its own in memory, mounted on a folder until the end of its life: a volume that can be
// really full. Needs to be root; `ok` says whether it is there.
#pragma once

#include <sys/mount.h>
#include <sys/stat.h>

#include <string>
#include <utility>

namespace obsync::test {

class small_volume {
 public:
  small_volume(std::string folder, std::size_t size_bytes) : folder_(std::move(folder)) {
    const std::string options = "mode=0700,size=" + std::to_string(size_bytes);
    ok_ = ::mkdir(folder_.c_str(), 0700) == 0 &&
          ::mount("tmpfs", folder_.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, options.c_str()) == 0;
  }
  small_volume(const small_volume&) = delete;
  small_volume& operator=(const small_volume&) = delete;
  ~small_volume() {
    if (ok_) ::umount2(folder_.c_str(), MNT_DETACH);
  }

  bool ok() const { return ok_; }

 private:
  std::string folder_;
  bool ok_ = false;
};

}  // namespace obsync::test
