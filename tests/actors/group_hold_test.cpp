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

// How many of the next `count` groups of two would have waited for more.
int hopes_among(group_hold& hold, int count) {
  int hopes = 0;
  for (int i = 0; i < count; ++i) {
    if (!hold.is_complete(2)) ++hopes;
    EXPECT_TRUE(hold.is_complete(4)) << "twice of what came is always enough";
    hold.flushed(2);
  }
  return hopes;
}

TEST(GroupHold, HopesForTwiceAsManyEverMoreSeldom) {
  group_hold hold;
  hold.flushed(2);
  EXPECT_EQ(hopes_among(hold, 5), 1);
  EXPECT_EQ(hopes_among(hold, 8), 0);
  EXPECT_EQ(hopes_among(hold, 1), 1);
  hopes_among(hold, 200);
  EXPECT_EQ(hopes_among(hold, 65 * 3), 3);
}

TEST(GroupHold, HopesSoonAgainOnceItWasRight) {
  group_hold hold;
  hold.flushed(2);
  hopes_among(hold, 300);
  hold.flushed(4);
  for (int i = 0; i < 4; ++i) hold.flushed(4);
  EXPECT_FALSE(hold.is_complete(4));
  EXPECT_TRUE(hold.is_complete(8));
}

}  // namespace
}  // namespace obsync::actors
