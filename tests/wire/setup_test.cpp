#include "wire/setup.hpp"

#include <gtest/gtest.h>

namespace obsync::wire {
namespace {

const std::string device = R"({"name":"Desk","platform":"linux","app_version":"1.1.5"})";

std::string setup(const std::string& token, const std::string& name, const std::string& card,
                  const std::string& more = "") {
  return "{\"setup_token\":" + token + ",\"account_name\":" + name + ",\"device\":" + card + more + "}";
}

TEST(SetupRequest, WritesItsMembersInOrderAndReadsThemBack) {
  const std::string verifier(64, 'a'), proof(64, 'b');
  const std::string text =
      setup("\"t\"", "\"Family\"", device,
            R"(,"recovery_verifier":")" + verifier + R"(","recovery_proof":")" + proof + "\"");
  const auto read = from_json<setup_request>(text);
  ASSERT_TRUE(read.ok()) << read.error().detail;
  EXPECT_EQ(to_json(*read), text);
  const std::string bare = setup("\"t\"", "\"Family\"", device);
  EXPECT_EQ(to_json(*from_json<setup_request>(bare)), bare);
}

TEST(SetupRequest, ReportsTheFirstWrongFieldInTheProtocolsOrder) {
  const std::pair<std::string, std::string> table[] = {
      {setup("1", "\"\"", "1"), "setup_token"},
      {setup("\"\"", "\"\"", "1"), "account_name"},
      {setup("\"\"", "\"Family\"", "1"), "device"},
      {setup("\"\"", "\"Family\"", R"({"platform":"plan9"})"), "name"},
      {setup("\"\"", "\"Family\"", R"({"name":"Desk","platform":"plan9"})"), "platform"},
      {setup("\"\"", "\"Family\"", R"({"name":"Desk","platform":"ios"})"), "app_version"}};
  for (const auto& [text, field] : table) {
    const auto read = from_json<setup_request>(text);
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_EQ(read.error().code, refusal::bad_request);
    EXPECT_NE(read.error().detail.find(field), std::string::npos) << read.error().detail;
  }
}

TEST(SetupRequest, TakesEveryPlatformTheProtocolNames) {
  for (const std::string_view platform : {"ios", "ipados", "android", "macos", "windows", "linux"}) {
    const std::string card =
        R"({"name":"D","platform":")" + std::string(platform) + R"(","app_version":"1"})";
    EXPECT_EQ(from_json<setup_request>(setup("\"t\"", "\"F\"", card))->device.platform, platform);
  }
  EXPECT_FALSE(from_json<setup_request>(
                   setup("\"t\"", "\"F\"", R"({"name":"D","platform":"Linux","app_version":"1"})"))
                   .ok());
}

// Their shape is judged after the token, so reading lets anything pass.
TEST(SetupRequest, LeavesRecoveryMembersUnjudged) {
  const auto read = from_json<setup_request>(
      setup("\"t\"", "\"F\"", device, R"(,"recovery_verifier":7,"recovery_proof":"short")"));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->recovery_verifier, "");
  EXPECT_EQ(read->recovery_proof, "short");
}

TEST(SetupAnswer, WritesItsMembersInOrderAndReadsThemBack) {
  const std::string id16(32, '1'), id_other(32, '2'), secret(64, '3');
  const std::string text = R"({"account_id":")" + id16 + R"(","recovered":true,"device_id":")" + id_other +
                           R"(","device_secret":")" + secret + "\"}";
  EXPECT_EQ(to_json(*from_json<setup_answer>(text)), text);
}

}  // namespace
}  // namespace obsync::wire
