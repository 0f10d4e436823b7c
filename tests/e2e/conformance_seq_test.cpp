// X-Obsync-Seq is for those who proved who they are, and for nobody else: docs/protocol.md, part 2.
#include <gtest/gtest.h>

#include "tests/e2e/browser.hpp"
#include "tests/e2e/conformance_world.hpp"

namespace obsync::test {
namespace {

class SequenceHeader : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(world_.ok()) << world_.server().log(); }

  // The header's text; empty when it is not there.
  static std::string seq(const raw_answer& answer) { return answer.header("X-Obsync-Seq"); }
  std::string head() { return seq(world_.ask("GET", "/v1/account")); }

  conformance_world world_;
};

TEST_F(SequenceHeader, IsTheAccountsHeadForADeviceThatSigned) {
  const std::string changes = world_.ask("GET", "/v1/changes?since=0").body;
  EXPECT_NE(changes.find("\"head_seq\":" + head()), std::string::npos) << changes;
  EXPECT_EQ(seq(world_.ask("GET", "/v1/files/zz")), head()) << "also on a refusal of the route's own";
  EXPECT_EQ(seq(world_.ask(world_.pending, "GET", "/v1/account")), head()) << "device_pending";
}

TEST_F(SequenceHeader, IsTheHeadAfterTheVersionThatWasJustPosted) {
  const std::string before = head();
  const made_note note = make_note(world_.random, 100);
  world_.ask("PUT", "/v1/chunks/" + note.sid.hex(), std::string(as_text(note.sealed)));
  const raw_answer posted = world_.ask("POST", "/v1/files/" + note.file.hex() + "/versions", post_with(note));
  EXPECT_EQ(posted.status, 201);
  EXPECT_NE(seq(posted), before);
  EXPECT_EQ(seq(posted), head());
}

TEST_F(SequenceHeader, IsNotThereWithoutAProof) {
  EXPECT_EQ(seq(world_.ask(world_.revoked, "GET", "/v1/account")), "") << "device_revoked";
  EXPECT_EQ(seq(exchange(world_.port(), signed_by(world_.laptop, "GET", "/v1/account", {}, 400))), "")
      << "stale_timestamp";
  client::credential other = world_.laptop;
  other.secret = world_.phone.secret;
  EXPECT_EQ(seq(world_.ask(other, "GET", "/v1/account")), "") << "bad_signature";
  const raw_request once = signed_by(world_.laptop, "GET", "/v1/account");
  EXPECT_NE(seq(exchange(world_.port(), once)), "");
  EXPECT_EQ(seq(exchange(world_.port(), once)), "") << "replayed_nonce";
  for (const std::string target : {"/v1/account", "/livez", "/readyz", "/v1/plugin/manifest", "/nowhere"})
    EXPECT_EQ(seq(world_.unsigned_ask("GET", target)), "") << target;
}

TEST_F(SequenceHeader, IsNotThereForAClaimThoughItSucceeds) {
  const pairing_in_hand pairing = world_.create_pairing();
  const raw_answer claimed =
      world_.unsigned_ask("POST", "/v1/pairing/" + pairing.id + "/claim", claim_with(pairing.token));
  EXPECT_EQ(claimed.status, 201);
  EXPECT_EQ(seq(claimed), "");
}

TEST_F(SequenceHeader, IsThereForTheRightSetupTokenAlsoWhenSetupIsRefused) {
  const raw_answer refused = world_.unsigned_ask("POST", "/v1/setup", setup_with(world_.setup_token()));
  EXPECT_EQ(refused.code(), "already_set_up");
  EXPECT_EQ(seq(refused), head());
  EXPECT_EQ(seq(world_.unsigned_ask("POST", "/v1/setup", setup_with(std::string(64, '0')))), "");
}

TEST_F(SequenceHeader, IsThereForALiveDashboardSessionAlsoWithoutTheCsrfValue) {
  browser one(world_.server());
  EXPECT_EQ(seq(one.get("/v1/admin/overview")), "") << "no_session";
  EXPECT_EQ(seq(one.get("/login?token=" + std::string(64, '0'))), "");
  EXPECT_EQ(seq(one.get("/login?token=" + world_.setup_token())), head());
  EXPECT_EQ(seq(one.get("/v1/admin/overview")), head());
  const raw_answer forged = one.send("POST", "/v1/admin/logout", {});
  EXPECT_EQ(forged.code(), "csrf_failed");
  EXPECT_EQ(seq(forged), head());
}

}  // namespace
}  // namespace obsync::test
