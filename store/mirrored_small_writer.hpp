// A writer of small chunks that keeps a copy of each on further volumes: every batch is durable on all
// mirrors before it is on the primary, so what the primary has, all have. Reads use the primary alone.
#pragma once

#include <memory>
#include <vector>

#include "store/small_store.hpp"

namespace obsync::store {

// A mirror that fails refuses the batch with its own error, and the primary is not asked.
std::unique_ptr<small_writer> make_mirrored_small_writer(std::unique_ptr<small_writer> primary,
                                                         std::vector<std::unique_ptr<small_writer>> mirrors);

}  // namespace obsync::store
