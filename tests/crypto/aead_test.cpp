#include "crypto/aead.hpp"

#include <gtest/gtest.h>

#include "tests/support/vectors.hpp"

namespace obsync::crypto {
namespace {

using test::vector_bytes;
using test::vector_id;

const bytes key(32, 7);
const seal_nonce nonce{{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}};

TEST(Aead, SealsThePublishedChunks) {
  for (const std::string chunk : {"/published/chunks/cases/0", "/published/chunks/cases/1"}) {
    const bytes plain = vector_bytes(chunk + "/plain_hex");
    const bytes chunk_key = vector_bytes(chunk + "/chunk_key");
    const auto chunk_nonce = vector_id<seal_nonce>(chunk + "/nonce");
    const bytes sealed = seal(chunk_key, chunk_nonce, plain, as_bytes("obsync/v1/chunk"));
    EXPECT_EQ(sealed, vector_bytes(chunk + "/cipher_hex"));
    EXPECT_EQ(open(chunk_key, chunk_nonce, sealed, as_bytes("obsync/v1/chunk")), plain);
  }
}

TEST(Aead, RefusesEveryChangedBit) {
  const bytes sealed = seal(key, nonce, as_bytes("text"), as_bytes("context"));
  for (std::size_t bit = 0; bit < sealed.size() * 8; ++bit) {
    bytes changed = sealed;
    changed[bit / 8] = static_cast<std::uint8_t>(changed[bit / 8] ^ 1u << bit % 8);
    EXPECT_FALSE(open(key, nonce, changed, as_bytes("context")).has_value());
  }
}

TEST(Aead, RefusesAnotherKeyNonceOrContext) {
  const bytes sealed = seal(key, nonce, as_bytes("text"), as_bytes("context"));
  EXPECT_FALSE(open(bytes(32, 8), nonce, sealed, as_bytes("context")).has_value());
  EXPECT_FALSE(open(key, seal_nonce{}, sealed, as_bytes("context")).has_value());
  EXPECT_FALSE(open(key, nonce, sealed, as_bytes("contexT")).has_value());
  EXPECT_FALSE(open(key, nonce, sealed, {}).has_value());
}

TEST(Aead, RefusesWhatIsShorterThanATag) {
  for (std::size_t size = 0; size < aead_tag_bytes; ++size) {
    EXPECT_FALSE(open(key, nonce, bytes(size), {}).has_value());
  }
}

TEST(Aead, SealsNothingToATagAlone) {
  const bytes sealed = seal(key, nonce, {}, {});
  EXPECT_EQ(sealed.size(), aead_tag_bytes);
  EXPECT_EQ(open(key, nonce, sealed, {}), bytes());
}

}  // namespace
}  // namespace obsync::crypto
