// Bodies of chunks up to 64 KiB, together in one database on the blobs volume: a 2 KiB note costs a share of
// one flush, not a file, a rename and two folder flushes. Its own database, because a full blobs volume must
// never stop a revocation. Blocks; one object belongs to one thread.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/disk.hpp"
#include "core/ids.hpp"
#include "core/result.hpp"
#include "wire/failure.hpp"

namespace obsync::store {

struct small_put {
  account_id account;
  chunk_sid sid;
  byte_view body;  // of the caller, until put returns
  std::int64_t now_ms = 0;
};

struct small_key {
  account_id account;
  chunk_sid sid;
};

struct removed_chunks {
  std::int64_t chunks = 0;
  std::int64_t bytes = 0;
  std::vector<chunk_sid> sids = {};
};

// A bound for `remove` that every chunk is older than.
inline constexpr std::int64_t any_age = std::numeric_limits<std::int64_t>::max();

enum class put_result { created, existed };

class small_writer {
 public:
  virtual ~small_writer() = default;
  // One transaction, one flush for all that are new, none when nothing is. Bodies are verified by the caller.
  // Errors as of catalog_writer::commit.
  virtual result<std::vector<put_result>> put(std::span<const small_put> batch) = 0;
  // Puts verified bytes in the place of what is stored under this name, or of nothing. Errors as of put.
  virtual status restore(const account_id& account, const chunk_sid& sid, byte_view body,
                         std::int64_t now_ms) = 0;
  // A stored chunk that was sent again counts as new from `now_ms` on, if it was stored more than `after_ms`
  // before: so hardly ever a flush. Chunks that are not there are passed over. Errors as of put.
  virtual status renew(std::span<const small_key> chunks, std::int64_t now_ms, std::int64_t after_ms) = 0;
  // Removes those of one account's `sids` that were stored before `before_ms`, in one transaction. Errors as
  // of put.
  virtual result<removed_chunks> remove(const account_id& account, std::span<const chunk_sid> sids,
                                        std::int64_t before_ms) = 0;
  // Gives up to `pages_max` free pages back to the file system; true while there is more to give. Errors as
  // of put.
  virtual result<bool> give_pages_back(std::int64_t pages_max) = 0;
  // Removes at most `rows_max` of the account's chunks, in one transaction; true when none is left. Errors as
  // of put. A step of erasing an account that may no longer store anything.
  virtual result<bool> erase(const account_id& account, std::int64_t rows_max) = 0;
  // As of catalog_writer.
  virtual std::uint64_t flush_count() const = 0;
};

class small_reader {
 public:
  virtual ~small_reader() = default;
  virtual result<bool> has(const account_id& account, const chunk_sid& sid) = 0;
  virtual result<std::optional<std::int64_t>> size_of(const account_id& account, const chunk_sid& sid) = 0;
  virtual result<std::optional<bytes>> get(const account_id& account, const chunk_sid& sid) = 0;
  // The names of at most `limit` of an account's chunks after `after`, in order: an index alone is read.
  virtual result<std::vector<chunk_sid>> names(const account_id& account,
                                               const std::optional<chunk_sid>& after, std::int64_t limit) = 0;
  // Stored bytes of each account, kept beside the rows in their own transactions.
  virtual result<std::vector<std::pair<account_id, std::int64_t>>> usage() = 0;
};

struct small_options {
  std::string folder;  // `<blobs>/v1`; small.db is made inside
  std::int64_t cache_bytes = 2 << 20;
  disk* files = nullptr;  // what `folder` lies on; nothing: the machine's
};

// Opens or creates small.db; refusals as of open_catalog_writer. The writer must have been opened before a
// reader.
result<std::unique_ptr<small_writer>> open_small_writer(const small_options& options);
result<std::unique_ptr<small_reader>> open_small_reader(const small_options& options);

}  // namespace obsync::store
