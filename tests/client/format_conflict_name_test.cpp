#include "client/format/conflict_name.hpp"

#include <gtest/gtest.h>

#include "core/utf8.hpp"
#include "wire/path_rule.hpp"

namespace obsync::client {
namespace {

constexpr std::int64_t september_2025_ms = 1757200000000;  // 2025-09-06 23:06:40 UTC

conflict_mark utc(std::string device) {
  return {.device = std::move(device), .when_ms = september_2025_ms};
}

TEST(ConflictName, PutsDeviceAndTimeBetweenStemAndExtension) {
  EXPECT_EQ(conflict_path("Notes/Plan.md", utc("Desk")),
            "Notes/Plan (conflict from Desk, 2025-09-06 2306 UTC).md");
}

TEST(ConflictName, NumbersFromTwoAfterTheBracket) {
  EXPECT_EQ(conflict_path("Plan.md", utc("Desk"), 2), "Plan (conflict from Desk, 2025-09-06 2306 UTC) 2.md");
  EXPECT_EQ(conflict_path("Plan.md", utc("Desk"), 11),
            "Plan (conflict from Desk, 2025-09-06 2306 UTC) 11.md");
}

TEST(ConflictName, ALocalTimeDoesNotSayUtc) {
  conflict_mark mark = utc("Desk");
  mark.local_offset_s = 2 * 3600;
  EXPECT_EQ(conflict_path("Plan.md", mark), "Plan (conflict from Desk, 2025-09-07 0106).md");
  mark.local_offset_s = -(3 * 3600 + 1800);
  EXPECT_EQ(conflict_path("Plan.md", mark), "Plan (conflict from Desk, 2025-09-06 1936).md");
}

TEST(ConflictName, OnlyTheLastDotBeginsAnExtension) {
  EXPECT_EQ(conflict_path("a.b/file", utc("D")), "a.b/file (conflict from D, 2025-09-06 2306 UTC)");
  EXPECT_EQ(conflict_path("x.tar.gz", utc("D")), "x.tar (conflict from D, 2025-09-06 2306 UTC).gz");
}

TEST(ConflictName, ATimeBeforeTheEpochIsStillATime) {
  EXPECT_EQ(conflict_path("x", {.device = "D", .when_ms = -1}), "x (conflict from D, 1969-12-31 2359 UTC)");
}

TEST(ConflictName, FitsAFileNameWithoutBreakingACharacter) {
  std::string stem;
  for (int i = 0; i < 70; ++i) stem += "\xF0\x9F\x98\x80";
  for (const std::string& path : {stem + ".md", std::string(251, 'x') + ".md", "x." + std::string(253, 'y'),
                                  "folder/" + stem + "." + std::string(200, 'y')}) {
    const std::string named = conflict_path(path, utc("Desk"), 12);
    const std::string name = named.substr(named.rfind('/') + 1);
    EXPECT_LE(name.size(), 255u);
    EXPECT_TRUE(is_utf8(name));
    EXPECT_TRUE(wire::is_vault_path(named)) << named;
    EXPECT_NE(name.find("(conflict from Desk, 2025-09-06 2306 UTC) 12"), std::string::npos);
  }
}

TEST(DeviceName, LosesWhatPathsAndLinksReserve) {
  EXPECT_EQ(clean_device_name(R"(a\b/c:d*e?f"g<h>i|j#k^l[m]n)"), "a b c d e f g h i j k l m n");
  EXPECT_EQ(clean_device_name("  Anna's \t\n phone  "), "Anna's phone");
  EXPECT_EQ(clean_device_name("v1...2"), "v1.2");
  EXPECT_EQ(clean_device_name("\x01\x7F"), "another device");
  EXPECT_EQ(clean_device_name(""), "another device");
  EXPECT_EQ(clean_device_name("///"), "another device");
  EXPECT_EQ(clean_device_name("caf\xC3\xA9\xFF!"), "caf\xC3\xA9 !");
}

TEST(DeviceName, HasAtMostFortyUtf16Units) {
  EXPECT_EQ(clean_device_name(std::string(50, 'x')), std::string(40, 'x'));
  std::string accents, faces;
  for (int i = 0; i < 50; ++i) accents += "\xC3\xA9";
  for (int i = 0; i < 50; ++i) faces += "\xF0\x9F\x98\x80";
  EXPECT_EQ(clean_device_name(accents), accents.substr(0, 80));
  EXPECT_EQ(clean_device_name(faces), faces.substr(0, 80));
  EXPECT_EQ(clean_device_name("x" + faces), "x" + faces.substr(0, 76));
}

}  // namespace
}  // namespace obsync::client
