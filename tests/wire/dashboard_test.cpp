#include "wire/dashboard.hpp"

#include <gtest/gtest.h>

namespace obsync::wire {
namespace {

TEST(DashboardJson, ALoginLink) {
  EXPECT_EQ(to_json(login_link{"https://a/login?token=0", 7}),
            "{\"url\":\"https://a/login?token=0\",\"expires\":7}");
  EXPECT_EQ(from_json<login_link>("{\"url\":\"/login?token=0\",\"expires\":7}")->url, "/login?token=0");
  EXPECT_FALSE(from_json<login_link>("{\"url\":\"/\\u001b[2J\",\"expires\":7}"))
      << "it is printed on a terminal";
}

TEST(DashboardJson, AnOverviewHasEveryMemberInOrder) {
  dashboard_overview value;
  value.edge = "none";
  value.volumes.push_back({"blobs", "my \"ssd\"", 10, 4, 6, 1, true});
  value.versions = 3;
  value.files = 2;
  value.activity[0] = {3'600'000, 5};
  const std::string text = to_json(value);
  EXPECT_EQ(
      text.find("{\"account\":null,\"edge\":\"none\",\"public_url\":null,\"volumes\":[{\"role\":\"blobs\","
                "\"path_class\":\"my \\\"ssd\\\"\",\"bytes_total\":10,\"bytes_used\":4,\"bytes_free\":6,"
                "\"watermark_bytes\":1,\"usage_unverified\":true}],\"versions\":{\"total\":3,\"files\":2},"
                "\"activity\":{\"versions_per_hour\":[{\"hour\":3600000,\"count\":5},"),
      0u)
      << text;
  EXPECT_TRUE(text.ends_with("]},\"last_gc\":null,\"last_scrub\":null,\"session\":{\"recovery\":false}}"));
}

TEST(DashboardJson, StorageShowsWhatIsNotThereYetAsIdle) {
  dashboard_storage value;
  value.retention_days = 30;
  value.retention_versions = 10;
  value.watermark_spec = "5%,2147483648";
  value.scrub_bytes_per_second = 4;
  EXPECT_EQ(to_json(value),
            "{\"volumes\":[],\"retention\":{\"days\":30,\"versions\":10},\"watermark\":{\"spec\":"
            "\"5%,2147483648\"},\"gc\":{\"state\":\"idle\",\"last\":null},\"scrub\":{\"state\":\"idle\","
            "\"rate_bytes_per_sec\":4,\"last\":null},\"quarantine\":[]}");
}

TEST(DashboardJson, ADeviceWithHistoryIsTheDeviceAndOneMemberMore) {
  watched_device device;
  device.history.push_back({5'000, sighting_kind::edit, "192.0.2.1", std::nullopt});
  std::string plain = to_json(device.info);
  plain.pop_back();
  EXPECT_EQ(
      to_json(watched_device_list{{device}}),
      "{\"devices\":[" + plain +
          ",\"history\":[{\"ts\":5000,\"event\":\"edit\",\"address\":\"192.0.2.1\",\"country\":null}]}]}");
}

TEST(DashboardJson, ALogLineWithoutADeviceSaysNullAndHostileTextIsEscaped) {
  const std::vector<request_line> lines{{1, "G\"T", "/livez", "", 200, 2, 3, "ok"}};
  EXPECT_EQ(to_json(lines),
            "{\"lines\":[{\"ts\":1,\"method\":\"G\\\"T\",\"path_class\":\"/livez\",\"device\":null,"
            "\"status\":200,\"bytes\":2,\"duration_ms\":3,\"decision\":\"ok\"}]}");
}

}  // namespace
}  // namespace obsync::wire
