#include "http/target.hpp"

#include <gtest/gtest.h>

namespace obsync::http {
namespace {

TEST(Target, DropsEmptySegmentsAndDecodesTheOthers) {
  const auto parts = parse_target("//v1///acc%6Funt/?a=1&a=2&b=x+y%20z&c");
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->segments, (std::vector<std::string>{"v1", "account"}));
  const std::vector<std::pair<std::string, std::string>> query = {
      {"a", "1"}, {"a", "2"}, {"b", "x+y z"}, {"c", ""}};
  EXPECT_EQ(parts->query, query);
}

TEST(Target, RefusesWhatCouldBeReadTwoWays) {
  for (const char* target : {"/a/../b", "/./a", "/a%2Fb", "/a%2fb", "/a%00", "/a%1F", "/a%7f", "/a%", "/a%4",
                             "/a%zz", "/%2e%2e/a", "/a?b=%"})
    EXPECT_FALSE(parse_target(target)) << target;
  EXPECT_TRUE(parse_target("/..."));
}

}  // namespace
}  // namespace obsync::http
