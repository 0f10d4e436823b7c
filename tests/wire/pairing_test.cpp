#include "wire/pairing.hpp"

#include <gtest/gtest.h>

#include "wire/limits.hpp"

namespace obsync::wire {
namespace {

const std::string id16 = "00112233445566778899aabbccddeeff";
const std::string token(64, '4'), nonce(24, '0');
// 65 bytes that begin with 0x04; the server does not ask whether they lie on the curve.
const std::string point =
    "BG_wO5SSQc4drdQ1GeaWDgqFtBppoFwygQOqK84VlMoWPE91OlW_AdxT9sCwx-7ni0DG_30lqW4igrmJzvccFEo";
const std::string envelope = "AAECAwQFBgcICQoLDA0ODw==";  // 16 bytes
const std::string vault = R"({"envelope":")" + envelope + R"(","nonce":")" + nonce + R"("})";

std::string claim(const std::string& extra, const std::string& name = "Desk") {
  return R"({"enroll_token":")" + token + R"(","name":")" + name +
         R"(","platform":"linux","app_version":"1.1.5")" + extra + "}";
}

template <class T>
refusal refusal_of(const std::string& text) {
  const auto read = from_json<T>(text);
  EXPECT_FALSE(read.ok()) << text;
  return read.ok() ? refusal::not_found : read.error().code;
}

TEST(ClaimRequest, WritesItsMembersInOrderAndReadsThemBack) {
  const std::string whole = claim(",\"vault\":" + vault + ",\"claimant_pub\":\"" + point + "\"");
  const auto read = from_json<claim_request>(whole);
  ASSERT_TRUE(read.ok()) << read.error().detail;
  EXPECT_EQ(to_json(*read), whole);
  EXPECT_EQ(to_json(*from_json<claim_request>(claim(""))), claim(""));
}

TEST(ClaimRequest, ReportsTheFirstWrongFieldInTheProtocolsOrder) {
  const auto detail = [](const std::string& text) { return from_json<claim_request>(text).error().detail; };
  EXPECT_NE(detail("{}").find("enroll_token"), std::string::npos);
  EXPECT_NE(detail(claim(R"(,"vault":1)", "")).find("name"), std::string::npos);
  EXPECT_NE(detail(claim(R"(,"vault":1,"claimant_pub":1)")).find("vault"), std::string::npos);
  EXPECT_NE(detail(claim(R"(,"claimant_pub":1)")).find("claimant_pub"), std::string::npos);
}

TEST(ClaimRequest, RefusesMalformedPreviewsAndKeys) {
  const auto preview = [](const std::string& text, const std::string& iv) {
    return claim(R"(,"vault":{"envelope":")" + text + R"(","nonce":")" + iv + "\"}");
  };
  EXPECT_TRUE(from_json<claim_request>(preview(std::string(preview_envelope_chars_max, 'A'), nonce)).ok());
  for (const std::string& text :
       {preview(std::string(preview_envelope_chars_max + 4, 'A'), nonce),
        preview("AAECAwQFBgcICQoLDA0O", nonce), preview("not base64", nonce), preview(envelope, nonce + "00"),
        preview(envelope, std::string(24, 'A')), claim(R"(,"vault":null)"), claim(R"(,"vault":{})"),
        claim(R"(,"claimant_pub":null)"), claim(R"(,"claimant_pub":")" + point.substr(1) + "\""),
        claim(R"(,"claimant_pub":")" + point + "A\""),
        claim(R"(,"claimant_pub":"A)" + point.substr(1) + "\""),
        claim(R"(,"claimant_pub":"+)" + point.substr(1) + "\"")}) {
    EXPECT_EQ(refusal_of<claim_request>(text), refusal::bad_request) << text;
  }
}

TEST(PairingStatus, HasAClaimantOrNull) {
  EXPECT_EQ(to_json(pairing_status{}), R"({"state":"open","claimant":null})");
  const std::string claimed = R"({"state":"claimed","claimant":{"device_id":")" + id16 +
                              R"(","name":"Desk","platform":"linux","app_version":"1.1.5","vault":)" + vault +
                              R"(,"claimant_pub":")" + point + R"("}})";
  const auto read = from_json<pairing_status>(claimed);
  ASSERT_TRUE(read.ok()) << read.error().detail;
  EXPECT_EQ(to_json(*read), claimed);
  EXPECT_EQ(refusal_of<pairing_status>(R"({"state":"dreaming","claimant":null})"), refusal::bad_request);
}

TEST(PairingState, EveryWordReadsBack) {
  for (const auto state : {pairing_state::open, pairing_state::claimed, pairing_state::approved,
                           pairing_state::consumed, pairing_state::expired}) {
    EXPECT_EQ(from_json<pairing_status>(to_json(pairing_status{.state = state}))->state, state);
  }
}

TEST(ApproveRequest, BoundsItsEnvelopeAndDoesNotLookInside) {
  const auto approve = [](const std::string& text) {
    return R"({"envelope":")" + text + R"(","nonce":")" + nonce + "\"}";
  };
  EXPECT_TRUE(from_json<approve_request>(approve("not base64 at all")).ok());
  EXPECT_TRUE(from_json<approve_request>(approve(std::string(approve_envelope_chars_max, 'x'))).ok());
  EXPECT_EQ(refusal_of<approve_request>(approve("")), refusal::bad_request);
  EXPECT_EQ(refusal_of<approve_request>(approve(std::string(approve_envelope_chars_max + 1, 'x'))),
            refusal::bad_request);
}

TEST(EnvelopeAnswer, CarriesTheCreatorsKeyWhenThereIsOne) {
  envelope_answer answer{"AAAA", nonce, point};
  EXPECT_EQ(to_json(answer),
            R"({"envelope":"AAAA","nonce":")" + nonce + R"(","creator_pub":")" + point + "\"}");
  EXPECT_EQ(from_json<envelope_answer>(to_json(answer))->creator_pub, point);
  answer.creator_pub.reset();
  EXPECT_FALSE(from_json<envelope_answer>(to_json(answer))->creator_pub.has_value());
}

TEST(CreatorPub, IsFoundInARefusalAndOnlyWhenItIsAKey) {
  EXPECT_EQ(creator_pub_of(R"({"error":"not_approved","detail":"x","creator_pub":")" + point + "\"}"), point);
  EXPECT_FALSE(creator_pub_of(R"({"error":"not_approved","detail":"x"})").has_value());
  EXPECT_FALSE(creator_pub_of(R"({"creator_pub":"short"})").has_value());
  EXPECT_FALSE(creator_pub_of("<html>").has_value());
}

TEST(PairingBodies, WriteTheirMembersInOrder) {
  const auto secret = *crypto::secret32::parse(token);
  EXPECT_EQ(to_json(pairing_created{*pairing_id::parse(id16), secret, 1757200000}),
            R"({"pairing_id":")" + id16 + R"(","enroll_token":")" + token + R"(","expires":1757200000})");
  EXPECT_EQ(to_json(claim_answer{*device_id::parse(id16), secret}),
            R"({"device_id":")" + id16 + R"(","device_secret":")" + token + "\"}");
  EXPECT_EQ(to_json(reveal_request{point}), R"({"creator_pub":")" + point + "\"}");
  EXPECT_EQ(refusal_of<reveal_request>(R"({"creator_pub":"x"})"), refusal::bad_request);
}

}  // namespace
}  // namespace obsync::wire
