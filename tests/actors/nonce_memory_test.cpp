#include "actors/nonce_memory.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"

namespace obsync::actors {
namespace {

class NonceMemory : public testing::Test {
 protected:
  request_nonce fresh() { return random_id<request_nonce>(random_); }
  seeded_random random_{7};
  std::shared_ptr<std::atomic<std::size_t>> total_ = std::make_shared<std::atomic<std::size_t>>(0);
};

TEST_F(NonceMemory, RefusesTheSameNonceForTenMinutesAndForgetsItThen) {
  nonce_memory memory({}, total_);
  const request_nonce nonce = fresh();
  EXPECT_TRUE(memory.use(nonce, 1000));
  EXPECT_EQ(memory.use(nonce, 1600).error().code, wire::refusal::replayed_nonce);
  EXPECT_TRUE(memory.use(fresh(), 1601));
  EXPECT_EQ(memory.size(), 1u) << "the first was forgotten";
}

TEST_F(NonceMemory, ANonceGivenBackMayBeUsedOnceMoreAndIsThenRememberedInFull) {
  nonce_memory memory({}, total_);
  const request_nonce nonce = fresh();
  EXPECT_TRUE(memory.use(nonce, 1000));
  memory.give_back(nonce);
  EXPECT_TRUE(memory.use(nonce, 1300));
  EXPECT_FALSE(memory.use(nonce, 1899)) << "its first use must not shorten the memory of its second";
}

TEST_F(NonceMemory, OneDeviceCannotTakeMoreThanItsShareNorAllMoreThanTheTotal) {
  nonce_memory crowded({2, 3}, total_);
  EXPECT_TRUE(crowded.use(fresh(), 1));
  EXPECT_TRUE(crowded.use(fresh(), 1));
  EXPECT_EQ(crowded.use(fresh(), 1).error().code, wire::refusal::nonce_share_full);
  nonce_memory other({2, 3}, total_);
  EXPECT_TRUE(other.use(fresh(), 1));
  EXPECT_EQ(other.use(fresh(), 1).error().code, wire::refusal::nonce_cache_full);
}

TEST_F(NonceMemory, GivesItsShareOfTheTotalBackWhenItGoes) {
  {
    nonce_memory memory({}, total_);
    EXPECT_TRUE(memory.use(fresh(), 1));
    EXPECT_EQ(*total_, 1u);
  }
  EXPECT_EQ(*total_, 0u);
}

}  // namespace
}  // namespace obsync::actors
