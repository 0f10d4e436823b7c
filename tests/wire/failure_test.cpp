#include "wire/failure.hpp"

#include <gtest/gtest.h>

#include <set>

namespace obsync::wire {
namespace {

TEST(Refusal, EveryWordIsItsOwnAndReadsBack) {
  std::set<std::string_view> words;
  for (int i = 0; i < refusal_count; ++i) {
    const auto code = static_cast<refusal>(i);
    EXPECT_TRUE(words.insert(name(code)).second) << name(code);
    EXPECT_EQ(parse_refusal(name(code)), code);
  }
  EXPECT_FALSE(parse_refusal("no_such_word").has_value());
  EXPECT_FALSE(parse_refusal("").has_value());
}

TEST(Refusal, TravelsUnderTheStatusTheProtocolGivesIt) {
  const std::pair<refusal, int> table[] = {{refusal::bad_json, 400},
                                           {refusal::length_mismatch, 400},
                                           {refusal::replayed_nonce, 401},
                                           {refusal::no_session, 401},
                                           {refusal::device_revoked, 403},
                                           {refusal::csrf_failed, 403},
                                           {refusal::unknown_chunk, 404},
                                           {refusal::too_many_heads, 409},
                                           {refusal::device_not_pending, 409},
                                           {refusal::pairing_expired, 410},
                                           {refusal::envelope_consumed, 410},
                                           {refusal::length_required, 411},
                                           {refusal::body_too_large, 413},
                                           {refusal::batch_too_large, 413},
                                           {refusal::range_not_satisfiable, 416},
                                           {refusal::seq_ahead, 416},
                                           {refusal::edge_required, 421},
                                           {refusal::sid_mismatch, 422},
                                           {refusal::version_id_mismatch, 422},
                                           {refusal::corrupt, 500},
                                           {refusal::no_randomness, 500},
                                           {refusal::slow_body, 503},
                                           {refusal::journal_locked, 503},
                                           {refusal::volume_full, 507},
                                           {refusal::quota_exceeded, 507},
                                           {refusal::storage_full, 507}};
  for (const auto& [code, status] : table) EXPECT_EQ(status_of(code), status) << name(code);
}

TEST(Refusal, EveryStatusIsAnErrorStatus) {
  for (int i = 0; i < refusal_count; ++i) {
    EXPECT_GE(status_of(static_cast<refusal>(i)), 400);
    EXPECT_LE(status_of(static_cast<refusal>(i)), 507);
  }
}

TEST(Failure, WritesItsWordAndDetailAndThenItsMembers) {
  EXPECT_EQ(to_json(failure{refusal::bad_json, "a \"quoted\" word"}),
            R"({"error":"bad_json","detail":"a \"quoted\" word"})");
  EXPECT_EQ(to_json(failure{refusal::version_id_mismatch, "no", "\"expected\":\"ab\""}),
            R"({"error":"version_id_mismatch","detail":"no","expected":"ab"})");
}

}  // namespace
}  // namespace obsync::wire
