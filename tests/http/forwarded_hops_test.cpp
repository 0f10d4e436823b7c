#include "http/forwarded_hops.hpp"

#include <gtest/gtest.h>

namespace obsync::http {
namespace {

std::string told(const hop_list& hops) {
  std::string out;
  for (const auto& hop : hops) out += (out.empty() ? "" : " ") + (hop ? hop->text() : "?");
  return out;
}

std::string listed(std::string_view text) {
  return told(read_x_forwarded_for(text));
}

std::string standard(std::string_view text) {
  return told(read_forwarded(text));
}

TEST(XForwardedFor, IsAListOfAddressesWithOrWithoutPorts) {
  EXPECT_EQ(listed("192.0.2.1,\t2001:db8::1 , [2001:db8::2]:443,198.51.100.7:80,[::1]"),
            "192.0.2.1 2001:db8::1 2001:db8::2 198.51.100.7 ::1");
  EXPECT_EQ(listed(""), "");
  EXPECT_EQ(listed(" , ,"), "");
}

TEST(XForwardedFor, AHopThatCannotBeReadKeepsItsPlace) {
  EXPECT_EQ(listed("192.0.2.1, unknown, 192.0.2.2"), "192.0.2.1 ? 192.0.2.2");
  EXPECT_EQ(listed("192.0.2.1:, 192.0.2.1:x, 192.0.2.1:123456, [192.0.2.1], [::1, [::1]x, \"::1\""),
            "? ? ? ? ? ? ?");
}

TEST(Forwarded, ReadsTheForOfEachElement) {
  EXPECT_EQ(standard("for=192.0.2.1"), "192.0.2.1");
  EXPECT_EQ(standard("by=10.0.0.1;For=\"[2001:db8::1]:4711\";proto=https , FOR=\"192.0.2.2:80\""),
            "2001:db8::1 192.0.2.2");
  EXPECT_EQ(standard("for=192.0.2.1;host=\"a,b;for=9.9.9.9\", , for=\"192\\.0.2.3\""), "192.0.2.1 192.0.2.3");
  EXPECT_EQ(standard(""), "");
}

TEST(Forwarded, AnElementThatNamesNobodyKeepsItsPlace) {
  EXPECT_EQ(standard("for=unknown, for=_hidden, by=10.0.0.1, for=192.0.2.1"), "? ? ? 192.0.2.1");
  EXPECT_EQ(standard("for=192.0.2.1;for=192.0.2.2"), "?");
  EXPECT_EQ(standard("for = 192.0.2.1, for=, =192.0.2.1, for"), "? ? ? ?");
  EXPECT_EQ(standard("for=192.0.2.1 by=x, for=192.0.2.2"), "? 192.0.2.2");
  EXPECT_EQ(standard("for=2001:db8::1"), "?");
}

TEST(Forwarded, QuotesThatDoNotCloseSpoilTheWholeList) {
  EXPECT_EQ(standard("for=192.0.2.1, for=\"192.0.2.2"), "?");
  EXPECT_EQ(standard("for=9.9.9.9;by=\", for=192.0.2.2"), "?");
  EXPECT_EQ(standard("for=192.0.2.1, x\"y, for=192.0.2.2"), "?");
  EXPECT_EQ(standard("for=\"192.0.2.1\\"), "?");
}

TEST(Forwarded, AnOpenQuoteCannotSwallowWhatTheProxyQuotesBehindIt) {
  EXPECT_EQ(standard("for=9.9.9.9;by=\", for=\"[2001:db8::1]\""), "?");
}

}  // namespace
}  // namespace obsync::http
