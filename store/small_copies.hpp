// The copies of small chunks on the mirrors, as a scrub looks at them. Opens what it reads when it is needed
// first, and anew after a failure or a return: a volume may come back as another one. Blocks; one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/ids.hpp"
#include "core/result.hpp"
#include "store/mirror_watch.hpp"
#include "store/small_store.hpp"

namespace obsync::store {

using small_reader_opener = std::function<result<std::unique_ptr<small_reader>>()>;

struct small_copies_report {
  std::int64_t wrong = 0;  // copies that are not what their name says, or missing
  std::int64_t bytes_read = 0;
  std::optional<bytes> right = {};  // of one that is
};

class small_copies {
 public:
  // The mirrors of `watch`, in its order.
  small_copies(std::vector<small_reader_opener> mirrors, std::shared_ptr<const mirror_watch> watch);

  // Mirrors that are behind are not looked at.
  small_copies_report look(const account_id& account, const chunk_sid& sid);
  void open_anew();

 private:
  small_reader* reader_of(std::size_t mirror);

  std::vector<small_reader_opener> openers_;
  std::vector<std::unique_ptr<small_reader>> readers_;
  std::shared_ptr<const mirror_watch> watch_;
};

}  // namespace obsync::store
