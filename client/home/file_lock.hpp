// A lock on a file of ours that the kernel drops when the process ends, however it ends.
#pragma once

#include <string>
#include <utility>

#include "core/result.hpp"

namespace obsync::client {

enum class lock_wait { no, yes };

// Movable, released by its destructor.
class file_lock {
 public:
  // errc::exists when another process holds it and we do not wait.
  static result<file_lock> acquire(const std::string& path, lock_wait wait);
  // Whether somebody holds it now. A missing file is held by nobody.
  static bool held(const std::string& path);

  file_lock(file_lock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  file_lock& operator=(file_lock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~file_lock();

 private:
  explicit file_lock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace obsync::client
