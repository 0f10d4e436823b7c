#include "core/repeat_sum.hpp"

#include <gtest/gtest.h>

namespace obsync {
namespace {

const repeat_key wrong{"request", "bad_signature", "/v1/account", 401};
const repeat_key unknown{"request", "not_found", "/unknown", 404};

repeat_limits three_a_second() {
  return {1000, 3, 4};
}

int admitted(repeat_sum& sum, const repeat_key& key, int times, std::int64_t now_ms) {
  int count = 0;
  for (int i = 0; i < times; ++i) count += sum.admit(key, now_ms) ? 1 : 0;
  return count;
}

TEST(RepeatSum, WritesTheFirstFewAndCountsTheRest) {
  repeat_sum sum(three_a_second());
  EXPECT_EQ(admitted(sum, wrong, 1000, 5), 3);
  EXPECT_TRUE(sum.pending());
  const auto totals = sum.take_due(1005);
  ASSERT_EQ(totals.size(), 1u);
  EXPECT_EQ(totals[0].key, wrong);
  EXPECT_EQ(totals[0].count, 997);
  EXPECT_FALSE(sum.pending());
}

TEST(RepeatSum, AWindowLastsItsWholeLengthAndANewOneBeginsAfterIt) {
  repeat_sum sum(three_a_second());
  admitted(sum, wrong, 4, 0);
  EXPECT_TRUE(sum.take_due(999).empty());
  EXPECT_EQ(sum.take_due(1000).size(), 1u);
  EXPECT_EQ(admitted(sum, wrong, 5, 1000), 3);
}

TEST(RepeatSum, DifferentLinesDoNotCountForEachOther) {
  repeat_sum sum(three_a_second());
  EXPECT_EQ(admitted(sum, wrong, 5, 0), 3);
  EXPECT_EQ(admitted(sum, unknown, 5, 0), 3);
}

TEST(RepeatSum, AFewLinesLeaveNoTotal) {
  repeat_sum sum(three_a_second());
  EXPECT_EQ(admitted(sum, wrong, 3, 0), 3);
  EXPECT_FALSE(sum.pending());
  EXPECT_TRUE(sum.take_due(5000).empty());
}

TEST(RepeatSum, EndlesslyDifferentKeysShareOneWindow) {
  repeat_sum sum(three_a_second());
  int written = 0;
  for (int i = 0; i < 1000; ++i)
    written += sum.admit({"request", std::to_string(i), "/unknown", 404}, 0) ? 1 : 0;
  EXPECT_EQ(written, 4 + 3);
  const auto totals = sum.take_all();
  ASSERT_EQ(totals.size(), 1u);
  EXPECT_EQ(totals[0].key, repeat_key{});
  EXPECT_EQ(totals[0].count, 1000 - 7);
}

TEST(RepeatSum, AClockSetBackEndsTheWindowInsteadOfHoldingItForEver) {
  repeat_sum sum(three_a_second());
  admitted(sum, wrong, 5, 1'000'000);
  EXPECT_EQ(sum.take_due(0).size(), 1u);
}

}  // namespace
}  // namespace obsync
