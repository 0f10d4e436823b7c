// What there is to say of one of the store's volumes: its size, what is used of it and what stays free.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/disk.hpp"
#include "store/room.hpp"

namespace obsync::store {

struct volume {
  std::string role;                                 // blobs, mirror or journal
  std::string label;                                // the operator's word for the kind of storage
  std::string folder;                               // absolute; the store's own layout lies below it
  std::optional<std::int64_t> capacity_bytes = {};  // as declared; otherwise the file system's size
  watermark keep_free = {};
};

struct volume_state {
  std::int64_t bytes_total = 0;
  std::int64_t bytes_used = 0;
  std::int64_t bytes_free = 0;
  std::int64_t watermark_bytes = 0;
  bool verified = false;  // false: the volume could not be asked, and the numbers say nothing
};

// `used_bytes`: what the store counted itself; without it the files directly in the layout's folder and in
// its quarantine are added up. Blocks. Any thread.
volume_state look_at(disk& on, const volume& which, std::optional<std::int64_t> used_bytes);

}  // namespace obsync::store
