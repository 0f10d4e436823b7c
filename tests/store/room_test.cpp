#include "store/room.hpp"

#include <gtest/gtest.h>

#include "tests/support/catalog_fixture.hpp"
#include "tests/support/sim_disk.hpp"

namespace obsync::store {
namespace {

using test::id_of;
using test::sim_disk;
using wire::refusal;

const account_id one = id_of<account_id>(1);
const account_id two = id_of<account_id>(2);
constexpr watermark keep_100 = {0, 100};

TEST(Watermark, IsTheLargerOfShareAndSize) {
  EXPECT_EQ((watermark{5, 10}.of(1000)), 50);
  EXPECT_EQ((watermark{5, 80}.of(1000)), 80);
  EXPECT_EQ(watermark{}.of(1LL << 40), (1LL << 40) / 100 * 5);
  EXPECT_EQ(watermark{}.of(10LL << 30), 2LL << 30);
}

TEST(Room, KeepsTheWatermarkOfADeclaredCapacityFree) {
  sim_disk on;
  room space(on, "/", 1000, keep_100);
  EXPECT_EQ(space.reserve(one, 901).error().code, refusal::volume_full);
  EXPECT_TRUE(space.reserve(one, 900).ok());
}

TEST(Room, CountsPromisesOfUploadsInFlight) {
  sim_disk on;
  room space(on, "/", 1000, keep_100);
  auto first = space.reserve(one, 600);
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(space.reserve(two, 301).error().code, refusal::volume_full);
  EXPECT_TRUE(space.reserve(two, 300).ok());
}

TEST(Room, TakesBackAPromiseThatWasNotKept) {
  sim_disk on;
  room space(on, "/", 1000, keep_100);
  { const auto promise = space.reserve(one, 900); }
  EXPECT_EQ(space.used(one), 0);
  EXPECT_TRUE(space.reserve(one, 900).ok());
}

TEST(Room, CountsKeptBytesForTheAccountAndTheVolume) {
  sim_disk on;
  room space(on, "/", 1000, keep_100);
  space.set_used(two, 50);
  space.reserve(one, 500)->keep();
  EXPECT_EQ(space.used(one), 500);
  EXPECT_EQ(space.used_total(), 550);
  EXPECT_EQ(space.reserve(one, 351).error().code, refusal::volume_full);
  space.set_used(two, 0);
  EXPECT_TRUE(space.reserve(one, 400).ok());
}

TEST(Room, MovesAPromiseWithItsObject) {
  sim_disk on;
  room space(on, "/", 1000, keep_100);
  room::reservation held;
  {
    auto promise = space.reserve(one, 900);
    held = std::move(*promise);
  }
  EXPECT_EQ(space.reserve(one, 1).error().code, refusal::volume_full);
  held = room::reservation();
  EXPECT_TRUE(space.reserve(one, 1).ok());
}

TEST(Room, AsksTheFileSystemWhereNoCapacityIsDeclared) {
  sim_disk on(1, {1000, 400});
  room space(on, "/", std::nullopt, {20, 0});
  EXPECT_EQ(space.reserve(one, 201).error().code, refusal::volume_full);
  EXPECT_TRUE(space.reserve(one, 200).ok());
}

TEST(Room, LetsTheStricterOfCapacityAndFileSystemWin) {
  sim_disk on(1, {1000, 400});
  room roomy(on, "/", 1'000'000, keep_100);
  EXPECT_EQ(roomy.reserve(one, 301).error().code, refusal::volume_full);
  room tight(on, "/", 200, keep_100);
  EXPECT_EQ(tight.reserve(one, 101).error().code, refusal::volume_full);
}

TEST(Room, RefusesWhenTheVolumeCannotBeAsked) {
  sim_disk on;
  room space(on, "/", std::nullopt, keep_100);
  on.fail_at(0, errc::io_failed);
  EXPECT_EQ(space.reserve(one, 1).error().code, refusal::volume_full);
}

TEST(Room, RefusesBeyondAQuotaButSaysFirstWhenTheVolumeIsFull) {
  sim_disk on;
  room space(on, "/", 1000, keep_100);
  space.set_quota(one, 100);
  space.set_used(one, 40);
  const auto promise = space.reserve(one, 30);
  ASSERT_TRUE(promise.ok());
  EXPECT_EQ(space.reserve(one, 31).error().code, refusal::quota_exceeded);
  EXPECT_TRUE(space.reserve(one, 30).ok());
  EXPECT_EQ(space.reserve(one, 5000).error().code, refusal::volume_full);
  space.set_quota(one, std::nullopt);
  EXPECT_TRUE(space.reserve(one, 500).ok());
}

}  // namespace
}  // namespace obsync::store
