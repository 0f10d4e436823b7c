#include "store/volume.hpp"

#include <algorithm>

namespace obsync::store {

namespace {

std::optional<std::int64_t> bytes_in(disk& on, const std::string& folder) {
  const auto listed = on.list(folder);
  if (!listed && listed.error().code == errc::not_found) return 0;
  if (!listed) return std::nullopt;
  std::int64_t sum = 0;
  for (const disk_entry& entry : *listed) {
    if (entry.kind != disk_kind::file) continue;
    // A file that went away meanwhile counts for nothing.
    if (const auto size = on.size_of(folder + "/" + entry.name)) sum += static_cast<std::int64_t>(*size);
  }
  return sum;
}

// The journal's own files, and what a scrub set aside beside them.
std::optional<std::int64_t> bytes_of_layout(disk& on, const std::string& folder) {
  const auto files = bytes_in(on, folder), quarantine = bytes_in(on, folder + "/quarantine");
  if (!files || !quarantine) return std::nullopt;
  return *files + *quarantine;
}

}  // namespace

volume_state look_at(disk& on, const volume& which, std::optional<std::int64_t> used_bytes) {
  const auto real = on.room(which.folder);
  if (!used_bytes) used_bytes = bytes_of_layout(on, which.folder + "/v1");
  if (!real || !used_bytes) return {};
  volume_state out;
  const auto real_free = static_cast<std::int64_t>(real->free_bytes);
  out.bytes_total = which.capacity_bytes.value_or(static_cast<std::int64_t>(real->total_bytes));
  out.bytes_used = *used_bytes;
  out.bytes_free = which.capacity_bytes ? std::clamp<std::int64_t>(*which.capacity_bytes - out.bytes_used, 0,
                                                                   std::max<std::int64_t>(real_free, 0))
                                        : real_free;
  out.watermark_bytes = which.keep_free.of(out.bytes_total);
  out.verified = true;
  return out;
}

}  // namespace obsync::store
