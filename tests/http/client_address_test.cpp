#include "http/client_address.hpp"

#include <gtest/gtest.h>

namespace obsync::http {
namespace {

edge_rules at_home() {
  return {false, private_networks()};
}

edge_rules behind_cloudflare() {
  return {true, private_networks()};
}

std::string address_of(std::string_view peer, const header_list& headers) {
  return find_client(at_home(), peer, headers)->address;
}

TEST(ClientAddress, IsThePeerWithoutForwardingHeaders) {
  const auto found = find_client(at_home(), "192.0.2.1", {{"Host", "a"}});
  EXPECT_EQ(found->address, "192.0.2.1");
  EXPECT_EQ(found->country, std::nullopt);
  EXPECT_FALSE(found->ignored || found->joined || found->disagree);
  EXPECT_EQ(address_of("::ffff:192.0.2.1", {}), "192.0.2.1");
}

TEST(ClientAddress, HeadersOfAStrangerAreIgnored) {
  for (const char* name : {"X-Forwarded-For", "Forwarded"}) {
    const auto found = find_client(at_home(), "192.0.2.1", {{name, "for=203.0.113.9"}});
    EXPECT_EQ(found->address, "192.0.2.1");
    EXPECT_TRUE(found->ignored);
  }
}

TEST(ClientAddress, ATrustedPeerIsBelieved) {
  EXPECT_EQ(address_of("127.0.0.1", {{"x-forwarded-for", "203.0.113.9"}}), "203.0.113.9");
  EXPECT_EQ(address_of("::ffff:10.1.2.3", {{"X-Forwarded-For", "::ffff:203.0.113.9"}}), "203.0.113.9");
  EXPECT_EQ(address_of("fd00::1", {{"FORWARDED", "for=\"[2001:db8::1]\""}}), "2001:db8::1");
}

TEST(ClientAddress, TheFirstUntrustedHopFromTheRightIsTheClient) {
  EXPECT_EQ(address_of("127.0.0.1", {{"X-Forwarded-For", "203.0.113.9, 192.0.2.7, 10.0.0.1"}}), "192.0.2.7");
  EXPECT_EQ(address_of("127.0.0.1", {{"X-Forwarded-For", "10.0.0.2, 10.0.0.1"}}), "10.0.0.2");
  EXPECT_EQ(address_of("127.0.0.1", {{"Forwarded", "for=203.0.113.9, for=192.0.2.7, for=100.64.0.1"}}),
            "192.0.2.7");
}

TEST(ClientAddress, AHopThatCannotBeReadEndsTheWalk) {
  EXPECT_EQ(address_of("127.0.0.1", {{"X-Forwarded-For", "203.0.113.9, unknown, 10.0.0.1"}}), "10.0.0.1");
  EXPECT_EQ(address_of("127.0.0.1", {{"X-Forwarded-For", "203.0.113.9, nonsense"}}), "127.0.0.1");
  EXPECT_EQ(address_of("127.0.0.1", {{"Forwarded", "for=203.0.113.9, for=_secret"}}), "127.0.0.1");
  EXPECT_EQ(address_of("127.0.0.1", {{"X-Forwarded-For", ""}}), "127.0.0.1");
}

TEST(ClientAddress, AllFieldsOfANameAreOneList) {
  const auto found = find_client(
      at_home(), "127.0.0.1",
      {{"X-Forwarded-For", "203.0.113.9"}, {"Host", "a"}, {"x-forwarded-for", "192.0.2.7, 10.0.0.1"}});
  EXPECT_EQ(found->address, "192.0.2.7");
  EXPECT_TRUE(found->joined);
  // The last field was written by the nearest proxy: an earlier one cannot stand in for it.
  EXPECT_EQ(address_of("127.0.0.1", {{"X-Forwarded-For", "203.0.113.9"}, {"X-Forwarded-For", "192.0.2.7"}}),
            "192.0.2.7");
}

TEST(ClientAddress, TheTwoHeadersMustAgreeOrThePeerIsTaken) {
  const auto agreed = find_client(at_home(), "127.0.0.1",
                                  {{"X-Forwarded-For", "192.0.2.7"}, {"Forwarded", "for=\"192.0.2.7:80\""}});
  EXPECT_EQ(agreed->address, "192.0.2.7");
  EXPECT_FALSE(agreed->disagree);
  for (const char* other : {"for=192.0.2.8", "for=unknown", ""}) {
    const auto torn =
        find_client(at_home(), "127.0.0.1", {{"X-Forwarded-For", "192.0.2.7"}, {"Forwarded", other}});
    EXPECT_EQ(torn->address, "127.0.0.1") << other;
    EXPECT_TRUE(torn->disagree) << other;
  }
}

TEST(ClientAddress, TheCountryIsOnlyCloudflaresToSay) {
  EXPECT_EQ(find_client(at_home(), "127.0.0.1", {{"CF-IPCountry", "DE"}})->country, std::nullopt);
}

TEST(ClientAddress, CloudflareSaysWhoAndFromWhere) {
  const auto found = find_client(behind_cloudflare(), "10.0.0.1",
                                 {{"cf-connecting-ip", "::ffff:203.0.113.9"},
                                  {"CF-Ray", "8f"},
                                  {"CF-IPCountry", "de"},
                                  {"X-Forwarded-For", "192.0.2.7"}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->address, "203.0.113.9");
  EXPECT_EQ(found->country, "DE");
  const auto silent =
      find_client(behind_cloudflare(), "10.0.0.1", {{"CF-Connecting-IP", "2001:db8::1"}, {"CF-Ray", "8f"}});
  ASSERT_TRUE(silent);
  EXPECT_EQ(silent->country, std::nullopt);
}

TEST(ClientAddress, WhatDidNotComeThroughCloudflareIsNobody) {
  const header_list good{{"CF-Connecting-IP", "203.0.113.9"}, {"CF-Ray", "8f"}};
  EXPECT_TRUE(find_client(behind_cloudflare(), "10.0.0.1", good));
  EXPECT_FALSE(find_client(behind_cloudflare(), "192.0.2.1", good));
  const auto with = [&](const header_list& headers) {
    return find_client(behind_cloudflare(), "10.0.0.1", headers);
  };
  EXPECT_FALSE(with({}));
  EXPECT_FALSE(with({{"CF-Connecting-IP", "203.0.113.9"}}));
  EXPECT_FALSE(with({{"CF-Ray", "8f"}}));
  EXPECT_FALSE(with({{"CF-Connecting-IP", "203.0.113.9"}, {"CF-Ray", " "}}));
  EXPECT_FALSE(with({{"CF-Connecting-IP", "nobody"}, {"CF-Ray", "8f"}}));
  EXPECT_FALSE(with({{"CF-Connecting-IP", "203.0.113.9, 10.0.0.1"}, {"CF-Ray", "8f"}}));
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"CF-Connecting-IP", "203.0.113.9"},
                                                        {"CF-Ray", "8f"},
                                                        {"CF-IPCountry", "D"},
                                                        {"CF-IPCountry", "DEU"},
                                                        {"CF-IPCountry", "D-"},
                                                        {"CF-IPCountry", ""}}) {
    header_list more = good;
    more.emplace_back(name, value);
    EXPECT_FALSE(with(more)) << name << " " << value;
  }
  EXPECT_FALSE(with({{"CF-Connecting-IP", "203.0.113.9"},
                     {"CF-Ray", "8f"},
                     {"CF-IPCountry", "DE"},
                     {"CF-IPCountry", "DE"}}));
}

TEST(ClientAddress, PrivateNetworksAreTheOnesAnOwnProxyLivesIn) {
  const edge_rules rules = at_home();
  for (const char* inside :
       {"127.9.9.9", "::1", "10.255.0.1", "172.31.0.1", "192.168.0.1", "100.127.0.1", "fd00::1"})
    EXPECT_TRUE(rules.trusts(*ip_address::parse(inside))) << inside;
  for (const char* outside :
       {"172.32.0.1", "100.128.0.1", "192.169.0.1", "fe80::1", "2001:db8::1", "8.8.8.8"})
    EXPECT_FALSE(rules.trusts(*ip_address::parse(outside))) << outside;
}

}  // namespace
}  // namespace obsync::http
