// A file system of its own in memory, mounted on a folder until the end of its life: a volume that can be
// really full. Needs to be root; `ok` says whether it is there.
#pragma once

#include <sys/mount.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
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

// Takes all the room there is, or so much, and gives it back.
class ballast {
 public:
  explicit ballast(std::string path, std::size_t size_max = std::size_t{1} << 30) : path_(std::move(path)) {
    std::ofstream file(path_, std::ios::binary);
    const std::string block(4'096, 'b');
    for (std::size_t size = 0; size < size_max; size += block.size())
      if (!file.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) break;
  }
  ~ballast() { lift(); }
  void lift() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }

 private:
  std::string path_;
};

}  // namespace obsync::test
