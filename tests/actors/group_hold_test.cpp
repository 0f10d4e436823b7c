#include "actors/group_hold.hpp"

#include <gtest/gtest.h>

namespace obsync::actors {
namespace {

TEST(GroupHold, ALonelyRequestNeverWaits) {
  group_hold hold;
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(hold.is_complete(1));
    hold.flushed(1);
  }
}

TEST(GroupHold, WaitsForAsManyAsCameTogether) {
  group_hold hold;
  hold.flushed(4);
  EXPECT_FALSE(hold.is_complete(3));
  EXPECT_TRUE(hold.is_complete(4));
}

TEST(GroupHold, ForgetsCompanyThatStaysAway) {
  group_hold hold;
  hold.flushed(4);
  hold.flushed(1);
  EXPECT_FALSE(hold.is_complete(1)) << "one late request does not end it";
  hold.flushed(1);
  EXPECT_TRUE(hold.is_complete(1));
}

TEST(GroupHold, HopesForOneMoreNowAndThenButNeverAlone) {
  group_hold hold;
  int hopes = 0;
  for (int i = 0; i < 8; ++i) {
    hold.flushed(2);
    if (!hold.is_complete(2)) ++hopes;
    EXPECT_TRUE(hold.is_complete(3));
  }
  EXPECT_EQ(hopes, 2);
}

}  // namespace
}  // namespace obsync::actors
