// Which chunks may go: the looking half of the collector, without its timing. Marks what versions name, then
// walks the names of what is stored. Blocks in the readers it was given; one thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/random.hpp"
#include "core/result.hpp"
#include "store/blob_store.hpp"
#include "store/departing_chunks.hpp"
#include "store/reference_filter.hpp"
#include "store/small_store.hpp"
#include "store/upkeep_reader.hpp"

namespace obsync::actors {

class garbage_search {
 public:
  using chunk = store::departing_chunks::chunk;

  struct found {
    bool is_small = false;  // in small.db, all of one account; otherwise in files
    std::vector<chunk> unnamed = {};
  };

  garbage_search(store::upkeep_reader& catalog, store::small_reader& small, store::blob_store& blobs)
      : catalog_(catalog), small_(small), blobs_(blobs) {}

  // Forgets everything and begins to mark.
  status begin(random_source& random);
  // Marks a slice of at most `versions_max` versions; true when all were.
  result<bool> mark(std::int64_t versions_max);
  // Marks what was posted since, in all accounts: called when nothing that is asked for any more can be
  // named.
  status mark_latest(std::int64_t versions_max);
  // The next names that the marks do not know; nothing when all were walked. Counts what it looks at.
  result<std::optional<found>> next(std::int64_t names_max);
  // Those of `chunks` that still no version is known to name.
  std::vector<chunk> still_unnamed(const std::vector<chunk>& chunks) const;
  std::int64_t looked_at() const { return looked_at_; }

 private:
  status mark_slice(const account_id& account, std::int64_t versions_max, bool& finished);
  result<found> next_small(const account_id& account, std::int64_t names_max);
  result<found> next_folders(std::int64_t names_max);

  store::upkeep_reader& catalog_;
  store::small_reader& small_;
  store::blob_store& blobs_;
  std::optional<store::reference_filter> marks_;
  std::vector<account_id> accounts_;
  std::map<account_id, sequence> marked_;  // up to which version
  std::size_t at_ = 0;                     // account being marked, then walked
  std::optional<chunk_sid> after_;
  int folder_ = 0;
  std::int64_t looked_at_ = 0;
};

}  // namespace obsync::actors
