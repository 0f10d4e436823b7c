// Where a vault's versions and chunks come from: a server, or an archive of one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/bytes.hpp"
#include "core/ids.hpp"
#include "core/result.hpp"
#include "wire/version.hpp"

namespace obsync::client {

// As they come back, in the order asked; nothing where there is none.
using sealed_chunks = std::vector<std::optional<bytes>>;

class version_source {
 public:
  virtual ~version_source() = default;
  // Whether versions carry the time they came in.
  virtual bool tells_time() const = 0;
  // Calls `take` with every version that is kept, those of a file in the order they came in; `heads` are the
  // file's as far as they are known then, and the last word about a file is right. Stops at an error of
  // `take`. Errors are for a person. One thread.
  virtual status visit(const std::function<status(const wire::change&)>& take) = 0;
  // At most wire::get_sids_max, and wire::batch_answer_bytes_max in all. Any thread.
  virtual result<sealed_chunks> chunks(const std::vector<chunk_sid>& sids) = 0;
  // What the device calls itself; empty where that is not known. Any thread but never two at once.
  virtual std::string name_of(const device_id& device) = 0;
};

}  // namespace obsync::client
