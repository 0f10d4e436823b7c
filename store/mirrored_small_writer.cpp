#include "store/mirrored_small_writer.hpp"

#include <utility>

namespace obsync::store {

namespace {

class mirrored_small_writer final : public small_writer {
 public:
  mirrored_small_writer(std::unique_ptr<small_writer> primary,
                        std::vector<std::unique_ptr<small_writer>> mirrors)
      : primary_(std::move(primary)), mirrors_(std::move(mirrors)) {}

  result<std::vector<put_result>> put(std::span<const small_put> batch) override {
    for (const auto& mirror : mirrors_)
      if (auto done = mirror->put(batch); !done) return done;
    return primary_->put(batch);
  }
  status restore(const account_id& account, const chunk_sid& sid, byte_view body,
                 std::int64_t now_ms) override {
    for (const auto& mirror : mirrors_)
      if (const status done = mirror->restore(account, sid, body, now_ms); !done) return done;
    return primary_->restore(account, sid, body, now_ms);
  }
  status renew(std::span<const small_key> chunks, std::int64_t now_ms, std::int64_t after_ms) override {
    return primary_->renew(chunks, now_ms, after_ms);  // only the primary's age is ever asked for
  }
  // From the primary first: what it does not have is not stored, whatever mirrors have.
  result<removed_chunks> remove(const account_id& account, std::span<const chunk_sid> sids,
                                std::int64_t before_ms) override {
    const auto removed = primary_->remove(account, sids, before_ms);
    if (!removed) return removed;
    std::vector<chunk_sid> gone;
    for (const chunk_sid& sid : removed->sids) gone.push_back(sid);
    for (const auto& mirror : mirrors_)
      if (const auto done = mirror->remove(account, gone, any_age); !done) return done.error();
    return removed;
  }
  result<bool> give_pages_back(std::int64_t pages_max) override {
    bool more = false;
    for (const auto& mirror : mirrors_) {
      const auto left = mirror->give_pages_back(pages_max);
      if (!left) return left;
      more = more || *left;
    }
    const auto left = primary_->give_pages_back(pages_max);
    if (!left) return left;
    return more || *left;
  }
  result<bool> erase(const account_id& account, std::int64_t rows_max) override {
    bool finished = true;
    for (const auto& mirror : mirrors_) {
      const auto done = mirror->erase(account, rows_max);
      if (!done) return done;
      finished = finished && *done;
    }
    const auto done = primary_->erase(account, rows_max);
    if (!done) return done;
    return finished && *done;
  }
  std::uint64_t flush_count() const override {
    std::uint64_t out = primary_->flush_count();
    for (const auto& mirror : mirrors_) out += mirror->flush_count();
    return out;
  }

 private:
  std::unique_ptr<small_writer> primary_;
  std::vector<std::unique_ptr<small_writer>> mirrors_;
};

}  // namespace

std::unique_ptr<small_writer> make_mirrored_small_writer(std::unique_ptr<small_writer> primary,
                                                         std::vector<std::unique_ptr<small_writer>> mirrors) {
  if (mirrors.empty()) return primary;
  return std::make_unique<mirrored_small_writer>(std::move(primary), std::move(mirrors));
}

}  // namespace obsync::store
