#include "config/option.hpp"

#include <gtest/gtest.h>

#include <set>

namespace obsync::config {
namespace {

TEST(OptionTable, HasUniqueNamesAndVariables) {
  std::set<std::string_view> names;
  std::set<std::string_view> variables;
  for (const option& each : options()) {
    EXPECT_TRUE(names.insert(each.name).second) << each.name;
    EXPECT_TRUE(variables.insert(each.environment).second) << each.environment;
    EXPECT_TRUE(each.environment.starts_with("OBSYNC_")) << each.environment;
  }
}

TEST(OptionTable, KeepsTheOptionsOfASectionTogether) {
  std::set<std::string_view> closed;
  std::string_view section;
  for (const option& each : options()) {
    const auto mine = each.name.substr(0, each.name.find('.'));
    if (mine == section) continue;
    EXPECT_TRUE(closed.insert(section).second);
    EXPECT_FALSE(closed.contains(mine)) << each.name;
    section = mine;
  }
}

TEST(OptionTable, TakesBackEveryDefaultItPrints) {
  const settings defaults;
  for (const option& each : options()) {
    settings copy;
    EXPECT_TRUE(each.assign(copy, each.print(defaults))) << each.name << " " << each.print(defaults);
    EXPECT_EQ(copy, defaults) << each.name;
  }
}

TEST(OptionTable, RefusesRubbishWithoutChangingAnything) {
  const settings defaults;
  for (const option& each : options()) {
    settings copy;
    EXPECT_FALSE(each.assign(copy, "\x01?")) << each.name;
    EXPECT_EQ(copy, defaults) << each.name;
  }
}

TEST(OptionTable, KnowsTheVariablesOfTheReferenceServer) {
  for (const char* name : {"LISTEN",
                           "BLOBS_DIR",
                           "JOURNAL_DIR",
                           "BLOBS_MIRRORS",
                           "BLOBS_CAPACITY",
                           "JOURNAL_CAPACITY",
                           "BLOBS_CLASS",
                           "JOURNAL_CLASS",
                           "DASHBOARD_DIR",
                           "PLUGIN_DIR",
                           "EDGE",
                           "TRUSTED_PROXY_CIDRS",
                           "PUBLIC_URL",
                           "SERVER_KEY",
                           "FREE_WATERMARK",
                           "RETENTION_DAYS",
                           "RETENTION_VERSIONS",
                           "SCRUB_RATE",
                           "MAX_CONNECTIONS",
                           "LOG"}) {
    EXPECT_NE(find_variable(std::string("OBSYNC_") + name), nullptr) << name;
  }
}

TEST(OptionTable, HoldsExactlyOneSecret) {
  for (const option& each : options()) EXPECT_EQ(each.secret, each.name == "store.server_key") << each.name;
}

TEST(NearestOption, FindsTheNameBehindASlip) {
  EXPECT_EQ(nearest_option("server.lisen"), "server.listen");
  EXPECT_EQ(nearest_option("sever.listen"), "server.listen");
  EXPECT_EQ(nearest_option("store.blob_dir"), "store.blobs_dir");
  EXPECT_EQ(nearest_variable("OBSYNC_LISTNE"), "OBSYNC_LISTEN");
}

TEST(NearestOption, StaysSilentWhenNothingIsNear) {
  EXPECT_EQ(nearest_option("colour"), "");
  EXPECT_EQ(nearest_option(std::string(100'000, 'a')), "");
}

}  // namespace
}  // namespace obsync::config
