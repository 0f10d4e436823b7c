#include "client/remote/endpoint.hpp"

#include <gtest/gtest.h>

namespace obsync::client {
namespace {

TEST(Endpoint, ReadsSchemeHostAndPort) {
  const auto plain = parse_endpoint("http://127.0.0.1:8080");
  ASSERT_TRUE(plain);
  EXPECT_FALSE(plain->tls);
  EXPECT_EQ(plain->host, "127.0.0.1");
  EXPECT_EQ(plain->port, 8080);
  EXPECT_TRUE(plain->loopback());
  const auto secure = parse_endpoint("https://sync.example.org/");
  ASSERT_TRUE(secure);
  EXPECT_TRUE(secure->tls);
  EXPECT_EQ(secure->port, 443);
  EXPECT_FALSE(secure->loopback());
  EXPECT_EQ(secure->url(), "https://sync.example.org");
}

TEST(Endpoint, BracketsIpv6InHeadersAndUrls) {
  const auto address = parse_endpoint("http://[fd00::1]:8080");
  ASSERT_TRUE(address);
  EXPECT_EQ(address->host, "fd00::1");
  EXPECT_EQ(address->host_header(), "[fd00::1]:8080");
  EXPECT_EQ(address->url(), "http://[fd00::1]:8080");
}

TEST(Endpoint, RefusesWhatItCannotReachExactly) {
  for (const char* url : {"", "sync.example.org", "ftp://host", "http://", "http://host/path",
                          "http://host?x", "http://me@host", "http://host:0", "http://host:65536",
                          "http://host:8o", "http://[::1", "http://ho st", "http://[::1]x", "http://host:"}) {
    EXPECT_FALSE(parse_endpoint(url)) << url;
  }
}

}  // namespace
}  // namespace obsync::client
