#include "store/journal_room.hpp"

namespace obsync::store {

std::optional<wire::refusal> journal_room::refuse(std::int64_t bytes) const {
  volume real = which_;
  real.capacity_bytes.reset();
  volume_state state = look_at(disk_, real, 0);
  if (state.verified && which_.capacity_bytes && state.bytes_free - bytes >= state.watermark_bytes)
    state = look_at(disk_, which_, std::nullopt);
  if (!state.verified) return wire::refusal::journal_unverified;
  if (state.bytes_free - bytes < state.watermark_bytes) return wire::refusal::journal_full;
  return std::nullopt;
}

}  // namespace obsync::store
