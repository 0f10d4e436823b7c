// Whether history may still grow: on the journal volume a watermark stays free, so that a revocation or a
// login always finds room. Of the declared capacity and of what is really free the stricter counts. Blocks;
// any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "core/disk.hpp"
#include "store/volume.hpp"
#include "wire/failure.hpp"

namespace obsync::store {

class journal_room {
 public:
  // `on` outlives it.
  journal_room(disk& on, volume which) : disk_(on), which_(std::move(which)) {}

  // Nothing when `bytes` more leave the watermark free; else journal_full, or journal_unverified when the
  // volume cannot be asked. Asks each time: room that appears is found by the next post.
  std::optional<wire::refusal> refuse(std::int64_t bytes) const;

 private:
  disk& disk_;
  volume which_;
};

}  // namespace obsync::store
