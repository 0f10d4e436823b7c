// A device that was revoked, from the moment on that its revoker has the answer.
#include <gtest/gtest.h>

#include <thread>

#include "tests/e2e/conformance_world.hpp"

namespace obsync::test {
namespace {

class Revoke : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(world_.ok()) << world_.server().log(); }

  std::string revoke_target(const client::credential& who) const {
    return "/v1/devices/" + who.device.hex() + "/revoke";
  }

  conformance_world world_;
};

TEST_F(Revoke, EndsAParkedPollAndRefusesTheNextRequest) {
  const auto head = world_.ask("GET", "/v1/changes").header("X-Obsync-Seq");
  ASSERT_FALSE(head.empty());
  raw_connection polling(world_.port());
  polling.send(signed_by(world_.phone, "GET", "/v1/changes?since=" + head + "&wait=55").text());
  ASSERT_EQ(world_.ask("POST", revoke_target(world_.phone)).status, 204);
  const raw_answer ended = polling.receive();
  EXPECT_EQ(ended.status, 403);
  EXPECT_EQ(ended.code(), "device_revoked");
  EXPECT_EQ(world_.ask(world_.phone, "GET", "/v1/account").code(), "device_revoked");
}

TEST_F(Revoke, LeavesNothingOfAHalfSentUploadAndNoVersionOfIt) {
  const made_note note = make_note(world_.random, 1'000'000);
  raw_connection uploading(world_.port());
  raw_request request = signed_by(world_.phone, "PUT", "/v1/chunks/" + note.sid.hex());
  uploading.send(request.with("Content-Length", "1000000").text());
  uploading.send(as_text(note.sealed).substr(0, 600'000));
  ASSERT_EQ(world_.ask("POST", revoke_target(world_.phone)).status, 204);
  uploading.send(as_text(note.sealed).substr(600'000));
  uploading.receive();
  EXPECT_EQ(
      world_.ask(world_.phone, "POST", "/v1/files/" + note.file.hex() + "/versions", post_with(note)).code(),
      "device_revoked");
  EXPECT_EQ(world_.ask("GET", "/v1/files/" + note.file.hex()).code(), "unknown_file");
}

TEST_F(Revoke, TwoLastDevicesRevokingEachOtherNeverBothSucceed) {
  ASSERT_EQ(world_.ask("POST", revoke_target(world_.phone)).status, 204);
  for (int i = 0; i < 200; ++i) {
    const client::credential other = world_.pair();
    raw_connection one(world_.port()), two(world_.port());
    const std::string by_laptop = signed_by(world_.laptop, "POST", revoke_target(other)).text();
    const std::string by_other = signed_by(other, "POST", revoke_target(world_.laptop)).text();
    // The first may be ahead by as long as a send takes; which one is first takes turns.
    (i % 2 == 0 ? one : two).send(i % 2 == 0 ? by_laptop : by_other);
    (i % 2 == 0 ? two : one).send(i % 2 == 0 ? by_other : by_laptop);
    const int first = one.receive().status;
    const int second = two.receive().status;
    ASSERT_EQ((first == 204) + (second == 204), 1) << "try " << i << ": " << first << " and " << second;
    if (second == 204) world_.laptop = other;
    ASSERT_EQ(world_.ask("GET", "/v1/account").status, 200) << "try " << i;
  }
}

}  // namespace
}  // namespace obsync::test
