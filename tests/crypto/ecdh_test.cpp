#include "crypto/ecdh.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "crypto/base64.hpp"
#include "tests/support/vectors.hpp"

namespace obsync::crypto {
namespace {

bytes from_vector(const std::string& pointer) {
  return from_base64url(test::vector_text(pointer)).value();
}

p256_public point_of(byte_view raw) {
  p256_public out{};
  std::copy(raw.begin(), raw.end(), out.begin());
  return out;
}

TEST(P256Key, ComputesThePublishedPointsAndTheirSharedSecret) {
  const auto claimant = p256_key::from_private(from_vector("/published/pairing_v2/claimant/d_b64url"));
  const auto creator = p256_key::from_private(from_vector("/published/pairing_v2/creator/d_b64url"));
  ASSERT_TRUE(claimant && creator);
  EXPECT_EQ(to_base64url(claimant->public_point()),
            test::vector_text("/published/pairing_v2/claimant/raw_pub_b64url"));
  EXPECT_EQ(to_base64url(creator->public_point()),
            test::vector_text("/published/pairing_v2/creator/raw_pub_b64url"));
  const std::string shared = test::vector_text("/derived_unpublished/ecdh_shared_secret_of_pairing_v2");
  EXPECT_EQ(claimant->agree(creator->public_point())->hex(), shared);
  EXPECT_EQ(creator->agree(claimant->public_point())->hex(), shared);
}

TEST(P256Key, FreshPairsDifferAndAgree) {
  const p256_key one = p256_key::generate();
  p256_key other = p256_key::generate();
  EXPECT_NE(one.public_point(), other.public_point());
  EXPECT_EQ(one.agree(other.public_point())->raw, other.agree(one.public_point())->raw);
  const p256_key moved = std::move(other);
  EXPECT_TRUE(is_p256_point(moved.public_point()));
}

TEST(P256Key, RefusesScalarsOutsideTheGroup) {
  EXPECT_FALSE(p256_key::from_private(bytes(32, 0)).has_value());
  EXPECT_FALSE(p256_key::from_private(bytes(32, 0xFF)).has_value());
  EXPECT_FALSE(p256_key::from_private(bytes(31, 1)).has_value());
  EXPECT_FALSE(p256_key::from_private({}).has_value());
}

TEST(P256Key, RefusesToAgreeWithAPointOffTheCurve) {
  const p256_key key = p256_key::generate();
  p256_public off = key.public_point();
  off[64] ^= 1;
  EXPECT_FALSE(is_p256_point(off));
  EXPECT_FALSE(key.agree(off).has_value());
  EXPECT_FALSE(key.agree(p256_public{}).has_value());
}

TEST(P256Point, IsOnlyTheUncompressedEncoding) {
  const p256_public good = p256_key::generate().public_point();
  EXPECT_TRUE(is_p256_point(good));
  EXPECT_FALSE(is_p256_point(byte_view(good).first(64)));
  EXPECT_FALSE(is_p256_point({}));
  p256_public hybrid = good;
  hybrid[0] = static_cast<std::uint8_t>(0x06 | (good[64] & 1));
  EXPECT_FALSE(is_p256_point(hybrid));
  EXPECT_FALSE(is_p256_point(point_of(bytes(65, 0xFF))));
}

}  // namespace
}  // namespace obsync::crypto
