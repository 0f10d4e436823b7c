#include "wire/failure.hpp"

#include <iterator>
#include <unordered_map>

#include "wire/json_document.hpp"
#include "wire/json_writer.hpp"

namespace obsync::wire {

namespace {

struct row {
  refusal code;
  std::string_view word;
  int status;
};

// In the order of the enumeration; a code that was forgotten or misplaced does not compile.
constexpr row rows[] = {
    {refusal::bad_request, "bad_request", 400},
    {refusal::bad_json, "bad_json", 400},
    {refusal::length_mismatch, "length_mismatch", 400},
    {refusal::missing_auth, "missing_auth", 401},
    {refusal::bad_signature, "bad_signature", 401},
    {refusal::stale_timestamp, "stale_timestamp", 401},
    {refusal::replayed_nonce, "replayed_nonce", 401},
    {refusal::bad_setup_token, "bad_setup_token", 401},
    {refusal::bad_login_token, "bad_login_token", 401},
    {refusal::no_session, "no_session", 401},
    {refusal::device_pending, "device_pending", 403},
    {refusal::device_revoked, "device_revoked", 403},
    {refusal::bad_recovery_proof, "bad_recovery_proof", 403},
    {refusal::not_creator, "not_creator", 403},
    {refusal::not_claimant, "not_claimant", 403},
    {refusal::csrf_failed, "csrf_failed", 403},
    {refusal::read_only, "read_only", 403},
    {refusal::account_disabled, "account_disabled", 403},
    {refusal::not_found, "not_found", 404},
    {refusal::unknown_pairing, "unknown_pairing", 404},
    {refusal::unknown_account, "unknown_account", 404},
    {refusal::unknown_device, "unknown_device", 404},
    {refusal::unknown_file, "unknown_file", 404},
    {refusal::unknown_version, "unknown_version", 404},
    {refusal::unknown_domain, "unknown_domain", 404},
    {refusal::unknown_chunk, "unknown_chunk", 404},
    {refusal::plugin_unavailable, "plugin_unavailable", 404},
    {refusal::dashboard_unavailable, "dashboard_unavailable", 404},
    {refusal::not_set_up, "not_set_up", 409},
    {refusal::already_set_up, "already_set_up", 409},
    {refusal::recovery_unavailable, "recovery_unavailable", 409},
    {refusal::recovery_mismatch, "recovery_mismatch", 409},
    {refusal::already_claimed, "already_claimed", 409},
    {refusal::not_claimed, "not_claimed", 409},
    {refusal::already_approved, "already_approved", 409},
    {refusal::already_revealed, "already_revealed", 409},
    {refusal::not_approved, "not_approved", 409},
    {refusal::last_device, "last_device", 409},
    {refusal::recovery_too_new, "recovery_too_new", 409},
    {refusal::own_device, "own_device", 409},
    {refusal::device_not_revoked, "device_not_revoked", 409},
    {refusal::device_not_pending, "device_not_pending", 409},
    {refusal::missing_chunks, "missing_chunks", 409},
    {refusal::domain_mismatch, "domain_mismatch", 409},
    {refusal::too_many_heads, "too_many_heads", 409},
    {refusal::pairing_expired, "pairing_expired", 410},
    {refusal::envelope_consumed, "envelope_consumed", 410},
    {refusal::length_required, "length_required", 411},
    {refusal::body_too_large, "body_too_large", 413},
    {refusal::batch_too_large, "batch_too_large", 413},
    {refusal::range_not_satisfiable, "range_not_satisfiable", 416},
    {refusal::seq_ahead, "seq_ahead", 416},
    {refusal::edge_required, "edge_required", 421},
    {refusal::sid_mismatch, "sid_mismatch", 422},
    {refusal::version_id_mismatch, "version_id_mismatch", 422},
    {refusal::io_error, "io_error", 500},
    {refusal::unsafe_posture, "unsafe_posture", 500},
    {refusal::corrupt, "corrupt", 500},
    {refusal::no_randomness, "no_randomness", 500},
    {refusal::not_ready, "not_ready", 503},
    {refusal::slow_body, "slow_body", 503},
    {refusal::body_incomplete, "body_incomplete", 503},
    {refusal::nonce_cache_full, "nonce_cache_full", 503},
    {refusal::nonce_share_full, "nonce_share_full", 503},
    {refusal::nonce_log_faulted, "nonce_log_faulted", 503},
    {refusal::nonce_log_unavailable, "nonce_log_unavailable", 503},
    {refusal::journal_faulted, "journal_faulted", 503},
    {refusal::journal_unverified, "journal_unverified", 503},
    {refusal::journal_locked, "journal_locked", 503},
    {refusal::overloaded, "overloaded", 503},
    {refusal::volume_full, "volume_full", 507},
    {refusal::journal_full, "journal_full", 507},
    {refusal::quota_exceeded, "quota_exceeded", 507},
    {refusal::storage_full, "storage_full", 507},
};

constexpr bool each_row_stands_at_its_code() {
  for (int i = 0; i < refusal_count; ++i) {
    if (rows[i].code != static_cast<refusal>(i)) return false;
  }
  return true;
}

static_assert(std::size(rows) == refusal_count);
static_assert(each_row_stands_at_its_code());

}  // namespace

std::string_view name(refusal code) {
  return rows[static_cast<std::size_t>(code)].word;
}

int status_of(refusal code) {
  return rows[static_cast<std::size_t>(code)].status;
}

std::optional<refusal> parse_refusal(std::string_view word) {
  static const auto by_word = [] {
    std::unordered_map<std::string_view, refusal> made;
    for (const row& each : rows) made.emplace(each.word, each.code);
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
