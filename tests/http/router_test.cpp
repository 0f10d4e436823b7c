#include "http/router.hpp"

#include <gtest/gtest.h>

#include <set>

#include "http/target.hpp"

namespace obsync::http {
namespace {

std::optional<route_match> match(const std::string& method, const std::string& path) {
  return match_route(method, parse_target(path)->segments);
}

TEST(Router, EveryRouteIsReachedByItsOwnTemplate) {
  std::set<actors::route> reached;
  for (const route_entry& entry : all_routes()) {
    const std::string path = entry.path == "/{dashboard_file}" ? "/app.css" : std::string(entry.path);
    const auto found = match(std::string(entry.method), path);
    ASSERT_TRUE(found) << entry.path;
    EXPECT_EQ(found->entry->where, entry.where) << entry.path;
    EXPECT_TRUE(reached.insert(entry.where).second) << entry.path;
  }
}

TEST(Router, AFixedSegmentWinsOverAParameter) {
  EXPECT_EQ(match("POST", "/v1/devices/heartbeat")->entry->where, actors::route::heartbeat);
  EXPECT_EQ(match("POST", "/v1/chunks/get")->entry->where, actors::route::chunks_get);
}

TEST(Router, HandsParametersOverInOrder) {
  const auto found = match("GET", "/v1/files/aa/versions/bb");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->params, (std::vector<std::string>{"aa", "bb"}));
}

TEST(Router, TheDashboardsFilesAreAClosedSet) {
  for (const std::string name : {"index.html", "app.css", "app.js", "lib.js"}) {
    const auto found = match("GET", "/" + name);
    ASSERT_TRUE(found) << name;
    EXPECT_EQ(found->params, std::vector<std::string>{name});
  }
  EXPECT_EQ(match("GET", "/")->entry->where, actors::route::dashboard_index);
  EXPECT_EQ(match("GET", "//")->entry->where, actors::route::dashboard_index);
  EXPECT_FALSE(match("GET", "/README.md"));
  EXPECT_FALSE(match("GET", "/app.css/x"));
  EXPECT_FALSE(match("GET", "/{dashboard_file}"));
}

TEST(Router, AWrongMethodIsAsUnknownAsAWrongPath) {
  EXPECT_FALSE(match("DELETE", "/v1/account"));
  EXPECT_FALSE(match("HEAD", "/livez"));
  EXPECT_FALSE(match("GET", "/v1"));
  EXPECT_FALSE(match("GET", "/v1/files/aa/versions/bb/cc"));
}

}  // namespace
}  // namespace obsync::http
