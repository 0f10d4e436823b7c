// One process per store: an exclusive lock on `<folder>/lock`, held for the object's life.
#pragma once

#include <memory>
#include <string>

#include "core/result.hpp"

namespace obsync::store {

class folder_lock {
 public:
  virtual ~folder_lock() = default;
};

// errc::exists when another process holds it.
result<std::unique_ptr<folder_lock>> lock_folder(const std::string& folder);

}  // namespace obsync::store
