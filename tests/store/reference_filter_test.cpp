#include "store/reference_filter.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"

namespace obsync::store {
namespace {

chunk_sid some_sid(seeded_random& random) {
  return random_id<chunk_sid>(random);
}

TEST(ReferenceFilter, AlwaysFindsWhatWasAdded) {
  seeded_random random(1);
  const account_id account = random_id<account_id>(random);
  reference_filter filter(10'000, random);
  std::vector<chunk_sid> added;
  for (int i = 0; i < 10'000; ++i) filter.add(account, added.emplace_back(some_sid(random)));
  for (const chunk_sid& sid : added) EXPECT_TRUE(filter.may_have(account, sid));
}

TEST(ReferenceFilter, SeldomFindsWhatWasNot) {
  seeded_random random(2);
  const account_id account = random_id<account_id>(random);
  reference_filter filter(10'000, random);
  for (int i = 0; i < 10'000; ++i) filter.add(account, some_sid(random));
  int mistakes = 0;
  for (int i = 0; i < 10'000; ++i) mistakes += filter.may_have(account, some_sid(random)) ? 1 : 0;
  EXPECT_LT(mistakes, 200) << "about 1 % is the promise";
}

TEST(ReferenceFilter, AnAccountsChunksAreNotAnothers) {
  seeded_random random(3);
  const account_id one = random_id<account_id>(random), two = random_id<account_id>(random);
  reference_filter filter(1'000, random);
  int found = 0;
  for (int i = 0; i < 1'000; ++i) {
    const chunk_sid sid = some_sid(random);
    filter.add(one, sid);
    found += filter.may_have(two, sid) ? 1 : 0;
  }
  EXPECT_LT(found, 50);
}

TEST(ReferenceFilter, IsKeyedAnewSoThatOneMistakeIsNotForEver) {
  seeded_random random(4);
  const account_id account = random_id<account_id>(random);
  std::vector<chunk_sid> named;
  for (int i = 0; i < 5'000; ++i) named.push_back(some_sid(random));
  std::vector<chunk_sid> unnamed;
  for (int i = 0; i < 5'000; ++i) unnamed.push_back(some_sid(random));
  for (int round = 0; round < 10 && !unnamed.empty(); ++round) {
    reference_filter filter(5'000, random);
    for (const chunk_sid& sid : named) filter.add(account, sid);
    std::erase_if(unnamed, [&](const chunk_sid& sid) { return !filter.may_have(account, sid); });
  }
  EXPECT_TRUE(unnamed.empty());
}

TEST(ReferenceFilter, NeverTakesMoreMemoryThanItsBound) {
  seeded_random random(5);
  EXPECT_EQ(reference_filter(1'000'000'000, random).bytes(), reference_filter::bytes_max);
  EXPECT_LE(reference_filter(0, random).bytes(), 8'192u);
}

}  // namespace
}  // namespace obsync::store
