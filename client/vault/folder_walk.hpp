// Descriptors and the walk through folders that no link can lead astray. For the sources of client/vault
// only.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "client/engine/views.hpp"
#include "core/result.hpp"

namespace obsync::client {

class file_handle {
 public:
  file_handle() = default;
  explicit file_handle(int descriptor) : descriptor_(descriptor) {}
  file_handle(file_handle&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  file_handle& operator=(file_handle&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~file_handle();
  int get() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
};

// Reads until `out` is full or the file ends.
result<std::size_t> read_all_at(int descriptor, std::uint64_t offset, std::span<std::uint8_t> out);

// The system's last error, without any path in it.
error last_error(const char* act);

struct item_info {
  bool is_file = false;
  bool is_folder = false;
  unsigned mode = 0;
  file_mark mark;
};

// Of `name` in `folder`, links not followed; an empty name means the descriptor itself.
result<item_info> info_at(int folder, const std::string& name);

struct place_in_folder {
  file_handle folder;
  std::string name;
};

// The folder that holds `path`, below `root`. With `make`, missing folders are made on the way; without,
// what would lie below a file is not_found.
result<place_in_folder> walk_to(int root, const std::string& path, bool make);
result<file_handle> open_folder(int folder, const std::string& name);

}  // namespace obsync::client
