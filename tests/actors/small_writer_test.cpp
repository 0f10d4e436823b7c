#include "actors/small_writer.hpp"

#include <set>

#include "crypto/digest.hpp"
#include "store/blob_store.hpp"
#include "tests/actors/actor_world.hpp"
#include "tests/support/sim_disk.hpp"

namespace obsync::actors {
namespace {

// A small store in memory that counts its flushes and fails when told.
class counted_chunks final : public store::small_writer {
 public:
  result<std::vector<store::put_result>> put(std::span<const store::small_put> batch) override {
    ++flushes;
    if (failure) return *failure;
    std::vector<store::put_result> out;
    for (const store::small_put& one : batch)
      out.push_back(held.insert(one.sid).second ? store::put_result::created : store::put_result::existed);
    return out;
  }
  result<bool> erase(const account_id&, std::int64_t rows_max) override {
    if (failure) return *failure;
    for (; rows_max > 0 && !held.empty(); --rows_max) held.erase(held.begin());
    return held.empty();
  }
  status renew(std::span<const store::small_key> chunks, std::int64_t, std::int64_t) override {
    if (failure) return *failure;
    for (const store::small_key& one : chunks) renewed.insert(one.sid);
    return {};
  }
  status restore(const account_id&, const chunk_sid& sid, byte_view, std::int64_t) override {
    held.insert(sid);
    return {};
  }
  result<store::removed_chunks> remove(const account_id&, std::span<const chunk_sid> sids,
                                       std::int64_t) override {
    if (failure) return *failure;
    store::removed_chunks out;
    for (const chunk_sid& sid : sids)
      if (held.erase(sid) > 0) out = {out.chunks + 1, out.bytes + 10, {}};
    return out;
  }
  result<bool> give_pages_back(std::int64_t) override { return false; }
  std::uint64_t flush_count() const override { return flushes; }

  std::set<chunk_sid> renewed;
  std::set<chunk_sid> held;
  std::optional<error> failure;
  std::uint64_t flushes = 0;
};

class counted_reader final : public store::small_reader {
 public:
  explicit counted_reader(const counted_chunks& of) : of_(of) {}
  result<bool> has(const account_id&, const chunk_sid& sid) override { return of_.held.contains(sid); }
  result<std::optional<std::int64_t>> size_of(const account_id&, const chunk_sid&) override {
    return std::optional<std::int64_t>();
  }
  result<std::optional<bytes>> get(const account_id&, const chunk_sid&) override {
    return std::optional<bytes>();
  }
  result<std::vector<chunk_sid>> names(const account_id&, const std::optional<chunk_sid>&,
                                       std::int64_t) override {
    return std::vector<chunk_sid>(of_.held.begin(), of_.held.end());
  }
  result<std::vector<std::pair<account_id, std::int64_t>>> usage() override {
    return std::vector<std::pair<account_id, std::int64_t>>();
  }

 private:
  const counted_chunks& of_;
};

class SmallWriter : public actor_world {
 protected:
  SmallWriter() {
    blobs_ = std::move(*store::open_blob_store(disk_, {"/blobs", {}}));
    space_ = std::make_shared<store::room>(disk_, "/blobs", 1'000'000, store::watermark{0, 0});
    auto present = std::make_shared<store::chunk_source>(std::make_unique<counted_reader>(*chunks_), *blobs_);
    writer_ =
        keep(spawn_small_writer(*system_, placement::pool, {}, {chunks_, present, space_, time_, state_}));
  }

  recorded_call_ptr put(const std::string& body, std::optional<chunk_sid> as = {}) {
    const chunk_sid sid = as ? *as : chunk_sid{crypto::sha256(as_bytes(body)).raw};
    auto call = make_call(route::chunk_put, {sid.hex()}, body);
    caf::anon_send(writer_, small_chunk_call{call, {}, sid});
    return call;
  }

  test::sim_disk disk_;
  std::shared_ptr<store::blob_store> blobs_;
  std::shared_ptr<counted_chunks> chunks_ = std::make_shared<counted_chunks>();
  std::shared_ptr<store::room> space_;
  std::shared_ptr<health> state_ = std::make_shared<health>();
  caf::actor writer_;
};

TEST_F(SmallWriter, ChunksThatWaitShareOneFlush) {
  const auto a = put("a");
  const auto b = put("b");
  run();
  EXPECT_EQ(a->status(), 201);
  EXPECT_EQ(b->status(), 201);
  EXPECT_EQ(chunks_->flushes, 1u);
  EXPECT_EQ(space_->used({}), 2);
}

TEST_F(SmallWriter, AStoredChunkIsAnswered200WithoutAFlushEvenWhenTheVolumeIsFull) {
  put("a");
  run();
  space_->set_used({}, 1'000'000);
  const auto again = put("a");
  const auto fresh = put("b");
  run();
  EXPECT_EQ(again->status(), 200);
  EXPECT_EQ(fresh->decision(), "volume_full");
  EXPECT_EQ(chunks_->flushes, 1u);
}

TEST_F(SmallWriter, AStoredChunkThatCouldNotBeKeptFromTheCollectorIsNotCalledStored) {
  put("a");
  run();
  chunks_->failure = error{errc::no_space, "full"};
  const auto full = put("a");
  run();
  EXPECT_EQ(full->decision(), "storage_full");
  EXPECT_TRUE(chunks_->renewed.empty());
  chunks_->failure = error{errc::io_failed, "EIO"};
  const auto broken = put("a");
  run();
  EXPECT_EQ(broken->decision(), "io_error");
}

TEST_F(SmallWriter, TheSameChunkTwiceInOneGroupIsCountedOnce) {
  const auto a = put("same");
  const auto b = put("same");
  run();
  EXPECT_EQ(a->status() + b->status(), 401) << "one 201 and one 200";
  EXPECT_EQ(space_->used({}), 4);
}

TEST_F(SmallWriter, ABodyThatDoesNotHashToItsNameIsNotStored) {
  const auto wrong = put("body", chunk_sid{});
  run();
  EXPECT_EQ(wrong->decision(), "sid_mismatch");
  EXPECT_TRUE(chunks_->held.empty());
  EXPECT_EQ(space_->used({}), 0);
}

TEST_F(SmallWriter, AFullDiskRefusesAndABrokenOneFaults) {
  chunks_->failure = error{errc::no_space, "full"};
  const auto full = put("a");
  run();
  EXPECT_EQ(full->decision(), "storage_full");
  state_->set_started();
  EXPECT_FALSE(state_->reason().has_value());
  chunks_->failure = error{errc::io_failed, "EIO"};
  const auto broken = put("a");
  run();
  EXPECT_EQ(broken->decision(), "io_error");
  EXPECT_TRUE(state_->reason().has_value());
}

}  // namespace
}  // namespace obsync::actors
