#include "crypto/digest.hpp"

#include <gtest/gtest.h>

#include "tests/support/vectors.hpp"

namespace obsync::crypto {
namespace {

using test::vector_bytes;
using test::vector_text;

bytes from(std::string_view hex) {
  bytes out(hex.size() / 2);
  EXPECT_TRUE(from_hex(hex, out));
  return out;
}

TEST(Sha256, HashesTheEmptyTextAndTheClassicOne) {
  EXPECT_EQ(sha256({}).hex(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256(as_bytes("abc")).hex(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256Stream, EqualsOneShotForEverySplit) {
  const std::string text = "a text that is longer than one block of sixty-four bytes, so that splits matter";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    sha256_stream stream;
    stream.update(as_bytes(text).first(cut));
    stream.update(as_bytes(text).subspan(cut));
    EXPECT_EQ(stream.finish(), sha256(as_bytes(text)));
  }
}

TEST(Sha256Stream, IsAsNewAfterFinish) {
  sha256_stream stream;
  stream.update(as_bytes("something"));
  stream.finish();
  EXPECT_EQ(stream.finish(), sha256({}));
  stream.update(as_bytes("abc"));
  EXPECT_EQ(stream.finish(), sha256(as_bytes("abc")));
}

// RFC 4231, cases 1, 2 and 6 (a key longer than a block).
TEST(Hmac, MatchesRfc4231) {
  EXPECT_EQ(hmac_sha256(bytes(20, 0x0b), as_bytes("Hi There")).hex(),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(hmac_sha256(as_bytes("Jefe"), as_bytes("what do ya want for nothing?")).hex(),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(
      hmac_sha256(bytes(131, 0xaa), as_bytes("Test Using Larger Than Block-Size Key - Hash Key First")).hex(),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(Hmac, TakesAnEmptyKeyAndAnEmptyMessage) {
  EXPECT_EQ(hmac_sha256({}, {}).hex(), "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}

TEST(HmacKey, GivesTheSameAnswerEachTimeAndAfterAMove) {
  hmac_key key(as_bytes("Jefe"));
  const digest expected = hmac_sha256(as_bytes("Jefe"), as_bytes("message"));
  EXPECT_EQ(key.mac(as_bytes("message")), expected);
  key.mac(as_bytes("another"));
  EXPECT_EQ(key.mac(as_bytes("message")), expected);
  const hmac_key moved = std::move(key);
  EXPECT_EQ(moved.mac(as_bytes("message")), expected);
}

// RFC 5869, cases 1 to 3.
TEST(Hkdf, MatchesRfc5869) {
  EXPECT_EQ(
      to_hex(hkdf(bytes(22, 0x0b), from("000102030405060708090a0b0c"), from("f0f1f2f3f4f5f6f7f8f9"), 42)),
      "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865");
  bytes key, salt, info;
  for (int i = 0; i < 80; ++i) {
    key.push_back(static_cast<std::uint8_t>(i));
    salt.push_back(static_cast<std::uint8_t>(0x60 + i));
    info.push_back(static_cast<std::uint8_t>(0xb0 + i));
  }
  EXPECT_EQ(to_hex(hkdf(key, salt, info, 82)),
            "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09"
            "da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87");
  EXPECT_EQ(to_hex(hkdf(bytes(22, 0x0b), {}, {}, 42)),
            "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8");
}

TEST(Hkdf, DerivesThePublishedDomainKeys) {
  for (const std::string domain : {"/published/vault/domains/0", "/published/vault/domains/1"}) {
    const bytes domain_key = hkdf(vector_bytes("/published/vault/vrk"), as_bytes("obsync/v1/domain"),
                                  as_bytes(vector_text(domain + "/id")), 32);
    EXPECT_EQ(to_hex(domain_key), vector_text(domain + "/K_d"));
    EXPECT_EQ(
        to_hex(hkdf(domain_key, as_bytes("obsync/v1/manifest"), as_bytes(vector_text(domain + "/id")), 32)),
        vector_text(domain + "/K_m"));
  }
}

TEST(EqualConstantTime, ComparesContentAndLength) {
  EXPECT_TRUE(equal_constant_time({}, {}));
  EXPECT_TRUE(equal_constant_time(as_bytes("same"), as_bytes("same")));
  EXPECT_FALSE(equal_constant_time(as_bytes("same"), as_bytes("sane")));
  EXPECT_FALSE(equal_constant_time(as_bytes("same"), as_bytes("sam")));
}

}  // namespace
}  // namespace obsync::crypto
