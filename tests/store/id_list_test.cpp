#include "store/id_list.hpp"

#include <gtest/gtest.h>

#include "tests/support/catalog_fixture.hpp"

namespace obsync::store {
namespace {

using test::id_of;

TEST(IdList, PutsRawIdsOneAfterAnotherInOrder) {
  const bytes joined = join_ids(std::vector{id_of<version_id>(2), id_of<version_id>(1)});
  ASSERT_EQ(joined.size(), 64u);
  EXPECT_EQ(joined[31], 2);
  EXPECT_EQ(joined[63], 1);
}

TEST(IdList, SplitsWhatItJoined) {
  const std::vector ids = {id_of<chunk_sid>(3), id_of<chunk_sid>(3), id_of<chunk_sid>(1)};
  EXPECT_EQ(split_ids<chunk_sid>(join_ids(ids)), ids);
  EXPECT_EQ(split_ids<chunk_sid>({}), std::vector<chunk_sid>{});
}

TEST(IdList, RefusesABrokenLength) {
  EXPECT_EQ(split_ids<chunk_sid>(bytes(33)), std::nullopt);
}

}  // namespace
}  // namespace obsync::store
