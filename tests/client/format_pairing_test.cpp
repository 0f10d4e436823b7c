#include "client/format/pairing_agreement.hpp"

#include <gtest/gtest.h>

#include "crypto/aead.hpp"
#include "crypto/base32.hpp"
#include "crypto/base64.hpp"
#include "crypto/digest.hpp"
#include "tests/support/vectors.hpp"

namespace obsync::client {
namespace {

using test::vector_id;
using test::vector_text;

pairing_code known_code() {
  const std::string at = "/derived_unpublished/pairing_code_v2";
  return {
      vector_id<pairing_id>(at + "/pairing_id"), *crypto::secret32::parse(vector_text(at + "/enroll_token")),
      *crypto::secret16::parse(vector_text(at + "/PS")), vector_id<pairing_commitment>(at + "/commitment")};
}

const std::string& known_text() {
  static const std::string text = vector_text("/derived_unpublished/pairing_code_v2/code");
  return text;
}

const std::string agreed = "/published/pairing_v2";

crypto::p256_key known_key(const std::string& side) {
  return *crypto::p256_key::from_private(
      *crypto::from_base64url(vector_text(agreed + "/" + side + "/d_b64url")));
}

pairing_session known_session() {
  return {vector_id<pairing_id>(agreed + "/pairing_id"),
          *crypto::secret16::parse(vector_text(agreed + "/PS")), known_key("claimant").public_point(),
          known_key("creator").public_point()};
}

wire::envelope_answer collected(const wire::approve_request& posted, const pairing_session& session) {
  return {posted.envelope, posted.nonce, to_text(session.creator)};
}

const crypto::secret32 root = *crypto::secret32::from(bytes(32, 0x5C));

void expect_known(std::string_view text) {
  const auto code = parse_pairing_code(text);
  ASSERT_TRUE(code.ok()) << text;
  EXPECT_EQ(to_text(*code), known_text());
}

TEST(PairingCode, IsTheKnownText) {
  EXPECT_EQ(to_text(known_code()), known_text());
  EXPECT_EQ(to_link(known_code()), "obsidian://obsync-private-sync/pair?code=" + known_text());
}

TEST(PairingCode, ReadsHoweverItWasCopied) {
  std::string lower = known_text(), grouped;
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (std::size_t i = 0; i < known_text().size(); ++i)
    grouped += (i % 4 == 0 && i > 0 ? "-" : "") + known_text().substr(i, 1);
  for (const std::string& text :
       {known_text(), lower, grouped, " \n" + known_text() + "\t ", "\"" + known_text() + "\"",
        "<" + known_text() + ">", "[" + known_text() + "]", known_text() + "====", to_link(known_code()),
        to_link(known_code()) + "&from=mail", "\xE2\x80\x9C" + known_text() + "\xE2\x80\x9D",
        "please use code=" + known_text(),
        known_text().substr(0, 64) + "\xC2\xA0\xE2\x80\x93" + known_text().substr(64)}) {
    expect_known(text);
  }
}

TEST(PairingCode, IgnoresWhatFollowsTheEightiethByte) {
  expect_known(known_text() + "A");
  expect_known(known_text() + "ABCDEFGH");
}

TEST(PairingCode, SaysWhenACodeComesFromAnOlderDevice) {
  const std::string old = vector_text("/derived_unpublished/pairing_code_v1/code");
  EXPECT_EQ(parse_pairing_code(old).error().code, errc::unsupported);
  EXPECT_EQ(parse_pairing_code(old + "=").error().code, errc::unsupported);
}

TEST(PairingCode, SaysHowMuchOfACodeIsThere) {
  for (const std::size_t length :
       {std::size_t{1}, std::size_t{102}, std::size_t{104}, std::size_t{126}, std::size_t{127}}) {
    const auto read = parse_pairing_code(known_text().substr(0, length));
    ASSERT_FALSE(read.ok()) << length;
    EXPECT_EQ(read.error().code, errc::invalid);
    EXPECT_NE(read.error().detail.find(std::to_string(length) + " of 128"), std::string::npos)
        << read.error().detail;
  }
}

TEST(PairingCode, RefusesWhatIsNoCode) {
  for (const std::string& text : {std::string(), std::string("  "), std::string("code="), known_text() + "1",
                                  std::string("caf\xC3\xA9"), std::string("\xFF"), "AB=" + known_text(),
                                  std::string(5000, 'A'), std::string("https://example.org/")}) {
    const auto read = parse_pairing_code(text);
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_EQ(read.error().code, errc::invalid);
  }
}

TEST(PairingAgreement, ReachesThePublishedKeyCommitmentAndMatchCode) {
  const pairing_session session = known_session();
  EXPECT_EQ(to_text(session.claimant), vector_text(agreed + "/claimant/raw_pub_b64url"));
  EXPECT_EQ(to_text(session.creator), vector_text(agreed + "/creator/raw_pub_b64url"));
  EXPECT_EQ(agree_on_key(session, known_key("claimant"))->hex(), vector_text(agreed + "/envelope_key"));
  EXPECT_EQ(agree_on_key(session, known_key("creator"))->hex(), vector_text(agreed + "/envelope_key"));
  EXPECT_EQ(commitment_to(session.pairing, session.creator).hex(), vector_text(agreed + "/commitment"));
  EXPECT_EQ(match_code(session), vector_text(agreed + "/match_code"));
}

TEST(PairingAgreement, HandsTheRootKeyOver) {
  seeded_random random(1);
  const pairing_session session = known_session();
  const auto posted = seal_vault_key(session, known_key("creator"), root, random);
  ASSERT_TRUE(posted.ok());
  const auto opened = open_vault_key(session, known_key("claimant"), collected(*posted, session));
  ASSERT_TRUE(opened.ok());
  EXPECT_EQ(opened->raw, root.raw);
}

TEST(PairingAgreement, RefusesAnAnswerWithoutTheCheckedKey) {
  seeded_random random(1);
  const pairing_session session = known_session();
  auto answer = collected(*seal_vault_key(session, known_key("creator"), root, random), session);
  answer.creator_pub = to_text(session.claimant);
  EXPECT_EQ(open_vault_key(session, known_key("claimant"), answer).error().code, errc::corrupt);
  answer.creator_pub.reset();
  EXPECT_EQ(open_vault_key(session, known_key("claimant"), answer).error().code, errc::corrupt);
}

TEST(PairingAgreement, RefusesAnEnvelopeOfAnotherSession) {
  seeded_random random(1);
  const pairing_session session = known_session();
  pairing_session other = session;
  other.pairing = pairing_id{{1}};
  auto answer = collected(*seal_vault_key(other, known_key("creator"), root, random), session);
  EXPECT_EQ(open_vault_key(session, known_key("claimant"), answer).error().code, errc::corrupt);
  answer = collected(*seal_vault_key(session, known_key("creator"), root, random), session);
  answer.envelope[0] = answer.envelope[0] == 'A' ? 'B' : 'A';
  EXPECT_EQ(open_vault_key(session, known_key("claimant"), answer).error().code, errc::corrupt);
  answer.envelope = "not base64";
  EXPECT_EQ(open_vault_key(session, known_key("claimant"), answer).error().code, errc::corrupt);
}

// A server that swaps either key in the middle: what the people compare no longer matches.
TEST(PairingAgreement, ASwappedKeyChangesTheMatchCodeAndTheCommitment) {
  const pairing_session honest = known_session();
  const auto intruder = crypto::p256_key::generate().public_point();
  pairing_session swapped = honest;
  swapped.claimant = intruder;
  EXPECT_NE(match_code(swapped), match_code(honest));
  swapped = honest;
  swapped.creator = intruder;
  EXPECT_NE(match_code(swapped), match_code(honest));
  EXPECT_NE(commitment_to(honest.pairing, intruder), commitment_to(honest.pairing, honest.creator));
}

TEST(PairingAgreement, RefusesAKeyOffTheCurve) {
  pairing_session session = known_session();
  session.claimant[64] ^= 1;
  EXPECT_EQ(agree_on_key(session, known_key("creator")).error().code, errc::invalid);
  EXPECT_FALSE(parse_point(to_text(session.claimant)).has_value());
  EXPECT_FALSE(parse_point("").has_value());
  EXPECT_TRUE(parse_point(to_text(session.creator)).has_value());
}

TEST(VaultHint, TravelsUnderTheKnownKey) {
  const std::string at = "/derived_unpublished/pair_vault_key";
  const auto pairing = vector_id<pairing_id>(at + "/pairing_id");
  const auto secret = *crypto::secret16::parse(vector_text(at + "/PS"));
  seeded_random random(1);
  const auto preview = seal_vault_hint(pairing, secret, {"Family notes", 1234}, random);
  const auto plain = crypto::open(test::vector_bytes(at + "/key"), *seal_nonce::parse(preview.nonce),
                                  *crypto::from_base64(preview.envelope), as_bytes(pairing.hex()));
  ASSERT_TRUE(plain.has_value());
  EXPECT_EQ(as_text(*plain), R"({"name":"Family notes","notes":1234})");
  EXPECT_EQ(open_vault_hint(pairing, secret, preview)->name, "Family notes");
  EXPECT_EQ(open_vault_hint(pairing_id{{1}}, secret, preview).error().code, errc::corrupt);
}

TEST(VaultHint, RefusesNamesThatCouldDeceive) {
  EXPECT_TRUE(wire::is_vault_name("Family \xF0\x9F\x98\x80"));
  for (const std::string& name : {std::string(), std::string("a\nb"),
                                  std::string("a\xE2\x80\xAE"
                                              "b"),
                                  std::string("a\xE2\x81\xA6"
                                              "b"),
                                  std::string(257, 'x'), std::string("\xFF")}) {
    EXPECT_FALSE(wire::is_vault_name(name)) << name;
  }
  EXPECT_TRUE(wire::is_vault_name(std::string(256, 'x')));
}

// What clients before 1.1.5 agreed on, kept because a server may still carry such pairings.
TEST(OldPairing, FollowsTheKnownFormulas) {
  const std::string at = "/published/pairing_v1", code = "/derived_unpublished/pairing_code_v1";
  const std::string match = "/derived_unpublished/match_code_v1";
  const bytes secret = test::vector_bytes(at + "/PS");
  EXPECT_EQ(crypto::derive_key(secret, "obsync/v1/pair", as_bytes(vector_text(at + "/pairing_id"))).hex(),
            vector_text(at + "/envelope_key"));
  bytes joined = test::vector_bytes(code + "/pairing_id");
  append(joined, test::vector_bytes(code + "/enroll_token"));
  append(joined, test::vector_bytes(code + "/PS"));
  EXPECT_EQ(crypto::to_base32(joined), vector_text(code + "/code"));
  const bytes derived =
      crypto::hkdf(secret, as_bytes("obsync/v1/pair-match"),
                   as_bytes(vector_text(match + "/pairing_id") + ":" + vector_text(match + "/device_id")), 4);
  std::uint32_t number = 0;
  for (const std::uint8_t byte : derived) number = number << 8 | byte;
  const std::string digits = std::to_string(1'000'000 + number % 1'000'000).substr(1);
  EXPECT_EQ(digits.substr(0, 3) + " " + digits.substr(3), vector_text(match + "/match_code"));
}

}  // namespace
}  // namespace obsync::client
