#include "crypto/certificate.hpp"

#include <gtest/gtest.h>

namespace obsync::crypto {
namespace {

constexpr std::int64_t now_s = 1'700'000'000;
constexpr std::int64_t day_s = 86'400;

using names = std::vector<std::string>;

TEST(Certificate, IsIssuedByItsAuthorityAndByNoOther) {
  const certified_key authority = make_authority("home", now_s);
  const certified_key other = make_authority("home", now_s);
  const auto made = issue_certificate(authority, make_private_key(), {"sync.home"}, now_s);
  ASSERT_TRUE(made);
  EXPECT_TRUE(is_issued_by(*made, authority.certificate));
  EXPECT_FALSE(is_issued_by(*made, other.certificate));
  EXPECT_FALSE(is_issued_by("no certificate", authority.certificate));
}

TEST(Certificate, CarriesNamesAndAddressesInTheirOrder) {
  const certified_key authority = make_authority("home", now_s);
  const names wanted{"sync.home", "192.168.1.5", "a-b.example.org", "2001:db8:0:0:0:0:0:1"};
  const auto made = issue_certificate(authority, make_private_key(), wanted, now_s);
  ASSERT_TRUE(made);
  EXPECT_EQ(names_in(*made), wanted);
  EXPECT_EQ(names_in(authority.certificate), names{});
  EXPECT_EQ(names_in("no certificate"), names{});
}

TEST(Certificate, WhatItsNamesPrintCanBeIssuedAgain) {
  const certified_key authority = make_authority("home", now_s);
  const auto made = issue_certificate(authority, make_private_key(), {"fd00::1", "host"}, now_s);
  ASSERT_TRUE(made);
  const auto again = issue_certificate(authority, make_private_key(), names_in(*made), now_s);
  ASSERT_TRUE(again);
  EXPECT_EQ(names_in(*again), names_in(*made));
}

TEST(Certificate, LastsAsLongAsPhonesAllowAndNeverLongerThanItsAuthority) {
  const certified_key authority = make_authority("home", now_s);
  EXPECT_EQ(expiry_of(authority.certificate), now_s - 3600 + 3650 * day_s);
  const auto made = issue_certificate(authority, make_private_key(), {"a"}, now_s);
  EXPECT_EQ(expiry_of(*made), now_s - 3600 + 825 * day_s);
  const auto late = issue_certificate(authority, make_private_key(), {"a"}, now_s + 3600 * day_s);
  EXPECT_EQ(expiry_of(*late), expiry_of(authority.certificate));
  const auto never = issue_certificate(authority, make_private_key(), {"a"}, now_s + 3650 * day_s);
  ASSERT_FALSE(never);
  EXPECT_EQ(never.error().code, errc::timed_out);
}

TEST(Certificate, RefusesWhatIsNeitherAHostNorAnAddress) {
  const certified_key authority = make_authority("home", now_s);
  for (const std::string& bad :
       {std::string(), std::string("-a"), std::string("a-"), std::string("a..b"), std::string("a."),
        std::string("*.home"), std::string("a b"), std::string("a_b"), std::string("999.1.1.1"),
        std::string("1.2.3"), std::string("[::1]"), std::string("https://a"), std::string("a\nb"),
        std::string(64, 'a'), std::string(254, 'a')}) {
    const auto made = issue_certificate(authority, make_private_key(), {"good", bad}, now_s);
    ASSERT_FALSE(made) << bad;
    EXPECT_EQ(made.error().code, errc::invalid);
  }
  EXPECT_FALSE(issue_certificate(authority, make_private_key(), {}, now_s));
}

TEST(Certificate, RefusesKeysThatDoNotFit) {
  certified_key authority = make_authority("home", now_s);
  EXPECT_EQ(issue_certificate(authority, private_key_pem("nothing"), {"a"}, now_s).error().code,
            errc::corrupt);
  authority.key = make_private_key();
  EXPECT_EQ(issue_certificate(authority, make_private_key(), {"a"}, now_s).error().code, errc::corrupt);
}

}  // namespace
}  // namespace obsync::crypto
