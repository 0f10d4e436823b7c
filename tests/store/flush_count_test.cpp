// What the store waits for, counted at the border to the file system.
#include "store/catalog.hpp"
#include "store/small_store.hpp"

#include <gtest/gtest.h>

#include "tests/support/catalog_fixture.hpp"
#include "tests/support/faulty_vfs.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::store {
namespace {

using test::id_of;
using test::post_of;

class FlushCount : public ::testing::Test {
 protected:
  test::faulty_vfs files;
  test::scratch_folder folder;
  test::chunks_in_memory presence;
};

TEST_F(FlushCount, IsOneForABatchOfThePostsOfManyDevices) {
  auto writer = open_catalog_writer({folder.path()}, presence).value();
  const std::vector<operation> first = {test::account_of(1, 1)};
  ASSERT_TRUE(writer->commit(first).ok());  // begins the log, which costs one more
  const auto before = files.sync_count();
  const auto counted = writer->flush_count();
  for (std::uint64_t round = 0; round < 10; ++round) {
    std::vector<operation> batch;
    for (std::uint64_t at = 1; at <= 16; ++at) batch.push_back(post_of(100 * round + at, 100 * round + at));
    ASSERT_TRUE(writer->commit(batch).ok());
  }
  EXPECT_EQ(files.sync_count() - before, 10u);
  EXPECT_EQ(writer->flush_count() - counted, 10u);
}

TEST_F(FlushCount, IsZeroForABatchThatChangesNothing) {
  auto writer = open_catalog_writer({folder.path()}, presence).value();
  const std::vector<operation> first = {test::account_of(1, 1), post_of(1, 1),
                                        advance_horizon{id_of<device_id>(1), 100}};
  ASSERT_TRUE(writer->commit(first).ok());
  const auto before = files.sync_count();
  auto refused = post_of(2, 2);
  refused.post.sids = {id_of<chunk_sid>(1)};
  const std::vector<operation> idle = {post_of(1, 1), refused, advance_horizon{id_of<device_id>(1), 90},
                                       settle_horizon{id_of<device_id>(1), 100}, delete_all_pending{}};
  ASSERT_TRUE(writer->commit(idle).ok());
  ASSERT_TRUE(writer->commit({}).ok());
  EXPECT_EQ(files.sync_count(), before);
  EXPECT_EQ(writer->flush_count(), 1u);
}

TEST_F(FlushCount, IsZeroForEveryReadOfTheCatalog) {
  auto writer = open_catalog_writer({folder.path()}, presence).value();
  const std::vector<operation> first = {test::account_of(1, 1), post_of(1, 1)};
  ASSERT_TRUE(writer->commit(first).ok());
  const auto before = files.sync_count();
  auto reader = open_catalog_reader({folder.path()}).value();
  const account_id family = id_of<account_id>(1);
  ASSERT_TRUE(reader->accounts().ok());
  ASSERT_TRUE(reader->devices().ok());
  ASSERT_TRUE(reader->files(family, {}, 10).ok());
  ASSERT_TRUE(reader->file(family, id_of<file_id>(1), 10, 1000).ok());
  ASSERT_TRUE(reader->changes(family, 0, 10, 1000).ok());
  EXPECT_EQ(files.sync_count(), before);
}

TEST_F(FlushCount, IsOneForABatchOfSmallChunksAndZeroForKnownOnes) {
  auto writer = open_small_writer({folder.path()}).value();
  const auto batch_from = [](std::uint64_t first) {
    static const bytes body(2048);
    std::vector<small_put> batch;
    for (std::uint64_t at = 0; at < 32; ++at) {
      batch.push_back({id_of<account_id>(1 + at % 2), id_of<chunk_sid>(first + at), body, 1});
    }
    return batch;
  };
  ASSERT_TRUE(writer->put(batch_from(0)).ok());
  const auto before = files.sync_count();
  ASSERT_TRUE(writer->put(batch_from(100)).ok());
  EXPECT_EQ(files.sync_count() - before, 1u);
  ASSERT_TRUE(writer->put(batch_from(100)).ok());
  EXPECT_EQ(files.sync_count() - before, 1u);
  EXPECT_EQ(writer->flush_count(), 2u);
}

}  // namespace
}  // namespace obsync::store
