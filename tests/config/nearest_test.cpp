#include "config/nearest.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace obsync::config {
namespace {

TEST(EditDistance, CountsEachKindOfSlipAsOne) {
  EXPECT_EQ(edit_distance("listen", "listen"), 0U);
  EXPECT_EQ(edit_distance("listen", "liste"), 1U);
  EXPECT_EQ(edit_distance("listen", "listenn"), 1U);
  EXPECT_EQ(edit_distance("listen", "lissen"), 1U);
  EXPECT_EQ(edit_distance("listen", "litsen"), 1U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
}

TEST(Nearest, RefusesToGuessAcrossAThirdOfTheName) {
  const std::vector<std::string_view> known{"abcdef"};
  EXPECT_EQ(nearest("abcdxy", known), "abcdef");
  EXPECT_EQ(nearest("abcxyz", known), "");
}

}  // namespace
}  // namespace obsync::config
