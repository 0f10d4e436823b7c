// Where a chunk's bytes are, whichever way they were stored: small ones in the database, larger ones in
// files. A chunk may be in either place whatever its size, for the border between them is an option. Blocks;
// one object belongs to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "core/disk.hpp"
#include "core/ids.hpp"
#include "core/result.hpp"
#include "store/blob_store.hpp"
#include "store/catalog.hpp"
#include "store/departing_chunks.hpp"
#include "store/small_store.hpp"

namespace obsync::store {

// An account's chunk, ready to be sent.
struct open_chunk {
  std::uint64_t size = 0;
  std::variant<bytes, std::unique_ptr<disk_file>> body;
};

class chunk_source final : public chunk_presence {
 public:
  // `blobs` outlives the source and may be shared between threads. What is in `departing` is answered as not
  // stored by has and missing; its bytes can still be read while they are there.
  chunk_source(std::unique_ptr<small_reader> small, blob_store& blobs,
               std::shared_ptr<const departing_chunks> departing = nullptr);

  result<bool> has(const account_id& account, const chunk_sid& sid) override;
  bool is_departing(const account_id& account, const chunk_sid& sid) const;
  // Those of `sids` the account does not hold, in the order asked, duplicates repeated.
  result<std::vector<chunk_sid>> missing(const account_id& account, std::span<const chunk_sid> sids);
  // Nothing when the account does not hold the chunk; the same for the next.
  result<std::optional<std::uint64_t>> size_of(const account_id& account, const chunk_sid& sid);
  result<std::optional<open_chunk>> open(const account_id& account, const chunk_sid& sid);

 private:
  std::unique_ptr<small_reader> small_;
  blob_store& blobs_;
  std::shared_ptr<const departing_chunks> departing_;
};

}  // namespace obsync::store
