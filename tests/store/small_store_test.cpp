// What every writer of small chunks promises: the plain one, and one with a mirror behind it.
#include "store/small_store.hpp"

#include <gtest/gtest.h>

#include <deque>

#include "store/mirrored_small_writer.hpp"
#include "tests/support/catalog_fixture.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::store {
namespace {

using test::id_of;

const account_id one = id_of<account_id>(1);
const account_id two = id_of<account_id>(2);

// The body lives as long as the test program: a put only borrows it.
small_put put_of(const account_id& account, std::uint64_t sid, bytes body) {
  static std::deque<bytes> kept;
  return {account, id_of<chunk_sid>(sid), kept.emplace_back(std::move(body)), 1};
}

class SmallStore : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    writer = open_small_writer({folder.path()}).value();
    if (GetParam()) {
      std::vector<small_writer_opener> mirrors;
      mirrors.push_back([this] { return open_small_writer({mirror.path()}); });
      writer = open_mirrored_small_writer(std::move(writer), std::move(mirrors), watch).value();
    }
    reader = open_small_reader({folder.path()}).value();
  }
  // Whatever was done, a mirror has what the primary has.
  void TearDown() override {
    if (!GetParam()) return;
    auto theirs = open_small_reader({mirror.path()}).value();
    EXPECT_EQ(*theirs->usage(), *reader->usage());
    for (const account_id& account : {one, two})
      EXPECT_EQ(*theirs->names(account, std::nullopt, 1000), *reader->names(account, std::nullopt, 1000));
  }
  std::uint64_t volumes() const { return GetParam() ? 2 : 1; }

  test::scratch_folder folder, mirror;
  std::shared_ptr<mirror_watch> watch = std::make_shared<mirror_watch>(
      mirror_failure::refuse, std::vector<mirror_view>{{"usb", mirror.path()}});
  std::unique_ptr<small_writer> writer;
  std::unique_ptr<small_reader> reader;
};

INSTANTIATE_TEST_SUITE_P(Writers, SmallStore, ::testing::Values(false, true),
                         [](const auto& of) { return of.param ? "Mirrored" : "Plain"; });

TEST_P(SmallStore, GivesBackWhatWasPut) {
  const std::vector<small_put> batch = {put_of(one, 1, {1, 2, 3}), put_of(one, 2, {})};
  EXPECT_EQ(*writer->put(batch), (std::vector{put_result::created, put_result::created}));
  EXPECT_EQ(*reader->get(one, id_of<chunk_sid>(1)), (bytes{1, 2, 3}));
  EXPECT_EQ(*reader->get(one, id_of<chunk_sid>(2)), bytes{});
  EXPECT_EQ(*reader->size_of(one, id_of<chunk_sid>(1)), 3);
  EXPECT_TRUE(*reader->has(one, id_of<chunk_sid>(1)));
  EXPECT_FALSE(*reader->has(one, id_of<chunk_sid>(3)));
  EXPECT_EQ(*reader->get(one, id_of<chunk_sid>(3)), std::nullopt);
  EXPECT_EQ(*reader->size_of(one, id_of<chunk_sid>(3)), std::nullopt);
}

TEST_P(SmallStore, AnswersForTheAskingAccountOnly) {
  const std::vector<small_put> batch = {put_of(one, 1, {1})};
  ASSERT_TRUE(writer->put(batch).ok());
  EXPECT_FALSE(*reader->has(two, id_of<chunk_sid>(1)));
  EXPECT_EQ(*reader->get(two, id_of<chunk_sid>(1)), std::nullopt);
}

TEST_P(SmallStore, StoresAChunkOnceAlsoWithinABatch) {
  const std::vector<small_put> batch = {put_of(one, 1, {1}), put_of(one, 1, {1}), put_of(two, 1, {1})};
  EXPECT_EQ(*writer->put(batch),
            (std::vector{put_result::created, put_result::existed, put_result::created}));
  EXPECT_EQ(*reader->usage(), (std::vector<std::pair<account_id, std::int64_t>>{{one, 1}, {two, 1}}));
}

TEST_P(SmallStore, FlushesOnceForABatchAndNeverForOneWithNothingNew) {
  const std::vector<small_put> batch = {put_of(one, 1, {1}), put_of(one, 2, {2}), put_of(two, 1, {1})};
  ASSERT_TRUE(writer->put(batch).ok());
  EXPECT_EQ(writer->flush_count(), volumes());
  ASSERT_TRUE(writer->put(batch).ok());
  EXPECT_EQ(writer->flush_count(), volumes());
}

TEST_P(SmallStore, CountsUsageAcrossARestart) {
  const std::vector<small_put> batch = {put_of(one, 1, bytes(100)), put_of(one, 2, bytes(200))};
  ASSERT_TRUE(writer->put(batch).ok());
  reader.reset();
  writer.reset();
  SetUp();
  EXPECT_EQ(*reader->usage(), (std::vector<std::pair<account_id, std::int64_t>>{{one, 300}}));
}

TEST_P(SmallStore, ErasesOneAccountInStepsAndKeepsTheCountExact) {
  std::vector<small_put> batch;
  for (std::uint64_t i = 1; i <= 5; ++i) batch.push_back(put_of(one, i, bytes(i, 1)));
  batch.push_back(put_of(two, 1, {1, 2, 3}));
  ASSERT_TRUE(writer->put(batch).ok());
  EXPECT_FALSE(*writer->erase(one, 2));
  EXPECT_EQ(*reader->usage(),
            (std::vector{std::pair{one, std::int64_t{3 + 4 + 5}}, std::pair{two, std::int64_t{3}}}));
  EXPECT_FALSE(*writer->erase(one, 2));
  EXPECT_TRUE(*writer->erase(one, 2));
  EXPECT_TRUE(*writer->erase(one, 2));
  EXPECT_FALSE(*reader->has(one, id_of<chunk_sid>(5)));
  EXPECT_EQ(*reader->usage(), (std::vector{std::pair{two, std::int64_t{3}}}));
  EXPECT_TRUE(*reader->has(two, id_of<chunk_sid>(1)));
}

TEST_P(SmallStore, RemovesOnlyTheOldAndCountsTheirBytes) {
  small_put young = put_of(one, 2, {1, 2});
  young.now_ms = 100;
  const std::vector<small_put> batch = {put_of(one, 1, {1, 2, 3}), young, put_of(two, 1, {9})};
  ASSERT_TRUE(writer->put(batch).ok());
  const std::vector<chunk_sid> sids{id_of<chunk_sid>(1), id_of<chunk_sid>(2), id_of<chunk_sid>(7)};
  const auto removed = writer->remove(one, sids, 100);
  EXPECT_EQ(removed->chunks, 1);
  EXPECT_EQ(removed->bytes, 3);
  EXPECT_FALSE(*reader->has(one, id_of<chunk_sid>(1)));
  EXPECT_TRUE(*reader->has(one, id_of<chunk_sid>(2)));
  EXPECT_TRUE(*reader->has(two, id_of<chunk_sid>(1)));
  EXPECT_EQ(*reader->usage(), (std::vector<std::pair<account_id, std::int64_t>>{{one, 2}, {two, 1}}));
}

TEST_P(SmallStore, AChunkSentAgainIsYoungAgainAndCostsAFlushOnlyWhenItWasOld) {
  const std::vector<small_put> batch = {put_of(one, 1, {1})};
  ASSERT_TRUE(writer->put(batch).ok());
  const std::vector<small_key> again{{one, id_of<chunk_sid>(1)}, {one, id_of<chunk_sid>(8)}};
  const std::uint64_t before = writer->flush_count();
  ASSERT_TRUE(writer->renew(again, 50, 60).ok());
  EXPECT_EQ(writer->flush_count(), before);
  ASSERT_TRUE(writer->renew(again, 100, 60).ok());
  EXPECT_EQ(writer->flush_count(), before + 1);
  const std::vector<chunk_sid> sids{id_of<chunk_sid>(1)};
  EXPECT_EQ(writer->remove(one, sids, 100)->chunks, 0);
  EXPECT_EQ(writer->remove(one, sids, 101)->chunks, 1);
}

TEST_P(SmallStore, NamesComeInOrderAPageAtATime) {
  std::vector<small_put> batch;
  for (const std::uint64_t sid : {3, 1, 2, 5, 4}) batch.push_back(put_of(one, sid, {1}));
  batch.push_back(put_of(two, 9, {1}));
  ASSERT_TRUE(writer->put(batch).ok());
  const auto first = *reader->names(one, std::nullopt, 3);
  EXPECT_EQ(first, (std::vector{id_of<chunk_sid>(1), id_of<chunk_sid>(2), id_of<chunk_sid>(3)}));
  EXPECT_EQ(*reader->names(one, first.back(), 3), (std::vector{id_of<chunk_sid>(4), id_of<chunk_sid>(5)}));
}

}  // namespace
}  // namespace obsync::store
