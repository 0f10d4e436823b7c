#include "store/chunk_copy.hpp"

#include <deque>
#include <set>
#include <utility>
#include <vector>

#include "crypto/digest.hpp"
#include "store/reference_walk.hpp"

namespace obsync::store {

namespace {

constexpr std::int64_t cache_bytes = 8 << 20;
constexpr std::int64_t versions_max = 256;        // in one snapshot
constexpr std::size_t batch_bytes_max = 4 << 20;  // of small chunks in one transaction
constexpr std::size_t slice_bytes = 1 << 20;

error of(const wire::failure& refused) {
  return {refused.code == wire::refusal::storage_full ? errc::no_space : errc::io_failed, refused.detail};
}

class chunk_copier final : public chunk_copy {
 public:
  chunk_copier(std::unique_ptr<small_reader> small_from, std::unique_ptr<blob_store> blobs_from,
               std::unique_ptr<small_writer> small_to, std::unique_ptr<small_reader> small_there,
               std::unique_ptr<blob_store> blobs_to)
      : small_from_(std::move(small_from)),
        blobs_from_(std::move(blobs_from)),
        small_to_(std::move(small_to)),
        small_there_(std::move(small_there)),
        blobs_to_(std::move(blobs_to)) {}

  result<copy_report> run(upkeep_reader& catalog, std::int64_t now_ms,
                          const std::function<void(const copy_report&)>& told) override {
    report_ = {};
    now_ms_ = now_ms;
    const status done =
        walk_references(catalog, versions_max, [&](const account_id& account, const auto& slice) {
          const status copied = copy_slice(account, slice);
          told(report_);
          return copied;
        });
    if (!done) return done.error();
    return report_;
  }

 private:
  status copy_slice(const account_id& account, const reference_slice& slice) {
    std::set<chunk_sid> named;
    report_.versions += slice.versions;
    for (const std::vector<chunk_sid>& sids : slice.sids) named.insert(sids.begin(), sids.end());
    for (const chunk_sid& sid : named)
      if (const status done = copy(account, sid); !done) return done;
    return flush();
  }

  status copy(const account_id& account, const chunk_sid& sid) {
    const auto there = has(account, sid);
    if (!there) return there.error();
    if (*there) {
      ++report_.kept;
      return {};
    }
    auto body = small_from_->get(account, sid);
    if (!body) return body.error();
    if (!*body) return copy_file(account, sid);
    if (crypto::sha256(**body).raw != sid.raw) return lacks();
    waiting_bytes_ += (*body)->size();
    waiting_.push_back({account, sid, std::move(**body)});
    return waiting_bytes_ < batch_bytes_max ? status{} : flush();
  }

  result<bool> has(const account_id& account, const chunk_sid& sid) {
    const auto small = small_there_->has(account, sid);
    if (!small || *small) return small;
    return blobs_to_->has(account, sid);
  }

  status lacks() {
    ++report_.lacking;
    return {};
  }

  status copy_file(const account_id& account, const chunk_sid& sid) {
    const auto source = blobs_from_->open(account, sid);
    if (!source) return source.error().code == errc::not_found ? lacks() : status{source.error()};
    const auto size = (*source)->size();
    if (!size) return size.error();
    const auto upload = blobs_to_->begin(account, sid, *size);
    if (!upload) return of(upload.error());
    slice_.resize(slice_bytes);
    for (std::uint64_t at = 0; at < *size;) {
      const auto got = (*source)->read_at(at, slice_);
      if (!got || *got == 0) return lacks();
      if (const auto done = (*upload)->write(byte_view(slice_).first(*got)); !done) return of(done.error());
      at += *got;
    }
    const auto done = (*upload)->finish();
    if (!done && done.error().code == wire::refusal::sid_mismatch) return lacks();
    if (!done) return of(done.error());
    ++report_.copied;
    report_.bytes += static_cast<std::int64_t>(*size);
    return {};
  }

  status flush() {
    if (waiting_.empty()) return {};
    std::vector<small_put> batch;
    for (const small_body& one : waiting_) batch.push_back({one.account, one.sid, one.body, now_ms_});
    const auto done = small_to_->put(batch);
    if (!done) return done.error();
    report_.copied += static_cast<std::int64_t>(waiting_.size());
    report_.bytes += static_cast<std::int64_t>(waiting_bytes_);
    waiting_.clear();
    waiting_bytes_ = 0;
    return {};
  }

  struct small_body {
    account_id account;
    chunk_sid sid;
    bytes body;
  };

  std::unique_ptr<small_reader> small_from_;
  std::unique_ptr<blob_store> blobs_from_;
  std::unique_ptr<small_writer> small_to_;
  std::unique_ptr<small_reader> small_there_;
  std::unique_ptr<blob_store> blobs_to_;
  copy_report report_;
  std::int64_t now_ms_ = 0;
  std::deque<small_body> waiting_;
  std::size_t waiting_bytes_ = 0;
  bytes slice_;
};

}  // namespace

result<std::unique_ptr<chunk_copy>> chunk_copy::open(disk& on, const std::string& from,
                                                     const std::string& to) {
  auto small_from = open_small_reader({from, cache_bytes});
  if (!small_from) return small_from.error();
  auto blobs_to = open_blob_store(on, {to, {}});
  if (!blobs_to) return blobs_to.error();
  auto small_to = open_small_writer({to, cache_bytes, &on});
  if (!small_to) return small_to.error();
  auto small_there = open_small_reader({to, cache_bytes});
  if (!small_there) return small_there.error();
  return std::unique_ptr<chunk_copy>(
      std::make_unique<chunk_copier>(std::move(*small_from), view_blob_store(on, {from, {}}),
                                     std::move(*small_to), std::move(*small_there), std::move(*blobs_to)));
}

}  // namespace obsync::store
