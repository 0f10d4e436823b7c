#include "http/cookies.hpp"

#include <gtest/gtest.h>

#include <string>

namespace obsync::http {
namespace {

TEST(Cookies, FindsTheNamedOneAmongOthers) {
  EXPECT_EQ(cookie_value("a=1; b=2; c=3", "b"), "2");
  EXPECT_EQ(cookie_value("b=2", "b"), "2");
  EXPECT_EQ(cookie_value("a=1;b=2", "b"), "2");
  EXPECT_EQ(cookie_value("a=1 ;\t b = 2 ", "b"), "2");
}

TEST(Cookies, ANameIsTheWholeNameAndItsCaseCounts) {
  EXPECT_EQ(cookie_value("xb=1; bx=2; B=3", "b"), std::nullopt);
  EXPECT_EQ(cookie_value("a=b=2", "b"), std::nullopt);
  EXPECT_EQ(cookie_value("a=\"; b=2\"", "b"), "2\"") << "quotes do not hide a separator";
}

TEST(Cookies, TheFirstOfTwoWins) {
  EXPECT_EQ(cookie_value("b=1; b=2", "b"), "1");
}

TEST(Cookies, WhatIsNoPairIsPassedOver) {
  EXPECT_EQ(cookie_value("", "b"), std::nullopt);
  EXPECT_EQ(cookie_value(";;;", "b"), std::nullopt);
  EXPECT_EQ(cookie_value("b", "b"), std::nullopt);
  EXPECT_EQ(cookie_value("=b; b", "b"), std::nullopt);
  EXPECT_EQ(cookie_value("b; b=; b=3", "b"), "");
  EXPECT_EQ(cookie_value("b=a=c", "b"), "a=c");
}

TEST(Cookies, AThousandPairsAreReadOnce) {
  std::string header;
  for (int i = 0; i < 1000; ++i) header += "x" + std::to_string(i) + "=y; ";
  EXPECT_EQ(cookie_value(header + "b=2", "b"), "2");
}

}  // namespace
}  // namespace obsync::http
