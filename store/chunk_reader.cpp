#include "store/chunk_reader.hpp"

#include <utility>

namespace obsync::store {

chunk_source::chunk_source(std::unique_ptr<small_reader> small, blob_store& blobs,
                           std::shared_ptr<const departing_chunks> departing)
    : small_(std::move(small)), blobs_(blobs), departing_(std::move(departing)) {}

bool chunk_source::is_departing(const account_id& account, const chunk_sid& sid) const {
  return departing_ && departing_->has(account, sid);
}

result<bool> chunk_source::has(const account_id& account, const chunk_sid& sid) {
  if (is_departing(account, sid)) return false;
  const auto small = small_->has(account, sid);
  if (!small.ok() || *small) return small;
  return blobs_.has(account, sid);
}

result<std::vector<chunk_sid>> chunk_source::missing(const account_id& account,
                                                     std::span<const chunk_sid> sids) {
  std::vector<chunk_sid> out;
  for (const chunk_sid& sid : sids) {
    const auto held = has(account, sid);
    if (!held.ok()) return held.error();
    if (!*held) out.push_back(sid);
  }
  return out;
}

result<std::optional<std::uint64_t>> chunk_source::size_of(const account_id& account, const chunk_sid& sid) {
  const auto small = small_->size_of(account, sid);
  if (!small.ok()) return small.error();
  if (*small) return std::optional<std::uint64_t>(static_cast<std::uint64_t>(**small));
  const auto large = blobs_.size_of(account, sid);
  if (large.ok()) return std::optional<std::uint64_t>(*large);
  if (large.error().code == errc::not_found) return std::optional<std::uint64_t>();
  return large.error();
}

result<std::optional<open_chunk>> chunk_source::open(const account_id& account, const chunk_sid& sid) {
  std::optional<open_chunk> found;
  auto small = small_->get(account, sid);
  if (!small.ok()) return small.error();
  if (*small) {
    found.emplace();
    found->size = (*small)->size();
    found->body.emplace<bytes>(std::move(**small));
    return found;
  }
  auto large = blobs_.open(account, sid);
  if (!large.ok()) {
    if (large.error().code == errc::not_found) return found;
    return large.error();
  }
  const auto size = (*large)->size();
  if (!size.ok()) return size.error();
  found.emplace();
  found->size = *size;
  found->body = std::move(*large);
  return found;
}

}  // namespace obsync::store
