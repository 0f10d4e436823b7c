#include "http/ip_address.hpp"

#include <gtest/gtest.h>

namespace obsync::http {
namespace {

std::string respelled(std::string_view text) {
  const auto read = ip_address::parse(text);
  return read ? read->text() : "none";
}

TEST(IpAddress, HasOneSpellingForEachAddress) {
  EXPECT_EQ(respelled("192.0.2.1"), "192.0.2.1");
  EXPECT_EQ(respelled("2001:DB8:0:0::1"), "2001:db8::1");
  EXPECT_EQ(respelled("::ffff:192.0.2.1"), "192.0.2.1");
  EXPECT_EQ(respelled("::FFFF:c000:201"), "192.0.2.1");
  EXPECT_EQ(*ip_address::parse("::ffff:10.0.0.1"), *ip_address::parse("10.0.0.1"));
}

TEST(IpAddress, TakesNothingButAPlainNumericAddress) {
  for (const std::string_view text :
       {std::string_view(""), std::string_view("localhost"), std::string_view("192.0.2"),
        std::string_view("192.0.2.1:80"), std::string_view("[::1]"), std::string_view("fe80::1%eth0"),
        std::string_view(" ::1"), std::string_view("1.2.3.4\0x", 9), std::string_view("0x7f.1")})
    EXPECT_EQ(respelled(text), "none") << text;
  EXPECT_EQ(respelled(std::string(10'000, '1')), "none");
}

TEST(IpNetwork, HoldsTheAddressesThatBeginAlike) {
  const auto home = ip_network::make("192.168.4.0", 22);
  EXPECT_TRUE(home->contains(*ip_address::parse("192.168.7.255")));
  EXPECT_TRUE(home->contains(*ip_address::parse("::ffff:192.168.5.1")));
  EXPECT_FALSE(home->contains(*ip_address::parse("192.168.8.0")));
  EXPECT_FALSE(home->contains(*ip_address::parse("::c0a8:401")));
  const auto own = ip_network::make("fc00::", 7);
  EXPECT_TRUE(own->contains(*ip_address::parse("fdff::1")));
  EXPECT_FALSE(own->contains(*ip_address::parse("fe00::1")));
  const auto one = ip_network::make("::1", 128);
  EXPECT_TRUE(one->contains(*ip_address::parse("::1")));
  EXPECT_FALSE(one->contains(*ip_address::parse("::2")));
}

TEST(IpNetwork, CountsTheBitsOfAMappedBlockFromTheStart) {
  const auto mapped = ip_network::make("::ffff:10.0.0.0", 104);
  ASSERT_TRUE(mapped);
  EXPECT_TRUE(mapped->contains(*ip_address::parse("10.9.9.9")));
  EXPECT_FALSE(mapped->contains(*ip_address::parse("11.0.0.0")));
}

TEST(IpNetwork, HasNoMoreBitsThanItsAddress) {
  EXPECT_FALSE(ip_network::make("10.0.0.0", 33));
  EXPECT_FALSE(ip_network::make("::1", 129));
  EXPECT_FALSE(ip_network::make("::1", -1));
  EXPECT_FALSE(ip_network::make("::ffff:10.0.0.0", 8));
  EXPECT_FALSE(ip_network::make("ten", 8));
}

}  // namespace
}  // namespace obsync::http
