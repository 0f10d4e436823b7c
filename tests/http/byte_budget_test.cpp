#include "http/byte_budget.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace obsync::http {
namespace {

TEST(ByteBudget, MakesWhoFindsNoneLeftWaitInLine) {
  const auto budget = byte_budget::make(10);
  std::vector<int> order;
  std::vector<byte_budget::lease> held;
  const auto take = [&](int name, std::uint64_t bytes) {
    byte_budget::take(budget, bytes, [&order, &held, name](byte_budget::lease lease) {
      order.push_back(name);
      held.push_back(std::move(lease));
    });
  };
  take(1, 6);
  take(2, 6);
  take(3, 1);
  EXPECT_EQ(order, std::vector<int>{1}) << "the third would fit, but came after the second";
  byte_budget::lease first = std::move(held[0]);
  first.release();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(budget->in_use(), 7u);
}

TEST(ByteBudget, GrantsMoreThanItAllAsAll) {
  const auto budget = byte_budget::make(10);
  bool granted = false;
  byte_budget::take(budget, 1000, [&](byte_budget::lease) { granted = true; });
  EXPECT_TRUE(granted);
  EXPECT_EQ(budget->in_use(), 0u) << "the lease was dropped";
}

TEST(ByteBudget, TryTakeIsAllOrNothing) {
  const auto budget = byte_budget::make(10);
  byte_budget::lease a;
  byte_budget::lease b;
  EXPECT_TRUE(byte_budget::try_take(budget, 10, a));
  EXPECT_FALSE(byte_budget::try_take(budget, 1, b));
  a.release();
  EXPECT_TRUE(byte_budget::try_take(budget, 1, b));
}

}  // namespace
}  // namespace obsync::http
