#include "wire/failure.hpp"

#include <unordered_map>

#include "wire/json_document.hpp"
#include "wire/json_writer.hpp"

namespace obsync::wire {

std::string_view name(refusal code) {
  switch (code) {
    case refusal::bad_request:
      return "bad_request";
    case refusal::bad_json:
      return "bad_json";
    case refusal::length_mismatch:
      return "length_mismatch";
    case refusal::missing_auth:
      return "missing_auth";
    case refusal::bad_signature:
      return "bad_signature";
    case refusal::stale_timestamp:
      return "stale_timestamp";
    case refusal::replayed_nonce:
      return "replayed_nonce";
    case refusal::bad_setup_token:
      return "bad_setup_token";
    case refusal::bad_login_token:
      return "bad_login_token";
    case refusal::no_session:
      return "no_session";
    case refusal::device_pending:
      return "device_pending";
    case refusal::device_revoked:
      return "device_revoked";
    case refusal::bad_recovery_proof:
      return "bad_recovery_proof";
    case refusal::not_creator:
      return "not_creator";
    case refusal::not_claimant:
      return "not_claimant";
    case refusal::csrf_failed:
      return "csrf_failed";
    case refusal::read_only:
      return "read_only";
    case refusal::not_found:
      return "not_found";
    case refusal::unknown_pairing:
      return "unknown_pairing";
    case refusal::unknown_device:
      return "unknown_device";
    case refusal::unknown_file:
      return "unknown_file";
    case refusal::unknown_version:
      return "unknown_version";
    case refusal::unknown_domain:
      return "unknown_domain";
    case refusal::unknown_chunk:
      return "unknown_chunk";
    case refusal::plugin_unavailable:
      return "plugin_unavailable";
    case refusal::dashboard_unavailable:
      return "dashboard_unavailable";
    case refusal::not_set_up:
      return "not_set_up";
    case refusal::already_set_up:
      return "already_set_up";
    case refusal::recovery_unavailable:
      return "recovery_unavailable";
    case refusal::recovery_mismatch:
      return "recovery_mismatch";
    case refusal::already_claimed:
      return "already_claimed";
    case refusal::not_claimed:
      return "not_claimed";
    case refusal::already_approved:
      return "already_approved";
    case refusal::already_revealed:
      return "already_revealed";
    case refusal::not_approved:
      return "not_approved";
    case refusal::last_device:
      return "last_device";
    case refusal::recovery_too_new:
      return "recovery_too_new";
    case refusal::own_device:
      return "own_device";
    case refusal::device_not_revoked:
      return "device_not_revoked";
    case refusal::device_not_pending:
      return "device_not_pending";
    case refusal::missing_chunks:
      return "missing_chunks";
    case refusal::domain_mismatch:
      return "domain_mismatch";
    case refusal::too_many_heads:
      return "too_many_heads";
    case refusal::pairing_expired:
      return "pairing_expired";
    case refusal::envelope_consumed:
      return "envelope_consumed";
    case refusal::length_required:
      return "length_required";
    case refusal::body_too_large:
      return "body_too_large";
    case refusal::batch_too_large:
      return "batch_too_large";
    case refusal::range_not_satisfiable:
      return "range_not_satisfiable";
    case refusal::seq_ahead:
      return "seq_ahead";
    case refusal::edge_required:
      return "edge_required";
    case refusal::sid_mismatch:
      return "sid_mismatch";
    case refusal::version_id_mismatch:
      return "version_id_mismatch";
    case refusal::io_error:
      return "io_error";
    case refusal::unsafe_posture:
      return "unsafe_posture";
    case refusal::corrupt:
      return "corrupt";
    case refusal::no_randomness:
      return "no_randomness";
    case refusal::not_ready:
      return "not_ready";
    case refusal::slow_body:
      return "slow_body";
    case refusal::body_incomplete:
      return "body_incomplete";
    case refusal::nonce_cache_full:
      return "nonce_cache_full";
    case refusal::nonce_share_full:
      return "nonce_share_full";
    case refusal::nonce_log_faulted:
      return "nonce_log_faulted";
    case refusal::nonce_log_unavailable:
      return "nonce_log_unavailable";
    case refusal::journal_faulted:
      return "journal_faulted";
    case refusal::journal_unverified:
      return "journal_unverified";
    case refusal::journal_locked:
      return "journal_locked";
    case refusal::overloaded:
      return "overloaded";
    case refusal::volume_full:
      return "volume_full";
    case refusal::journal_full:
      return "journal_full";
    case refusal::quota_exceeded:
      return "quota_exceeded";
    case refusal::storage_full:
      return "storage_full";
  }
  return "unknown";
}

int status_of(refusal code) {
  switch (code) {
    case refusal::bad_request:
    case refusal::bad_json:
    case refusal::length_mismatch:
      return 400;
    case refusal::missing_auth:
    case refusal::bad_signature:
    case refusal::stale_timestamp:
    case refusal::replayed_nonce:
    case refusal::bad_setup_token:
    case refusal::bad_login_token:
    case refusal::no_session:
      return 401;
    case refusal::device_pending:
    case refusal::device_revoked:
    case refusal::bad_recovery_proof:
    case refusal::not_creator:
    case refusal::not_claimant:
    case refusal::csrf_failed:
    case refusal::read_only:
      return 403;
    case refusal::not_found:
    case refusal::unknown_pairing:
    case refusal::unknown_device:
    case refusal::unknown_file:
    case refusal::unknown_version:
    case refusal::unknown_domain:
    case refusal::unknown_chunk:
    case refusal::plugin_unavailable:
    case refusal::dashboard_unavailable:
      return 404;
    case refusal::not_set_up:
    case refusal::already_set_up:
    case refusal::recovery_unavailable:
    case refusal::recovery_mismatch:
    case refusal::already_claimed:
    case refusal::not_claimed:
    case refusal::already_approved:
    case refusal::already_revealed:
    case refusal::not_approved:
    case refusal::last_device:
    case refusal::recovery_too_new:
    case refusal::own_device:
    case refusal::device_not_revoked:
    case refusal::device_not_pending:
    case refusal::missing_chunks:
    case refusal::domain_mismatch:
    case refusal::too_many_heads:
      return 409;
    case refusal::pairing_expired:
    case refusal::envelope_consumed:
      return 410;
    case refusal::length_required:
      return 411;
    case refusal::body_too_large:
    case refusal::batch_too_large:
      return 413;
    case refusal::range_not_satisfiable:
    case refusal::seq_ahead:
      return 416;
    case refusal::edge_required:
      return 421;
    case refusal::sid_mismatch:
    case refusal::version_id_mismatch:
      return 422;
    case refusal::io_error:
    case refusal::unsafe_posture:
    case refusal::corrupt:
    case refusal::no_randomness:
      return 500;
    case refusal::not_ready:
    case refusal::slow_body:
    case refusal::body_incomplete:
    case refusal::nonce_cache_full:
    case refusal::nonce_share_full:
    case refusal::nonce_log_faulted:
    case refusal::nonce_log_unavailable:
    case refusal::journal_faulted:
    case refusal::journal_unverified:
    case refusal::journal_locked:
    case refusal::overloaded:
      return 503;
    case refusal::volume_full:
    case refusal::journal_full:
    case refusal::quota_exceeded:
    case refusal::storage_full:
      return 507;
  }
  return 500;
}

std::optional<refusal> parse_refusal(std::string_view word) {
  static const auto by_word = [] {
    std::unordered_map<std::string_view, refusal> made;
    for (int i = 0; i < refusal_count; ++i)
      made.emplace(name(static_cast<refusal>(i)), static_cast<refusal>(i));
    return made;
  }();
  const auto found = by_word.find(word);
  if (found == by_word.end()) return std::nullopt;
  return found->second;
}

std::string to_json(const failure& value) {
  json_writer out;
  out.begin_object();
  out.key("error").plain(name(value.code));
  out.key("detail").string(value.detail);
  if (!value.members.empty()) out.raw(value.members);
  return out.end_object().take();
}

std::optional<refusal_answer> parse_refusal_answer(std::string_view error_body) {
  const auto document = parse_json(error_body);
  if (!document || !document->IsObject()) return std::nullopt;
  const auto word = document->FindMember("error");
  if (word == document->MemberEnd() || !word->value.IsString()) return std::nullopt;
  refusal_answer out{std::string(text_of(word->value))};
  out.code = parse_refusal(out.word);
  const auto detail = document->FindMember("detail");
  if (detail != document->MemberEnd() && detail->value.IsString()) out.detail = text_of(detail->value);
  return out;
}

}  // namespace obsync::wire
