#include "wire/signing.hpp"

#include <gtest/gtest.h>

#include "tests/support/vectors.hpp"

namespace obsync::wire {
namespace {

using test::vector_bytes;
using test::vector_text;

TEST(Signing, JoinsTheFieldsWithSingleLineFeeds) {
  const signed_fields fields{"GET", "/v1/changes?since=7", "1757200000", "ab", "cd"};
  EXPECT_EQ(canonical_text(fields), "obsync/v1\nGET\n/v1/changes?since=7\n1757200000\nab\ncd");
}

TEST(Signing, MatchesThePublishedSignature) {
  const std::string at = "/published/request_signature";
  const std::string method = vector_text(at + "/method"), target = vector_text(at + "/target");
  const std::string timestamp = std::to_string(test::vector_number(at + "/ts"));
  const std::string nonce = vector_text(at + "/nonce");
  const std::string body_hash = crypto::sha256(as_bytes(vector_text(at + "/body_utf8"))).hex();
  EXPECT_EQ(body_hash, vector_text(at + "/body_sha256"));
  const crypto::hmac_key secret(vector_bytes(at + "/device_secret"));
  EXPECT_EQ(sign(secret, {method, target, timestamp, nonce, body_hash}).hex(), vector_text(at + "/sig"));
}

}  // namespace
}  // namespace obsync::wire
