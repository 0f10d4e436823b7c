#include "store/chunk_reader.hpp"

#include <gtest/gtest.h>

#include "crypto/digest.hpp"
#include "tests/support/catalog_fixture.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/sim_disk.hpp"

namespace obsync::store {
namespace {

using test::id_of;

const account_id one = id_of<account_id>(1);
const account_id two = id_of<account_id>(2);

class ChunkReader : public ::testing::Test {
 protected:
  void SetUp() override {
    small = open_small_writer({folder.path()}).value();
    blobs = open_blob_store(on, {"/v1", {}}).value();
    source = std::make_unique<chunk_source>(open_small_reader({folder.path()}).value(), *blobs);
    const bytes small_body = {1, 2};
    const std::vector<small_put> batch = {{one, small_sid, small_body, 1}};
    ASSERT_TRUE(small->put(batch).ok());
    auto upload = blobs->begin(one, large_sid, large.size()).value();
    ASSERT_TRUE(upload->write(large).ok());
    ASSERT_TRUE(upload->finish().ok());
  }

  test::scratch_folder folder;
  test::sim_disk on;
  const bytes large = bytes(1000, 9);
  const chunk_sid small_sid = id_of<chunk_sid>(1);
  const chunk_sid large_sid = *chunk_sid::from(crypto::sha256(large).view());
  const chunk_sid absent_sid = id_of<chunk_sid>(2);
  std::unique_ptr<small_writer> small;
  std::unique_ptr<blob_store> blobs;
  std::unique_ptr<chunk_source> source;
};

TEST_F(ChunkReader, FindsAChunkInEitherPlace) {
  EXPECT_TRUE(*source->has(one, small_sid));
  EXPECT_TRUE(*source->has(one, large_sid));
  EXPECT_FALSE(*source->has(one, absent_sid));
  EXPECT_EQ(*source->size_of(one, small_sid), 2u);
  EXPECT_EQ(*source->size_of(one, large_sid), 1000u);
  EXPECT_EQ(*source->size_of(one, absent_sid), std::nullopt);
}

TEST_F(ChunkReader, ListsWhatIsMissingInTheOrderAskedWithItsDuplicates) {
  const std::vector<chunk_sid> asked = {id_of<chunk_sid>(9), large_sid, absent_sid, small_sid,
                                        id_of<chunk_sid>(9)};
  EXPECT_EQ(*source->missing(one, asked),
            (std::vector<chunk_sid>{id_of<chunk_sid>(9), absent_sid, id_of<chunk_sid>(9)}));
  EXPECT_EQ(*source->missing(two, asked), asked);
}

TEST_F(ChunkReader, OpensASmallChunkAsBytesAndALargeOneAsAFile) {
  const auto small_chunk = source->open(one, small_sid);
  ASSERT_TRUE(small_chunk.ok() && *small_chunk);
  EXPECT_EQ(std::get<bytes>((**small_chunk).body), (bytes{1, 2}));
  const auto large_chunk = source->open(one, large_sid);
  ASSERT_TRUE(large_chunk.ok() && *large_chunk);
  EXPECT_EQ((**large_chunk).size, 1000u);
  bytes read(1000);
  EXPECT_EQ(*std::get<std::unique_ptr<disk_file>>((**large_chunk).body)->read_at(0, read), 1000u);
  EXPECT_EQ(read, large);
  EXPECT_FALSE((*source->open(two, large_sid)).has_value());
}

}  // namespace
}  // namespace obsync::store
