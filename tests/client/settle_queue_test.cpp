#include "client/watch/settle_queue.hpp"

#include <gtest/gtest.h>

namespace obsync::client {
namespace {

using paths = std::set<std::string>;

constexpr settle_limits limits{.settle_ms = 50, .settle_ms_max = 2'000, .quiet_ms = 5'000};

TEST(SettleQueue, ReportsAFinishedChangeOnceItHasRested) {
  settle_queue queue(limits);
  queue.finished("a", 1'000);
  EXPECT_EQ(queue.next_ms(), 1'050);
  EXPECT_EQ(queue.take(1'049), paths{});
  EXPECT_EQ(queue.take(1'050), paths{"a"});
  EXPECT_EQ(queue.next_ms(), std::nullopt);
}

TEST(SettleQueue, WaitsForTheLastOfSeveralChanges) {
  settle_queue queue(limits);
  queue.finished("a", 1'000);
  queue.finished("a", 1'040);
  EXPECT_EQ(queue.take(1'050), paths{});
  EXPECT_EQ(queue.take(1'090), paths{"a"});
}

TEST(SettleQueue, ReportsARestlessPathAllTheSame) {
  settle_queue queue(limits);
  std::int64_t now = 0;
  for (; now < 2'000; now += 40) {
    queue.finished("a", now);
    ASSERT_EQ(queue.take(now), paths{}) << now;
  }
  queue.finished("a", now);
  EXPECT_EQ(queue.take(now), paths{"a"});
}

TEST(SettleQueue, LeavesAnOpenFileAloneUntilItIsClosed) {
  settle_queue queue(limits);
  queue.writing("a", 0);
  queue.writing("a", 4'900);
  EXPECT_EQ(queue.take(5'000), paths{});
  queue.finished("a", 6'000);
  EXPECT_EQ(queue.take(6'050), paths{"a"});
}

TEST(SettleQueue, TakesSilenceForTheEndOfAWrite) {
  settle_queue queue(limits);
  queue.writing("a", 0);
  EXPECT_EQ(queue.take(4'999), paths{});
  EXPECT_EQ(queue.take(5'000), paths{"a"});
}

TEST(SettleQueue, DoesNotTakeATouchForTheEndOfAWrite) {
  settle_queue queue(limits);
  queue.writing("a", 0);
  queue.touched("a", 10);
  EXPECT_EQ(queue.take(100), paths{});
  queue.touched("b", 10);
  EXPECT_EQ(queue.take(100), paths{"b"});
}

TEST(SettleQueue, KeepsPathsApart) {
  settle_queue queue(limits);
  queue.finished("a", 0);
  queue.finished("b", 30);
  EXPECT_EQ(queue.take(50), paths{"a"});
  EXPECT_EQ(queue.take(80), paths{"b"});
}

}  // namespace
}  // namespace obsync::client
