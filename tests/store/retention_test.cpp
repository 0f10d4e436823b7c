#include "store/retention.hpp"

#include <gtest/gtest.h>

namespace obsync::store {
namespace {

constexpr std::int64_t day = 86'400'000;
constexpr std::int64_t now = 1'000 * day;
const retention_rule rule{30, 3};

// Newest first: each version's age in days; `heads` are positions.
retention_verdict judge_ages(const std::vector<std::int64_t>& ages, const std::vector<std::size_t>& heads,
                             bool newest_deleted = false, std::int64_t heard_days_ago = 0) {
  std::vector<kept_version> all;
  for (std::size_t at = 0; at < ages.size(); ++at)
    all.push_back({static_cast<sequence>(ages.size() - at), now - ages[at] * day, newest_deleted && at == 0});
  for (const std::size_t at : heads) all[at].is_head = true;
  return judge(all, rule, now, now - heard_days_ago * day);
}

TEST(Retention, KeepsTheNewestWhateverTheirAge) {
  EXPECT_TRUE(judge_ages({100, 200, 300}, {0}).versions.empty());
}

TEST(Retention, KeepsTheYoungHoweverMany) {
  EXPECT_TRUE(judge_ages({0, 1, 2, 3, 4, 5, 29, 30}, {0}).versions.empty());
}

TEST(Retention, LetsTheOldGoOldestFirst) {
  EXPECT_EQ(judge_ages({1, 2, 3, 31, 40}, {0}).versions, (std::vector<sequence>{1, 2}));
}

TEST(Retention, KeepsEveryHeadOfAnUnsettledFork) {
  EXPECT_EQ(judge_ages({1, 2, 3, 31, 40}, {0, 4}).versions, (std::vector<sequence>{2}));
}

TEST(Retention, AFileDeletedLongAgoGoesWhole) {
  const auto verdict = judge_ages({31, 32}, {0}, true);
  EXPECT_TRUE(verdict.whole_file);
  EXPECT_EQ(verdict.versions, (std::vector<sequence>{1, 2}));
}

TEST(Retention, ATombstoneWaitsForADeviceThatWasAwaySinceBeforeIt) {
  const auto verdict = judge_ages({31, 32, 33}, {0}, true, 31);
  EXPECT_FALSE(verdict.whole_file);
  EXPECT_TRUE(verdict.waits);
  EXPECT_EQ(verdict.versions, (std::vector<sequence>{1, 2})) << "the tombstone alone stays";
  EXPECT_TRUE(judge_ages({31, 32, 33}, {0}, true, 30).whole_file);
}

TEST(Retention, AFileDeletedLatelyStays) {
  EXPECT_FALSE(judge_ages({29, 40}, {0}, true).whole_file);
  EXPECT_TRUE(judge_ages({29, 40}, {0}, true).versions.empty());
}

TEST(Retention, ATombstoneBesideAnotherHeadBuriesNothing) {
  const auto verdict = judge_ages({31, 32}, {0, 1}, true);
  EXPECT_FALSE(verdict.whole_file);
  EXPECT_TRUE(verdict.versions.empty());
}

TEST(Retention, OfNothingNothingGoes) {
  EXPECT_TRUE(judge_ages({}, {}).versions.empty());
}

}  // namespace
}  // namespace obsync::store
