// Copies the chunks that a catalog's versions name from one place to another, those only that are not there
// yet, each verified on the way: what a backup and a restore have in common. Blocks; one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/disk.hpp"
#include "core/result.hpp"
#include "store/blob_store.hpp"
#include "store/small_store.hpp"
#include "store/upkeep_reader.hpp"

namespace obsync::store {

struct copy_report {
  std::int64_t versions = 0;
  std::int64_t copied = 0;   // chunks
  std::int64_t bytes = 0;    // of those
  std::int64_t kept = 0;     // were there already
  std::int64_t lacking = 0;  // named, and not whole at the source
};

class chunk_copy {
 public:
  // `from` and `to` are `v1` folders of a blobs volume. Opening makes `to` where it is missing.
  static result<std::unique_ptr<chunk_copy>> open(disk& on, const std::string& from, const std::string& to);
  virtual ~chunk_copy() = default;
  // Everything copied is durable when it returns. Stops at the first error of the target.
  virtual result<copy_report> run(upkeep_reader& catalog, std::int64_t now_ms,
                                  const std::function<void(const copy_report&)>& told) = 0;
};

}  // namespace obsync::store
