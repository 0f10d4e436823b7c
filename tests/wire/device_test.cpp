#include "wire/device.hpp"

#include <gtest/gtest.h>

namespace obsync::wire {
namespace {

const std::string id16 = "00112233445566778899aabbccddeeff";

std::string listed(const std::string& state, const std::string& revoked, const std::string& seen) {
  return R"({"device_id":")" + id16 +
         R"(","name":"Desk","platform":"linux","app_version":"1.1.5","created":1,"last_seen":)" + seen +
         R"(,"last_sign_in":2000,"last_edit":null,"last_heartbeat":null,"address":"192.0.2.1","country":null,)" +
         R"("policy":{"per_file_max_bytes":5,"total_budget_bytes":0},"state":")" + state + R"(","revoked":)" +
         revoked + R"(,"archived":false})";
}

refusal patch_refusal(std::string_view text) {
  const auto read = from_json<device_patch>(text);
  EXPECT_FALSE(read.ok()) << text;
  return read.ok() ? refusal::not_found : read.error().code;
}

TEST(DeviceInfo, WritesItsMembersInOrderAndReadsThemBack) {
  for (const std::string& text : {listed("pending", "false", "null"), listed("active", "false", "1000"),
                                  listed("revoked", "true", "0")}) {
    const auto read = from_json<device_info>(text);
    ASSERT_TRUE(read.ok()) << read.error().detail;
    EXPECT_EQ(to_json(*read), text);
  }
}

// Servers before 1.1.5 write neither last_heartbeat nor archived.
TEST(DeviceInfo, ReadsARowOfAnOlderServer) {
  const auto read = from_json<device_info>(
      R"({"device_id":")" + id16 +
      R"(","name":"D","platform":"ios","app_version":"1","created":1,"state":"active"})");
  ASSERT_TRUE(read.ok()) << read.error().detail;
  EXPECT_FALSE(read->last_heartbeat_ms.has_value());
  EXPECT_FALSE(read->archived);
  EXPECT_EQ(read->policy.per_file_max_bytes, 0);
}

TEST(DeviceList, RefusesTheWholeListForOneBrokenRow) {
  const std::string good = listed("active", "false", "null");
  EXPECT_EQ(from_json<device_list>("{\"devices\":[" + good + "," + good + "]}")->devices.size(), 2u);
  EXPECT_FALSE(from_json<device_list>("{\"devices\":[" + good + ",7]}").ok());
  EXPECT_EQ(to_json(device_list{}), R"({"devices":[]})");
}

TEST(DevicePatch, NeedsANameOrAPolicyAndANullPolicyIsNone) {
  EXPECT_EQ(from_json<device_patch>(R"({"name":"Desk","policy":null})")->name, "Desk");
  EXPECT_FALSE(from_json<device_patch>(R"({"name":"Desk","policy":null})")->policy.has_value());
  for (const std::string_view text :
       {"{}", R"({"policy":null})", R"({"name":null})",
        R"({"name":null,"policy":{"per_file_max_bytes":1,"total_budget_bytes":1}})", R"({"policy":{}})",
        R"({"policy":{"per_file_max_bytes":1}})", R"({"policy":[]})",
        R"({"policy":{"per_file_max_bytes":-1,"total_budget_bytes":1}})"}) {
    EXPECT_EQ(patch_refusal(text), refusal::bad_request) << text;
  }
}

TEST(DevicePatch, WritesOnlyWhatIsGiven) {
  EXPECT_EQ(to_json(device_patch{.name = "Desk"}), R"({"name":"Desk"})");
  EXPECT_EQ(to_json(device_patch{.policy = device_policy{1, 2}}),
            R"({"policy":{"per_file_max_bytes":1,"total_budget_bytes":2}})");
}

TEST(Heartbeat, CarriesAVersionAndPerhapsAPolicy) {
  EXPECT_EQ(to_json(heartbeat_request{"1.1.5"}), R"({"app_version":"1.1.5"})");
  EXPECT_FALSE(from_json<heartbeat_request>(R"({"app_version":"1","policy":null})")->policy.has_value());
  EXPECT_EQ(from_json<heartbeat_request>(
                R"({"app_version":"1","policy":{"per_file_max_bytes":1,"total_budget_bytes":2}})")
                ->policy->total_budget_bytes,
            2);
  EXPECT_FALSE(from_json<heartbeat_request>(R"({"app_version":"123456789012345678901234567890123"})").ok());
}

}  // namespace
}  // namespace obsync::wire
