// Two accounts on one server: nothing of one shows in any answer to the other.
#include <gtest/gtest.h>

#include "tests/e2e/raw_device.hpp"
#include "tests/e2e/raw_http.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::test {
namespace {

class Isolation : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(server_.start());
    ours_ = std::make_unique<raw_device>(server_, "ours");
    theirs_ = std::make_unique<raw_device>(server_, "theirs", server_.invite("theirs"));
    ASSERT_TRUE(ours_->ok() && theirs_->ok());
    note_ = make_note(random_, 2'000);
    ASSERT_TRUE(theirs_->server().put_chunk(note_.sid, note_.sealed).ok());
    ASSERT_TRUE(theirs_->server().post_version(note_.file, note_.post).ok());
  }

  raw_answer we_ask(const std::string& method, const std::string& target, const std::string& body = {}) {
    return ask(server_, ours_->who(), method, target, body);
  }
  raw_answer they_ask(const std::string& method, const std::string& target, const std::string& body = {}) {
    return ask(server_, theirs_->who(), method, target, body);
  }
  // What we are told of a thing of theirs and of a thing that is nowhere, byte for byte.
  void expect_same(const std::string& method, const std::string& theirs, const std::string& nowhere,
                   const std::string& code, const std::string& body = {}) {
    const raw_answer one = we_ask(method, theirs, body);
    const raw_answer other = we_ask(method, nowhere, body);
    EXPECT_EQ(one.code(), code) << method << " " << theirs;
    EXPECT_EQ(one.head, other.head) << method << " " << theirs;
    EXPECT_EQ(one.body, other.body) << method << " " << theirs;
  }

  scratch_folder scratch_;
  server_process server_{scratch_.path()};
  seeded_random random_{5};
  std::unique_ptr<raw_device> ours_;
  std::unique_ptr<raw_device> theirs_;
  made_note note_;
  const std::string nowhere_16_ = std::string(32, '7');
  const std::string nowhere_32_ = std::string(64, '7');
};

TEST_F(Isolation, AChunkOfAnotherAccountIsMissing) {
  const std::string asked = R"({"sids":[")" + note_.sid.hex() + R"(",")" + nowhere_32_ + R"("]})";
  EXPECT_EQ(we_ask("POST", "/v1/chunks/exists", asked).body,
            R"({"missing":[")" + note_.sid.hex() + R"(",")" + nowhere_32_ + R"("]})");
  expect_same("GET", "/v1/chunks/" + note_.sid.hex(), "/v1/chunks/" + nowhere_32_, "unknown_chunk");
  const raw_answer several = we_ask("POST", "/v1/chunks/get", asked);
  EXPECT_EQ(several.body.find("octet-stream"), std::string::npos);
  ASSERT_EQ(they_ask("GET", "/v1/chunks/" + note_.sid.hex()).status, 200);
}

TEST_F(Isolation, AChunkThatAnotherAccountHoldsIsCreatedAndChargedLikeAnyOther) {
  const std::string body(as_text(note_.sealed));
  const raw_answer first = we_ask("PUT", "/v1/chunks/" + note_.sid.hex(), body);
  EXPECT_EQ(first.status, 201);
  const made_note fresh = make_note(random_, 2'000);
  const raw_answer other = we_ask("PUT", "/v1/chunks/" + fresh.sid.hex(), std::string(as_text(fresh.sealed)));
  EXPECT_EQ(other.status, 201);
  EXPECT_EQ(first.head, other.head);
  EXPECT_EQ(ours_->server().account()->used_bytes, 4'000);
  EXPECT_EQ(theirs_->server().account()->used_bytes, 2'000);
}

TEST_F(Isolation, AVersionCannotBeBuiltOnAnotherAccountsChunk) {
  const auto posted = ours_->server().post_version(note_.file, note_.post);
  ASSERT_FALSE(posted.ok());
  EXPECT_EQ(posted.error().refusal, wire::refusal::missing_chunks);
}

TEST_F(Isolation, AFileOfAnotherAccountIsUnknown) {
  const std::string file = "/v1/files/" + note_.file.hex();
  expect_same("GET", file, "/v1/files/" + nowhere_16_, "unknown_file");
  expect_same("GET", file + "/versions/" + note_.post.id.hex(),
              "/v1/files/" + nowhere_16_ + "/versions/" + nowhere_32_, "unknown_file");
  EXPECT_EQ(we_ask("GET", "/v1/files").body, R"({"files":[],"next":null})");
}

TEST_F(Isolation, AFileIdThatAnotherAccountUsesIsFree) {
  ASSERT_TRUE(ours_->server().put_chunk(note_.sid, note_.sealed).ok());
  wire::version_post post = note_.post;
  post.domain = domain_id{{9}};
  ASSERT_TRUE(ours_->server().post_version(note_.file, post).ok());
  EXPECT_EQ(theirs_->server().file(note_.file)->domain, note_.post.domain);
}

TEST_F(Isolation, TheFeedsPositionsAndHeadersMoveForTheirOwnAccountOnly) {
  const raw_answer before = we_ask("GET", "/v1/changes?since=0");
  EXPECT_EQ(before.body, R"({"seq":0,"head_seq":0,"changes":[]})");
  const raw_answer ready_before = ask_unsigned(server_, "GET", "/readyz");
  for (int i = 0; i < 3; ++i) {
    const made_note more = make_note(random_, 100);
    ASSERT_TRUE(theirs_->server().put_chunk(more.sid, more.sealed).ok());
    ASSERT_TRUE(theirs_->server().post_version(more.file, more.post).ok());
  }
  const raw_answer after = we_ask("GET", "/v1/changes?since=0");
  EXPECT_EQ(after.body, before.body);
  EXPECT_EQ(after.head, before.head);
  EXPECT_EQ(after.header("X-Obsync-Seq"), "0");
  EXPECT_EQ(they_ask("GET", "/v1/account").header("X-Obsync-Seq"), "4");
  const raw_answer ready_after = ask_unsigned(server_, "GET", "/readyz");
  EXPECT_EQ(ready_after.head, ready_before.head);
  EXPECT_EQ(ready_after.body, ready_before.body);
}

TEST_F(Isolation, ADeviceOfAnotherAccountCannotBeSeenNamedRevokedOrArchived) {
  const std::string device = "/v1/devices/" + theirs_->who().device.hex();
  const std::string nowhere = "/v1/devices/" + nowhere_16_;
  EXPECT_EQ(we_ask("GET", "/v1/devices").body.find(theirs_->who().device.hex()), std::string::npos);
  expect_same("PATCH", device, nowhere, "unknown_device", R"({"name":"stolen"})");
  expect_same("POST", device + "/revoke", nowhere + "/revoke", "unknown_device");
  expect_same("POST", device + "/archive", nowhere + "/archive", "unknown_device");
  EXPECT_EQ(they_ask("GET", "/v1/account").status, 200);
}

TEST_F(Isolation, APairingOfAnotherAccountLetsNobodyLookOrApprove) {
  const auto made = theirs_->routes().create_pairing();
  ASSERT_TRUE(made.ok());
  const std::string theirs = "/v1/pairing/" + made->id.hex();
  EXPECT_EQ(we_ask("GET", theirs).code(), "not_creator");
  EXPECT_EQ(we_ask("POST", theirs + "/approve", R"({"envelope":"x","nonce":")" + std::string(24, '0') + "\"}")
                .code(),
            "not_creator");
  EXPECT_EQ(we_ask("GET", theirs + "/envelope").code(), "not_claimant");
}

TEST_F(Isolation, OneAccountsPairingsLeaveRoomForAnothers) {
  int opened = 0;
  while (opened < 100 && theirs_->routes().create_pairing().ok()) ++opened;
  EXPECT_EQ(opened, 32);
  EXPECT_TRUE(ours_->routes().create_pairing().ok());
}

class NonceIsolation : public testing::Test {};

TEST_F(NonceIsolation, OneAccountsFloodLeavesAnothersRequestsAlone) {
  scratch_folder scratch;
  server_process server(scratch.path(), {"--session.nonces_per_device=100", "--session.nonces_total=100"});
  ASSERT_TRUE(server.start());
  raw_device ours(server, "ours");
  raw_device theirs(server, "theirs", server.invite("theirs"));
  ASSERT_TRUE(ours.ok() && theirs.ok());
  std::string refused;
  for (int i = 0; i < 200 && refused.empty(); ++i)
    refused = ask(server, theirs.who(), "GET", "/v1/account").code();
  EXPECT_EQ(refused, "nonce_cache_full");
  EXPECT_EQ(ask(server, ours.who(), "GET", "/v1/account").status, 200);
}

}  // namespace
}  // namespace obsync::test
