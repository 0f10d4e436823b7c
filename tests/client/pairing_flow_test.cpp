// Both sides of a pairing against a server in memory, in the order two people would act. The sleeper that
// every wait goes through lets the other side take its next step, so nothing here depends on time.
#include <gtest/gtest.h>

#include <functional>

#include "client/pairing/claimant.hpp"
#include "client/pairing/creator.hpp"
#include "tests/support/pairing_server.hpp"

namespace obsync::client {
namespace {

class stepping_sleeper final : public sleeper {
 public:
  std::function<void()> step;
  bool sleep_ms(std::int64_t) override {
    if (!step) return false;
    std::exchange(step, nullptr)();
    return true;
  }
  void stop() override { step = nullptr; }
};

class PairingFlowTest : public ::testing::Test {
 protected:
  pairing_waits waits() { return {pauses, time, 1, {}}; }

  pairing_claim claim(const pairing_code& code) {
    public_routes routes(unsigned_calls);
    auto made = claim_pairing(routes, code, {"phone", "linux", "0.1.0"});
    EXPECT_TRUE(made);
    return *std::move(made);
  }

  test::pairing_server server;
  manual_clock time{0};
  system_random random;
  stepping_sleeper pauses;
  caller unsigned_calls{server, time, random, pauses, {1}, std::nullopt};
  caller creator_calls{server, time, random, pauses, {1}, credential{}};
  caller claimant_calls{server, time, random, pauses, {1}, credential{}};
  device_routes creator_routes{creator_calls};
  device_routes claimant_routes{claimant_calls};
  pairing_creator creator{creator_routes, random, waits()};
};

TEST_F(PairingFlowTest, HandsTheKeyOverWhenBothSeeTheSameMatchCode) {
  crypto::secret32 vault_key;
  random.fill(vault_key.raw);
  const auto code = creator.open();
  ASSERT_TRUE(code);
  pairing_claimant claimant(claimant_routes, claim(*code), waits());
  const auto visitor = creator.wait_for_visitor();
  ASSERT_TRUE(visitor);
  EXPECT_EQ(visitor->card.name, "phone");
  const auto match = claimant.wait_for_match_code();
  ASSERT_TRUE(match);
  EXPECT_EQ(*match, visitor->match_code);
  ASSERT_TRUE(creator.approve(vault_key));
  const auto key = claimant.wait_for_key();
  ASSERT_TRUE(key);
  EXPECT_EQ(key->raw, vault_key.raw);
  EXPECT_TRUE(creator.wait_for_collection());
}

TEST_F(PairingFlowTest, BothSidesWaitForEachOther) {
  const auto code = creator.open();
  ASSERT_TRUE(code);
  std::optional<pairing_claimant> claimant;
  pauses.step = [&] { claimant.emplace(claimant_routes, claim(*code), waits()); };
  const auto visitor = creator.wait_for_visitor();
  ASSERT_TRUE(visitor);
  ASSERT_TRUE(claimant->wait_for_match_code());
  pauses.step = [&] { ASSERT_TRUE(creator.approve({})); };
  EXPECT_TRUE(claimant->wait_for_key());
}

TEST_F(PairingFlowTest, TheClaimantRefusesAKeyItsCodeDoesNotCommitTo) {
  server.forged_creator_pub = to_text(crypto::p256_key::generate().public_point());
  const auto code = creator.open();
  ASSERT_TRUE(code);
  pairing_claimant claimant(claimant_routes, claim(*code), waits());
  ASSERT_TRUE(creator.wait_for_visitor());
  const auto match = claimant.wait_for_match_code();
  ASSERT_FALSE(match);
  EXPECT_EQ(match.error().code, errc::corrupt);
}

TEST_F(PairingFlowTest, TheClaimantRefusesAKeyThatChangesAfterItWasChecked) {
  const auto code = creator.open();
  ASSERT_TRUE(code);
  pairing_claimant claimant(claimant_routes, claim(*code), waits());
  ASSERT_TRUE(creator.wait_for_visitor());
  ASSERT_TRUE(claimant.wait_for_match_code());
  server.forged_creator_pub = to_text(crypto::p256_key::generate().public_point());
  ASSERT_TRUE(creator.approve({}));
  const auto key = claimant.wait_for_key();
  ASSERT_FALSE(key);
  EXPECT_EQ(key.error().code, errc::corrupt);
}

TEST_F(PairingFlowTest, TheCreatorTurnsAwayAVisitorWithoutAKey) {
  server.drops_claimant_pub = true;
  const auto code = creator.open();
  ASSERT_TRUE(code);
  claim(*code);
  const auto visitor = creator.wait_for_visitor();
  ASSERT_FALSE(visitor);
  EXPECT_EQ(visitor.error().code, errc::unsupported);
  EXPECT_TRUE(server.rejected());
}

TEST_F(PairingFlowTest, ARejectedClaimantHearsOfIt) {
  const auto code = creator.open();
  ASSERT_TRUE(code);
  pairing_claimant claimant(claimant_routes, claim(*code), waits());
  ASSERT_TRUE(creator.wait_for_visitor());
  ASSERT_TRUE(claimant.wait_for_match_code());
  ASSERT_TRUE(creator.reject());
  const auto key = claimant.wait_for_key();
  ASSERT_FALSE(key);
  EXPECT_EQ(key.error().code, errc::denied);
}

TEST_F(PairingFlowTest, ACodeIsGoodForOneDevice) {
  const auto code = creator.open();
  ASSERT_TRUE(code);
  claim(*code);
  public_routes routes(unsigned_calls);
  EXPECT_FALSE(claim_pairing(routes, *code, {"other", "linux", "0.1.0"}));
}

TEST_F(PairingFlowTest, TheCreatorStopsWaitingWhenTheCodeHasExpired) {
  ASSERT_TRUE(creator.open());
  time.set_ms(601'000);
  const auto visitor = creator.wait_for_visitor();
  ASSERT_FALSE(visitor);
  EXPECT_EQ(visitor.error().code, errc::timed_out);
}

}  // namespace
}  // namespace obsync::client
