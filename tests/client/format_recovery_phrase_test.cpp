#include "client/format/recovery_phrase.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "client/format/english_words.hpp"
#include "core/random.hpp"
#include "crypto/digest.hpp"
#include "tests/support/vectors.hpp"

namespace obsync::client {
namespace {

const std::string at = "/derived_unpublished/recovery_phrase";

crypto::secret32 known_key() {
  return *crypto::secret32::from(test::vector_bytes(at + "/entropy"));
}

TEST(EnglishWords, AreTheCanonicalListInOrder) {
  std::string text;
  for (const std::string_view word : english_words()) text.append(word).append("\n");
  EXPECT_EQ(crypto::sha256(as_bytes(text)).hex(),
            test::vector_text("/published/misc_published/bip39_english_txt_sha256"));
  EXPECT_TRUE(std::is_sorted(english_words().begin(), english_words().end()));
}

TEST(RecoveryPhrase, OfTheKnownKeyHasTheKnownWords) {
  std::string expected;
  for (const auto& index : test::vector_at(at + "/word_indices_0_based").GetArray()) {
    if (!expected.empty()) expected += " ";
    expected += english_words()[index.GetUint()];
  }
  EXPECT_EQ(to_recovery_phrase(known_key()), expected);
  EXPECT_EQ(from_recovery_phrase(expected)->raw, known_key().raw);
}

TEST(RecoveryPhrase, RoundTripsRandomKeys) {
  seeded_random random(3);
  for (int turn = 0; turn < 200; ++turn) {
    crypto::secret32 key;
    random.fill(key.raw);
    ASSERT_EQ(from_recovery_phrase(to_recovery_phrase(key))->raw, key.raw);
  }
}

TEST(RecoveryPhrase, ReadsAnyCaseAndSpacing) {
  std::string phrase = to_recovery_phrase(known_key());
  for (char& c : phrase) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  std::string spaced = "\n\t ";
  for (const char c : phrase) spaced += c == ' ' ? std::string(" \r\n ") : std::string(1, c);
  EXPECT_EQ(from_recovery_phrase(spaced + "  ")->raw, known_key().raw);
}

TEST(RecoveryPhrase, RefusesAWrongCountAnUnknownWordAndAWrongChecksum) {
  const std::string phrase = to_recovery_phrase(known_key());
  const auto detail = [](const std::string& text) {
    const auto read = from_recovery_phrase(text);
    EXPECT_FALSE(read.ok()) << text;
    return read.ok() ? std::string() : read.error().detail;
  };
  EXPECT_NE(detail(phrase + " abandon").find("25"), std::string::npos);
  EXPECT_NE(detail(phrase.substr(0, phrase.rfind(' '))).find("23"), std::string::npos);
  EXPECT_NE(detail("").find("24 words"), std::string::npos);
  std::string unknown = phrase;
  unknown.replace(0, unknown.find(' '), "obsidians");
  EXPECT_NE(detail(unknown).find("word 1 "), std::string::npos);
  EXPECT_EQ(detail(unknown).find("obsidians"), std::string::npos);
  std::string swapped = phrase;
  swapped.replace(0, swapped.find(' '), "zoo");
  EXPECT_NE(detail(swapped).find("add up"), std::string::npos);
}

}  // namespace
}  // namespace obsync::client
