#include "client/remote/http_remote.hpp"

#include <gtest/gtest.h>

#include "crypto/digest.hpp"
#include "tests/support/counting_sleeper.hpp"
#include "tests/support/scripted_transport.hpp"
#include "wire/limits.hpp"
#include "wire/multipart.hpp"

namespace obsync::client {
namespace {

class HttpRemoteTest : public ::testing::Test {
 protected:
  std::string multipart(const std::vector<std::pair<chunk_sid, std::optional<std::string>>>& parts) {
    std::string text;
    for (const auto& [sid, body] : parts) {
      text += body ? wire::part_head("b0", sid, body->size()) + *body : wire::missing_part_head("b0", sid);
      text += wire::part_end;
    }
    return text + wire::final_boundary("b0");
  }

  test::scripted_transport wire;
  test::counting_sleeper pauses;
  manual_clock time{1'757'200'000'000};
  seeded_random random{7};
  caller calls{wire, time, random, pauses, {}, credential{}};
  std::unique_ptr<remote> server = make_http_remote(calls);
  const chunk_sid one = random_id<chunk_sid>(random);
  const chunk_sid two = random_id<chunk_sid>(random);
};

TEST_F(HttpRemoteTest, NamesAChunkInItsTargetAndUnderItsSignature) {
  const bytes sealed(32, 1);
  wire.answer(201, R"({"sid":")" + one.hex() + R"("})");
  ASSERT_TRUE(server->put_chunk(one, sealed));
  EXPECT_EQ(wire.requests.at(0).method, "PUT");
  EXPECT_EQ(wire.requests.at(0).target, "/v1/chunks/" + one.hex());
  EXPECT_EQ(wire.requests.at(0).body.size(), 32u);
  EXPECT_FALSE(wire.requests.at(0).fresh_connection);
}

TEST_F(HttpRemoteTest, RefusesTheConfirmationOfAnotherChunk) {
  wire.answer(201, R"({"sid":")" + two.hex() + R"("})");
  const auto sent = server->put_chunk(one, {});
  ASSERT_FALSE(sent);
  EXPECT_EQ(sent.error().what, remote_error::kind::malformed);
}

TEST_F(HttpRemoteTest, BringsChunksBackInTheOrderAskedWithGapsForMissingOnes) {
  wire.answer(200, multipart({{one, "first"}, {two, std::nullopt}}), "multipart/mixed; boundary=b0");
  const auto chunks = server->get_chunks({one, two});
  ASSERT_TRUE(chunks);
  ASSERT_EQ(chunks->size(), 2u);
  EXPECT_EQ(as_text(*chunks->at(0)), "first");
  EXPECT_FALSE(chunks->at(1));
}

TEST_F(HttpRemoteTest, RefusesChunksInAnotherOrderTooFewAndTooMany) {
  for (const auto& answer :
       {multipart({{two, "x"}, {one, "y"}}), multipart({{one, "x"}}),
        multipart({{one, "x"}, {two, "y"}, {two, "z"}}), std::string("no framing at all")}) {
    test::scripted_transport once;
    once.answer(200, answer, "multipart/mixed; boundary=b0");
    caller single(once, time, random, pauses, {}, credential{});
    const auto chunks = make_http_remote(single)->get_chunks({one, two});
    ASSERT_FALSE(chunks);
    EXPECT_EQ(chunks.error().what, remote_error::kind::malformed);
  }
}

TEST_F(HttpRemoteTest, AsksForHalfAPageWhenTheAnswerIsTooLarge) {
  wire.fail(exchange_failure::kind::too_large);
  wire.fail(exchange_failure::kind::too_large);
  wire.answer(200, R"({"seq":9,"head_seq":9,"changes":[]})");
  const auto page = server->changes(4, 0, 1000);
  ASSERT_TRUE(page);
  EXPECT_EQ(page->seq, 9);
  ASSERT_EQ(wire.requests.size(), 3u);
  EXPECT_EQ(wire.requests[0].target, "/v1/changes?since=4&wait=0&limit=1000");
  EXPECT_EQ(wire.requests[2].target, "/v1/changes?since=4&wait=0&limit=250");
}

TEST_F(HttpRemoteTest, AsksInGroupsOfWhatTheServerTakesAtOnce) {
  std::vector<chunk_sid> many(wire::exists_sids_max + 1, one);
  wire.answer(200, R"({"missing":[]})");
  wire.answer(200, R"({"missing":[")" + one.hex() + R"("]})");
  const auto missing = server->missing(many);
  ASSERT_TRUE(missing);
  EXPECT_EQ(*missing, std::vector<chunk_sid>{one});
  EXPECT_EQ(wire.requests.size(), 2u);
}

TEST_F(HttpRemoteTest, KeepsToTheCeilingsOfTheProtocol) {
  wire.answer(404, R"({"error":"unknown_file","detail":""})");
  (void)server->account();
  (void)server->changes(0, 0, 1);
  (void)server->file({});
  (void)server->devices();
  (void)server->get_chunk(one);
  ASSERT_EQ(wire.requests.size(), 5u);
  EXPECT_EQ(wire.requests[0].limits.answer_bytes_max, 4u << 20);
  EXPECT_EQ(wire.requests[1].limits.answer_bytes_max, 16u << 20);
  EXPECT_EQ(wire.requests[2].limits.answer_bytes_max, 450u << 20);
  EXPECT_EQ(wire.requests[3].limits.answer_bytes_max, 64u << 20);
  EXPECT_EQ(wire.requests[4].limits.answer_bytes_max, (8u << 20) + 16);
}

TEST_F(HttpRemoteTest, RepeatsAPostOfAVersionBecauseItsIdMakesThatSafe) {
  wire.fail(exchange_failure::kind::broken);
  wire.answer(200, R"({"seq":3,"version_id":")" + one.hex() + R"(","heads":[")" + one.hex() +
                       R"("],"conflicted":false})");
  const auto answer = server->post_version({}, {});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->seq, 3);
  EXPECT_EQ(wire.requests.size(), 2u);
}

TEST_F(HttpRemoteTest, TakesAWebPageForNoServerAndOddJsonForABrokenOne) {
  wire.answer(200, "<html>Welcome to the portal</html>", "text/html");
  EXPECT_EQ(server->account().error().what, remote_error::kind::not_obsync);
  wire.script.clear();
  wire.answer(200, R"({"hello":"world"})");
  EXPECT_EQ(server->account().error().what, remote_error::kind::malformed);
  wire.script.clear();
  wire.answer(200, "not json", "application/json");
  EXPECT_EQ(server->account().error().what, remote_error::kind::not_obsync);
}

}  // namespace
}  // namespace obsync::client
