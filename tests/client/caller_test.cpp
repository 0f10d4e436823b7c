#include "client/remote/caller.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/counting_sleeper.hpp"
#include "tests/support/scripted_transport.hpp"

namespace obsync::client {
namespace {

using failure_kind = exchange_failure::kind;

// The published vector of a request signature.
constexpr std::string_view vector_secret = "a0a1a2a3a4a5a6a7a8a9aaabacadaeafb0b1b2b3b4b5b6b7b8b9babbbcbdbebf";
constexpr std::string_view vector_nonce = "8d2f0a1b4c6e7f90a1b2c3d4e5f60718";
constexpr std::string_view vector_target = "/v1/files/00112233445566778899aabbccddeeff/versions";
constexpr std::string_view vector_signature =
    "6418a21e8d1e507aadf70f197f71a64900da961926f52f6da1a3428be844ce40";

class fixed_random final : public random_source {
 public:
  explicit fixed_random(std::string_view hex) { (void)from_hex(hex, bytes_); }
  void fill(std::span<std::uint8_t> out) override {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = bytes_[i % bytes_.size()];
  }

 private:
  std::array<std::uint8_t, 16> bytes_{};
};

class CallerTest : public ::testing::Test {
 protected:
  caller make(retry_policy policy = {}) { return {wire, time, random, pauses, policy, who}; }
  static call get() { return {.method = "GET", .target = "/v1/account"}; }
  static call post() { return {.method = "POST", .target = "/v1/pairing", .repeatable = false}; }

  test::scripted_transport wire;
  test::counting_sleeper pauses;
  manual_clock time{1'757'200'000'000};
  seeded_random random{7};
  std::optional<credential> who =
      credential{random_id<device_id>(random), *crypto::secret32::parse(vector_secret)};
};

TEST_F(CallerTest, SignsAsThePublishedVectorSays) {
  fixed_random nonce(vector_nonce);
  wire.answer(200, "{}");
  caller calls(wire, time, nonce, pauses, {}, who);
  const std::string body = "{}";
  ASSERT_TRUE(
      calls.perform({.method = "POST", .target = std::string(vector_target), .body = as_bytes(body)}));
  const auto& sent = wire.requests.at(0);
  EXPECT_EQ(sent.header("X-Obsync-Device"), who->device.hex());
  EXPECT_EQ(sent.header("X-Obsync-Ts"), "1757200000");
  EXPECT_EQ(sent.header("X-Obsync-Nonce"), vector_nonce);
  EXPECT_EQ(sent.header("X-Obsync-Sig"), vector_signature);
}

TEST_F(CallerTest, SendsNoSignatureWithoutACredential) {
  who.reset();
  wire.answer(200, "{}");
  auto calls = make();
  ASSERT_TRUE(calls.perform(get()));
  EXPECT_EQ(wire.requests.at(0).header("X-Obsync-Sig"), "");
  EXPECT_EQ(wire.requests.at(0).header("X-Obsync-Device"), "");
}

TEST_F(CallerTest, SignsEveryAttemptAnew) {
  wire.fail(failure_kind::broken);
  wire.fail(failure_kind::timed_out);
  wire.answer(200, "{}");
  auto calls = make();
  ASSERT_TRUE(calls.perform(get()));
  std::set<std::string> nonces;
  for (const auto& sent : wire.requests) nonces.insert(sent.header("X-Obsync-Nonce"));
  EXPECT_EQ(nonces.size(), 3u);
}

TEST_F(CallerTest, GivesUpAfterEightAttemptsWithDoublingHalfRandomPauses) {
  wire.fail(failure_kind::no_connection);
  auto calls = make();
  const auto outcome = calls.perform(get());
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().reason.what, remote_error::kind::unreachable);
  EXPECT_EQ(wire.requests.size(), 8u);
  ASSERT_EQ(pauses.pauses.size(), 7u);
  std::int64_t full = 1'000;
  for (const std::int64_t pause : pauses.pauses) {
    EXPECT_GE(pause, full / 2);
    EXPECT_LE(pause, full);
    full = std::min<std::int64_t>(full * 2, 60'000);
  }
}

TEST_F(CallerTest, NeverPausesLongerThanAMinute) {
  for (int attempt = 1; attempt < 40; ++attempt) EXPECT_LE(pause_ms({}, attempt, random), 60'000);
}

TEST_F(CallerTest, SendsOnceWhatMustNotBeRepeatedAndOnAFreshConnection) {
  wire.fail(failure_kind::broken);
  auto calls = make();
  EXPECT_FALSE(calls.perform(post()));
  ASSERT_EQ(wire.requests.size(), 1u);
  EXPECT_TRUE(wire.requests[0].fresh_connection);
}

TEST_F(CallerTest, RetriesAStaleConnectionAtOnceAndOnlyOnce) {
  wire.fail(failure_kind::stale);
  wire.answer(200, "{}");
  auto calls = make();
  ASSERT_TRUE(calls.perform(get()));
  EXPECT_EQ(wire.requests.size(), 2u);
  EXPECT_TRUE(pauses.pauses.empty());
  EXPECT_NE(wire.requests[0].header("X-Obsync-Nonce"), wire.requests[1].header("X-Obsync-Nonce"));
}

TEST_F(CallerTest, DoesNotRetryRefusalsOfTheClientNorAFullOrFaultedServer) {
  struct refused {
    int status;
    const char* word;
  };
  for (const refused& each :
       {refused{400, "bad_request"}, refused{401, "bad_signature"}, refused{403, "device_revoked"},
        refused{404, "unknown_file"}, refused{409, "missing_chunks"}, refused{507, "storage_full"},
        refused{507, "volume_full"}, refused{507, "quota_exceeded"}, refused{503, "journal_faulted"},
        refused{503, "nonce_log_faulted"}}) {
    test::scripted_transport once;
    once.refuse(each.status, each.word);
    caller calls(once, time, random, pauses, {}, who);
    const auto outcome = calls.perform(get());
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().reason.what, remote_error::kind::refused);
    ASSERT_TRUE(outcome.error().reason.refusal) << each.word;
    EXPECT_EQ(wire::name(*outcome.error().reason.refusal), each.word);
    EXPECT_EQ(once.requests.size(), 1u) << each.word;
  }
  EXPECT_TRUE(pauses.pauses.empty());
}

TEST_F(CallerTest, RetriesFaultsThatPassByThemselves) {
  wire.refuse(503, "slow_body");
  wire.refuse(503, "overloaded");
  wire.answer(503, "", "");
  wire.answer(502, "<html>bad gateway</html>", "text/html");
  wire.answer(200, "{}");
  auto calls = make();
  EXPECT_TRUE(calls.perform(get()));
  EXPECT_EQ(wire.requests.size(), 5u);
}

TEST_F(CallerTest, WaitsAsLongAsTheServerAsks) {
  wire.answer(503, "", "", 30);
  wire.answer(200, "{}");
  auto calls = make();
  EXPECT_TRUE(calls.perform(get()));
  EXPECT_EQ(pauses.pauses, std::vector<std::int64_t>{30'000});
}

TEST_F(CallerTest, NamesASomethingThatIsNoObsyncServer) {
  wire.answer(404, "<html>nothing here</html>", "text/html");
  auto calls = make();
  const auto outcome = calls.perform(get());
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().reason.what, remote_error::kind::not_obsync);
  EXPECT_EQ(outcome.error().reason.detail, "this is not an obsync server (it answered with status 404)");
  EXPECT_EQ(wire.requests.size(), 1u);
}

TEST_F(CallerTest, KeepsTheWordOfARefusalItDoesNotKnow) {
  wire.refuse(409, "invented_later");
  auto calls = make();
  const auto outcome = calls.perform(get());
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().reason.what, remote_error::kind::refused);
  EXPECT_FALSE(outcome.error().reason.refusal);
  EXPECT_EQ(outcome.error().reason.detail, "invented_later: as scripted");
}

TEST_F(CallerTest, ListsTheMissingChunksOfARefusal) {
  const auto sid = random_id<chunk_sid>(random);
  wire.refuse(409, "missing_chunks", R"(,"missing":[")" + sid.hex() + R"("])");
  auto calls = make();
  const auto outcome = calls.perform(get());
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().reason.missing, std::vector<chunk_sid>{sid});
}

TEST_F(CallerTest, SpeaksOfTheClockWhenATimestampIsStale) {
  wire.refuse(401, "stale_timestamp");
  auto calls = make();
  const auto outcome = calls.perform(get());
  ASSERT_FALSE(outcome);
  EXPECT_NE(outcome.error().reason.detail.find("clock"), std::string::npos);
}

TEST_F(CallerTest, GivesBodiesTimeByTheirSizeAndPollsTheirWait) {
  wire.answer(200, "{}");
  auto calls = make();
  const bytes body(16'000);
  (void)calls.perform(
      {.method = "PUT", .target = "/v1/chunks/x", .body = body, .answer_bytes_expected = 32'000});
  (void)calls.perform({.method = "GET", .target = "/v1/changes", .wait_s = 55});
  EXPECT_EQ(wire.requests.at(0).limits.deadline_ms, 33'000);
  EXPECT_EQ(wire.requests.at(1).limits.deadline_ms, 70'000);
}

TEST_F(CallerTest, LeavesAFailedPollToItsCaller) {
  wire.fail(failure_kind::broken);
  auto calls = make();
  EXPECT_FALSE(calls.perform({.method = "GET", .target = "/v1/changes", .wait_s = 55}));
  EXPECT_EQ(wire.requests.size(), 1u);
}

TEST_F(CallerTest, EndsItsPausesWhenStopped) {
  wire.fail(failure_kind::no_connection);
  pauses.stop();
  auto calls = make();
  const auto outcome = calls.perform(get());
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().reason.what, remote_error::kind::stopped);
  EXPECT_EQ(wire.requests.size(), 1u);
}

TEST_F(CallerTest, CountsBodiesOfEveryAttempt) {
  wire.fail(failure_kind::broken);
  wire.answer(200, "{12345}");
  auto calls = make();
  const bytes body(100);
  ASSERT_TRUE(calls.perform({.method = "PUT", .target = "/v1/chunks/x", .body = body}));
  EXPECT_EQ(calls.bytes_sent(), 200u);
  EXPECT_EQ(calls.bytes_received(), 7u);
}

TEST_F(CallerTest, TellsOfTheLinkOnlyWhenItChanges) {
  std::vector<bool> told;
  auto calls = make();
  calls.on_link_change([&](bool reachable, const std::string&) { told.push_back(reachable); });
  wire.answer(200, "{}");
  wire.fail(failure_kind::no_connection);
  wire.fail(failure_kind::no_connection);
  wire.answer(200, "{}");
  (void)calls.perform(get());
  EXPECT_TRUE(told.empty());
  (void)calls.perform(get());
  EXPECT_EQ(told, (std::vector<bool>{false, true}));
}

}  // namespace
}  // namespace obsync::client
