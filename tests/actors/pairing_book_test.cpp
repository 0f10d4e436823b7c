#include "actors/pairing_book.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "wire/limits.hpp"

namespace obsync::actors {
namespace {

using wire::pairing_state;
using wire::refusal;

class PairingBook : public testing::Test {
 protected:
  PairingBook() {
    random_.fill(token_.raw);
    creator_ = random_id<device_id>(random_);
    claimant_ = random_id<device_id>(random_);
    id_ = random_id<pairing_id>(random_);
  }

  void open() { ASSERT_TRUE(book_.open(id_, {}, creator_, token_, now_)); }
  void claim() {
    auto found = book_.to_claim(id_, token_, now_);
    ASSERT_TRUE(found);
    (*found)->state = pairing_state::claimed;
    (*found)->claimant = wire::claimant_info{claimant_, {"phone", "ios", "1"}, {}, {}};
  }
  void approve() { ASSERT_TRUE(book_.approve(id_, creator_, {"envelope", "nonce"}, now_)); }

  seeded_random random_{3};
  crypto::secret32 token_;
  device_id creator_, claimant_;
  pairing_id id_;
  pairing_book book_{4};
  std::int64_t now_ = 1000;
};

TEST_F(PairingBook, AWrongTokenLooksLikeAnUnknownPairing) {
  open();
  crypto::secret32 wrong;
  EXPECT_EQ(book_.to_claim(id_, wrong, now_).error().code, refusal::unknown_pairing);
  EXPECT_EQ(book_.to_claim(random_id<pairing_id>(random_), token_, now_).error().code,
            refusal::unknown_pairing);
}

TEST_F(PairingBook, IsClaimedOnce) {
  open();
  claim();
  EXPECT_EQ(book_.to_claim(id_, token_, now_).error().code, refusal::already_claimed);
}

TEST_F(PairingBook, AClaimOnItsWayToTheJournalCountsAsAClaim) {
  open();
  (*book_.to_claim(id_, token_, now_))->busy = true;
  EXPECT_EQ(book_.to_claim(id_, token_, now_).error().code, refusal::already_claimed);
}

TEST_F(PairingBook, ExpiresAfterTenMinutes) {
  open();
  now_ += wire::pairing_life_s;
  EXPECT_EQ(book_.to_claim(id_, token_, now_).error().code, refusal::pairing_expired);
  EXPECT_EQ(book_.status(id_, creator_, now_)->state, pairing_state::expired);
}

TEST_F(PairingBook, OnlyTheCreatorSeesIt) {
  open();
  EXPECT_EQ(book_.status(id_, claimant_, now_).error().code, refusal::not_creator);
  EXPECT_EQ(book_.approve(id_, claimant_, {}, now_).error().code, refusal::not_creator);
  EXPECT_EQ(book_.to_reject(id_, claimant_).error().code, refusal::not_creator);
}

TEST_F(PairingBook, RevealsOneKeyAndOnlyOne) {
  open();
  EXPECT_EQ(book_.reveal(id_, creator_, "key", now_).error().code, refusal::not_claimed);
  claim();
  EXPECT_TRUE(book_.reveal(id_, creator_, "key", now_));
  EXPECT_TRUE(book_.reveal(id_, creator_, "key", now_));
  EXPECT_EQ(book_.reveal(id_, creator_, "other", now_).error().code, refusal::already_revealed);
  approve();
  EXPECT_EQ(book_.reveal(id_, creator_, "key", now_).error().code, refusal::already_approved);
}

TEST_F(PairingBook, TheClaimantLearnsTheRevealedKeyBeforeApproval) {
  open();
  claim();
  EXPECT_EQ(book_.to_collect(id_, claimant_, now_).error().members, "");
  ASSERT_TRUE(book_.reveal(id_, creator_, "key", now_));
  const auto waiting = book_.to_collect(id_, claimant_, now_);
  EXPECT_EQ(waiting.error().code, refusal::not_approved);
  EXPECT_EQ(waiting.error().members, "\"creator_pub\":\"key\"");
}

TEST_F(PairingBook, IsCollectedOnceAndOnlyByItsClaimant) {
  open();
  claim();
  approve();
  EXPECT_EQ(book_.to_collect(id_, creator_, now_).error().code, refusal::not_claimant);
  auto found = book_.to_collect(id_, claimant_, now_);
  ASSERT_TRUE(found);
  (*found)->state = pairing_state::consumed;
  EXPECT_EQ(book_.to_collect(id_, claimant_, now_).error().code, refusal::envelope_consumed);
}

TEST_F(PairingBook, ASweptPairingIsRememberedForAnHour) {
  open();
  claim();
  now_ += wire::pairing_life_s;
  EXPECT_EQ(book_.sweep(now_), std::vector<device_id>{claimant_});
  EXPECT_EQ(book_.to_claim(id_, token_, now_).error().code, refusal::pairing_expired);
  const auto status = book_.status(id_, creator_, now_);
  ASSERT_TRUE(status);
  EXPECT_EQ(status->state, pairing_state::expired);
  EXPECT_FALSE(status->claimant.has_value());
  now_ += wire::pairing_memory_s;
  EXPECT_TRUE(book_.sweep(now_).empty());
  EXPECT_EQ(book_.status(id_, creator_, now_).error().code, refusal::unknown_pairing);
  EXPECT_TRUE(book_.empty());
}

TEST_F(PairingBook, RefusesMoreThanItsBound) {
  for (int i = 0; i < 4; ++i)
    ASSERT_TRUE(book_.open(random_id<pairing_id>(random_), {}, creator_, token_, now_));
  EXPECT_EQ(book_.open(id_, {}, creator_, token_, now_).error().code, refusal::overloaded);
}

TEST_F(PairingBook, PairingsThatAreOverDoNotCountAgainstTheirAccount) {
  pairing_book book{200};
  for (int i = 0; i < 100; ++i) {
    pairing_id id;
    id.raw[0] = static_cast<std::uint8_t>(i);
    id.raw[1] = 1;
    const auto opened = book.open(id, {}, creator_, token_, now_);
    ASSERT_TRUE(opened.ok()) << i;
    (*opened)->state = wire::pairing_state::consumed;
  }
}

TEST(PairingBookOfAccounts, OneAccountCannotTakeTheRoomOfAnother) {
  pairing_book book(1024);
  seeded_random random(9);
  const auto open = [&](std::uint8_t account) {
    return book.open(random_id<pairing_id>(random), account_id{{account}}, device_id{{account}}, {}, 0).ok();
  };
  for (std::int64_t i = 0; i < pairing_book::account_max; ++i) ASSERT_TRUE(open(1));
  EXPECT_FALSE(open(1));
  EXPECT_TRUE(open(2));
}

TEST(PairingBookOfAccounts, DroppingAnAccountEndsItsPairingsAndNoOthers) {
  pairing_book book(1024);
  seeded_random random(9);
  const crypto::secret32 token;
  const auto one = (*book.open(random_id<pairing_id>(random), account_id{{1}}, device_id{{1}}, token, 0))->id;
  const auto two = (*book.open(random_id<pairing_id>(random), account_id{{2}}, device_id{{2}}, token, 0))->id;
  EXPECT_TRUE(book.drop(account_id{{1}}, 5).empty());
  EXPECT_EQ(book.to_claim(one, token, 5).error().code, wire::refusal::pairing_expired);
  EXPECT_TRUE(book.to_claim(two, token, 5).ok());
}

}  // namespace
}  // namespace obsync::actors
