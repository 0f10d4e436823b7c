#include "store/journal_room.hpp"

#include <gtest/gtest.h>

#include "tests/support/sim_disk.hpp"

namespace obsync::store {
namespace {

using test::sim_disk;
using wire::refusal;

constexpr watermark keep_100 = {0, 100};

// A journal volume that holds one file of so many bytes.
void fill(sim_disk& on, std::size_t bytes_held) {
  for (const std::string folder : {"/j", "/j/v1"}) ASSERT_TRUE(on.make_folder(folder).ok());
  const auto file = on.create("/j/v1/catalog.db");
  ASSERT_TRUE((*file)->write_at(0, bytes(bytes_held, 'x')).ok());
}

TEST(JournalRoom, KeepsTheWatermarkOfADeclaredCapacityFree) {
  sim_disk on;
  fill(on, 500);
  const journal_room space(on, {"journal", "ssd", "/j", 1000, keep_100});
  EXPECT_EQ(space.refuse(400), std::nullopt);
  EXPECT_EQ(space.refuse(401), refusal::journal_full);
}

TEST(JournalRoom, AsksTheFileSystemWhereNoCapacityIsDeclared) {
  sim_disk on(1, {1000, 400});
  fill(on, 500);
  const journal_room space(on, {"journal", "ssd", "/j", {}, keep_100});
  EXPECT_EQ(space.refuse(300), std::nullopt);
  EXPECT_EQ(space.refuse(301), refusal::journal_full);
}

TEST(JournalRoom, LetsTheStricterOfCapacityAndFileSystemWin) {
  sim_disk on(1, {1000, 400});
  fill(on, 500);
  EXPECT_EQ(journal_room(on, {"journal", "ssd", "/j", 1'000'000, keep_100}).refuse(301),
            refusal::journal_full);
  EXPECT_EQ(journal_room(on, {"journal", "ssd", "/j", 700, keep_100}).refuse(101), refusal::journal_full);
}

TEST(JournalRoom, AVolumeThatCannotBeAskedIsUnverifiedUntilItCan) {
  sim_disk on;
  fill(on, 500);
  const journal_room space(on, {"journal", "ssd", "/j", 1000, keep_100});
  for (const std::uint64_t n : {0u, 1u, 2u, 4u}) {  // all but the size of a file that may have gone
    on.fail_at(n, errc::io_failed);
    EXPECT_EQ(space.refuse(1), refusal::journal_unverified) << n;
  }
  EXPECT_EQ(space.refuse(1), std::nullopt);
}

}  // namespace
}  // namespace obsync::store
