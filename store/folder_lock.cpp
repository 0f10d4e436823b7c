#include "store/folder_lock.hpp"

#include <utility>

#include "core/disk.hpp"

namespace obsync::store {

namespace {

class held_folder_lock final : public folder_lock {
 public:
  explicit held_folder_lock(std::unique_ptr<file_lock> lock) : lock_(std::move(lock)) {}

 private:
  std::unique_ptr<file_lock> lock_;
};

}  // namespace

result<std::unique_ptr<folder_lock>> lock_folder(const std::string& folder) {
  auto lock = lock_file(folder + "/lock");
  if (!lock.ok()) return lock.error();
  return std::unique_ptr<folder_lock>(std::make_unique<held_folder_lock>(std::move(*lock)));
}

}  // namespace obsync::store
