#include "store/mirrored_small_writer.hpp"

#include <utility>

namespace obsync::store {

namespace {

class mirrored_small_writer final : public small_writer {
 public:
  mirrored_small_writer(std::unique_ptr<small_writer> primary, std::vector<small_writer_opener> mirrors,
                        std::shared_ptr<mirror_watch> watch)
      : primary_(std::move(primary)), watch_(std::move(watch)) {
    for (small_writer_opener& open : mirrors) mirrors_.push_back({std::move(open), nullptr});
  }

  status open() {
    return on_mirrors([](small_writer&) { return status{}; });
  }

  result<std::vector<put_result>> put(std::span<const small_put> batch) override {
    if (const status done = on_mirrors([&](small_writer& mirror) { return outcome_of(mirror.put(batch)); });
        !done)
      return done.error();
    return primary_->put(batch);
  }
  status restore(const account_id& account, const chunk_sid& sid, byte_view body,
                 std::int64_t now_ms) override {
    if (const status done =
            on_mirrors([&](small_writer& mirror) { return mirror.restore(account, sid, body, now_ms); });
        !done)
      return done;
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
    const status done = on_mirrors(
        [&](small_writer& mirror) { return outcome_of(mirror.remove(account, removed->sids, any_age)); });
    if (!done) return done.error();
    return removed;
  }
  result<bool> give_pages_back(std::int64_t pages_max) override {
    bool more = false;
    const status done = on_mirrors([&](small_writer& mirror) {
      const auto left = mirror.give_pages_back(pages_max);
      more = more || (left && *left);
      return outcome_of(left);
    });
    if (!done) return done.error();
    const auto left = primary_->give_pages_back(pages_max);
    if (!left) return left;
    return more || *left;
  }
  result<bool> erase(const account_id& account, std::int64_t rows_max) override {
    bool finished = true;
    const status done = on_mirrors([&](small_writer& mirror) {
      const auto all = mirror.erase(account, rows_max);
      finished = finished && all && *all;
      return outcome_of(all);
    });
    if (!done) return done.error();
    for (std::size_t i = 0; i < mirrors_.size(); ++i)
      if (watch_->is_behind(i)) return error{errc::unavailable, "a mirror that may hold chunks is behind"};
    const auto all = primary_->erase(account, rows_max);
    if (!all) return all;
    return finished && *all;
  }
  std::uint64_t flush_count() const override {
    std::uint64_t out = primary_->flush_count();
    for (const one_mirror& mirror : mirrors_)
      if (mirror.writer) out += mirror.writer->flush_count();
    return out;
  }

 private:
  struct one_mirror {
    small_writer_opener open;
    std::unique_ptr<small_writer> writer;  // nothing while it is behind, and until it is needed again
  };

  template <class Value>
  static status outcome_of(const result<Value>& from) {
    return from ? status{} : status{from.error()};
  }

  // A mirror that failed is let go of: what is open there may belong to a volume that is gone.
  template <class Act>
  status on_mirrors(Act act) {
    for (std::size_t i = 0; i < mirrors_.size(); ++i) {
      one_mirror& mirror = mirrors_[i];
      if (watch_->is_behind(i)) {
        mirror.writer.reset();
        continue;
      }
      status done;
      if (!mirror.writer) {
        auto opened = mirror.open();
        if (opened) mirror.writer = std::move(*opened);
        done = outcome_of(opened);
      }
      if (done) done = act(*mirror.writer);
      if (done) continue;
      if (!watch_->go_on_without(i, done.error())) return done;
      mirror.writer.reset();
    }
    return {};
  }

  std::unique_ptr<small_writer> primary_;
  std::vector<one_mirror> mirrors_;
  std::shared_ptr<mirror_watch> watch_;
};

}  // namespace

result<std::unique_ptr<small_writer>> open_mirrored_small_writer(std::unique_ptr<small_writer> primary,
                                                                 std::vector<small_writer_opener> mirrors,
                                                                 std::shared_ptr<mirror_watch> watch) {
  if (mirrors.empty()) return primary;
  auto made =
      std::make_unique<mirrored_small_writer>(std::move(primary), std::move(mirrors), std::move(watch));
  if (const status opened = made->open(); !opened) return opened.error();
  return std::unique_ptr<small_writer>(std::move(made));
}

}  // namespace obsync::store
