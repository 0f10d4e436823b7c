#include "actors/replay_horizon.hpp"

#include <gtest/gtest.h>

namespace obsync::actors {
namespace {

TEST(ReplayHorizon, RefusesWhatAFormerProcessMayHaveAccepted) {
  const replay_horizon horizon(100, 100, 2);
  EXPECT_TRUE(horizon.may_be_replay(99));
  EXPECT_TRUE(horizon.may_be_replay(100));
  EXPECT_FALSE(horizon.may_be_replay(101));
}

TEST(ReplayHorizon, CoversNothingBeyondWhatLanded) {
  replay_horizon horizon(0, 0, 2);
  EXPECT_FALSE(horizon.covers(50));
  EXPECT_EQ(horizon.ask(50), 52);
  EXPECT_TRUE(horizon.will_cover(52));
  EXPECT_FALSE(horizon.covers(50)) << "asking is not having";
  horizon.landed(52);
  EXPECT_TRUE(horizon.covers(52));
  EXPECT_FALSE(horizon.covers(53));
}

TEST(ReplayHorizon, AFailedCommitIsAskedForAgain) {
  replay_horizon horizon(0, 10, 2);
  horizon.ask(50);
  horizon.failed(52);
  EXPECT_FALSE(horizon.will_cover(50));
  EXPECT_TRUE(horizon.covers(10));
}

TEST(ReplayHorizon, RidesAlongOnlyWhenItIsAboutToRunOut) {
  replay_horizon horizon(0, 100, 2);
  EXPECT_FALSE(horizon.ride_along(98).has_value());
  EXPECT_FALSE(horizon.ride_along(99).has_value());
  EXPECT_EQ(horizon.ride_along(100), 102);
}

TEST(ReplayHorizon, ACleanStopStoresTheExactLastTimestamp) {
  replay_horizon horizon(0, 0, 2);
  EXPECT_FALSE(horizon.exact().has_value()) << "nothing was accepted, so what is stored stands";
  horizon.landed(52);
  horizon.accept(50);
  EXPECT_EQ(horizon.exact(), 50);
  horizon.accept(52);
  EXPECT_FALSE(horizon.exact().has_value()) << "it is exact already";
}

TEST(ReplayHorizon, ACleanStopMeetsACommitThatIsStillUnderWay) {
  replay_horizon asked(0, 0, 2);
  asked.accept(50);
  asked.ask(50);
  EXPECT_EQ(asked.exact(), 50) << "52 may land after the question";
  replay_horizon ridden(0, 50, 2);
  ridden.accept(50);
  EXPECT_EQ(ridden.ride_along(50), 52);
  EXPECT_EQ(ridden.exact(), 50);
}

}  // namespace
}  // namespace obsync::actors
