#include "http/probe.hpp"

#include <gtest/gtest.h>

#include "tests/http/connection_world.hpp"
#include "tests/http/tls_folder.hpp"

namespace obsync::http {
namespace {

class Probe : public connection_world {
 protected:
  void start_secure() {
    auto identity = tls_identity::load(folder_.files());
    ASSERT_TRUE(identity) << identity.error().detail;
    start({}, *identity);
  }
  probe_target at(const std::string& host, bool tls, bool verified) const {
    return {host, listener_->port(), tls, verified};
  }

  tls_folder folder_;
};

TEST_F(Probe, IsAnsweredAtANameAndAtAnAddress) {
  start();
  for (const char* host : {"localhost", "127.0.0.1"}) {
    const auto answer = probe(at(host, false, false), "/livez");
    ASSERT_TRUE(answer) << answer.error().detail;
    EXPECT_EQ(answer->status, 200);
    EXPECT_EQ(answer->body, "alive");
  }
}

TEST_F(Probe, RefusesACertificateThatNobodyVouchesForOnlyWhenAskedTo) {
  start_secure();
  const auto verified = probe(at("localhost", true, true), "/livez");
  ASSERT_FALSE(verified);
  EXPECT_EQ(verified.error().code, errc::denied) << verified.error().detail;
  const auto answer = probe(at("localhost", true, false), "/livez");
  ASSERT_TRUE(answer) << answer.error().detail;
  EXPECT_EQ(answer->body, "alive");
}

TEST(ProbeTarget, IsReadFromTheAddressesAConfigurationAllows) {
  const auto plain = probe_target_of("http://home.example");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->host, "home.example");
  EXPECT_EQ(plain->port, 80);
  EXPECT_FALSE(plain->tls);
  const auto deep = probe_target_of("https://[2001:db8::1]:8443/notes/");
  ASSERT_TRUE(deep);
  EXPECT_EQ(deep->host, "2001:db8::1");
  EXPECT_EQ(deep->port, 8443);
  EXPECT_TRUE(deep->tls);
  EXPECT_EQ(deep->path, "/notes");
  EXPECT_EQ(probe_target_of("https://home.example")->port, 443);
}

TEST(ProbeTarget, IsNothingForAnyOtherText) {
  for (const char* text : {"", "home.example", "ftp://home.example", "http://", "http://:80", "http://h:",
                           "http://h:0", "http://h:65536", "http://h:80x", "http://[::1", "http://[::1]80"})
    EXPECT_FALSE(probe_target_of(text)) << text;
}

TEST(ProbeTarget, ANameWithoutAnAddressIsSaidToHaveNone) {
  const auto answer = probe({"nowhere.invalid", 1, false}, "/livez");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, errc::not_found);
}

}  // namespace
}  // namespace obsync::http
