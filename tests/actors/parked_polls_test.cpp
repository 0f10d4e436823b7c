#include "actors/parked_polls.hpp"

#include "tests/actors/actor_world.hpp"

namespace obsync::actors {
namespace {

TEST(ParkedPolls, GivesBackTheOldestPastItsBound) {
  parked_polls polls;
  const auto first = make_call(route::changes);
  EXPECT_EQ(polls.park(first, 1, 100, 2), nullptr);
  EXPECT_EQ(polls.park(make_call(route::changes), 1, 100, 2), nullptr);
  EXPECT_EQ(polls.park(make_call(route::changes), 1, 100, 2), first);
}

TEST(ParkedPolls, WakesOnlyThoseThatHaveNotSeenTheHead) {
  parked_polls polls;
  const auto behind = make_call(route::changes);
  polls.park(behind, 4, 100, 8);
  polls.park(make_call(route::changes), 5, 100, 8);
  EXPECT_EQ(polls.take_before(5), std::vector<call_ptr>{behind});
  EXPECT_FALSE(polls.empty());
}

TEST(ParkedPolls, AnEarlierDeadlineGetsATimerOfItsOwn) {
  parked_polls polls;
  polls.park(make_call(route::changes), 1, 1000, 8);
  EXPECT_EQ(polls.delay_to_arm(0), 1000);
  EXPECT_FALSE(polls.delay_to_arm(0).has_value()) << "one timer is enough";
  polls.park(make_call(route::changes), 1, 200, 8);
  EXPECT_EQ(polls.delay_to_arm(0), 200);
}

TEST(ParkedPolls, DropsWhoHungUpWhenTimeIsLookedAt) {
  parked_polls polls;
  const auto gone = make_call(route::changes);
  polls.park(gone, 1, 1000, 8);
  gone->abandoned = true;
  EXPECT_EQ(polls.take_due(0), std::vector<call_ptr>{gone});
}

}  // namespace
}  // namespace obsync::actors
