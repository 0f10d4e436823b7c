// A writer of small chunks that keeps a copy of each on further volumes: every batch is durable on all
// mirrors before it is on the primary, so what the primary has, all have. Reads use the primary alone.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "store/mirror_watch.hpp"
#include "store/small_store.hpp"

namespace obsync::store {

using small_writer_opener = std::function<result<std::unique_ptr<small_writer>>()>;

// Opens the mirrors, which are those of `watch` in its order. One that fails either refuses the batch with
// its own error, and the primary is not asked, or is passed over until it returns, as `watch` says. An
// account is erased only when no mirror is behind: errc::unavailable until then.
result<std::unique_ptr<small_writer>> open_mirrored_small_writer(std::unique_ptr<small_writer> primary,
                                                                 std::vector<small_writer_opener> mirrors,
                                                                 std::shared_ptr<mirror_watch> watch);

}  // namespace obsync::store
