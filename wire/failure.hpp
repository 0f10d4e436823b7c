// Everything the protocol can refuse, by its word on the wire, and the status each word travels under.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace obsync::wire {

// The enumerator is the word on the wire.
enum class refusal {
  // 400
  bad_request,
  bad_json,
  length_mismatch,
  // 401
  missing_auth,
  bad_signature,
  stale_timestamp,
  replayed_nonce,
  bad_setup_token,
  bad_login_token,
  no_session,
  // 403
  device_pending,
  device_revoked,
  bad_recovery_proof,
  not_creator,
  not_claimant,
  csrf_failed,
  read_only,
  account_disabled,
  // 404
  not_found,
  unknown_pairing,
  unknown_account,
  unknown_device,
  unknown_file,
  unknown_version,
  unknown_domain,
  unknown_chunk,
  plugin_unavailable,
  dashboard_unavailable,
  // 409
  not_set_up,
  already_set_up,
  recovery_unavailable,
  recovery_mismatch,
  already_claimed,
  not_claimed,
  already_approved,
  already_revealed,
  not_approved,
  last_device,
  recovery_too_new,
  own_device,
  device_not_revoked,
  device_not_pending,
  missing_chunks,
  domain_mismatch,
  too_many_heads,
  // 410
  pairing_expired,
  envelope_consumed,
  // 411, 413, 416, 421, 422
  length_required,
  body_too_large,
  batch_too_large,
  range_not_satisfiable,
  seq_ahead,
  edge_required,
  sid_mismatch,
  version_id_mismatch,
  // 500
  io_error,
  unsafe_posture,
  corrupt,
  no_randomness,
  // 503
  not_ready,
  slow_body,
  body_incomplete,
  nonce_cache_full,
  nonce_share_full,
  nonce_log_faulted,
  nonce_log_unavailable,
  journal_faulted,
  journal_unverified,
  journal_locked,
  overloaded,
  // 507
  volume_full,
  journal_full,
  quota_exceeded,
  storage_full,
};

inline constexpr int refusal_count = static_cast<int>(refusal::storage_full) + 1;

std::string_view name(refusal code);
int status_of(refusal code);
std::optional<refusal> parse_refusal(std::string_view word);

// A refusal as it is answered. `members` is raw JSON appended inside the error object, for the few codes that
// carry more than words, for example `"expected":"<hex>"`; empty otherwise.
struct failure {
  refusal code;
  std::string detail;
  std::string members = {};
};

// {"error":"<word>","detail":"<text>"[,members]}
std::string to_json(const failure& value);

// A refusal as the client reads it. A word this build does not know still is an obsync server's refusal.
struct refusal_answer {
  std::string word;
  std::optional<refusal> code = {};
  std::string detail = {};
};

// Nothing when the text is no obsync error body.
std::optional<refusal_answer> parse_refusal_answer(std::string_view error_body);

template <class T>
using outcome = result<T, failure>;

// Reads the JSON text of a wire struct; the failure is what the server answers for that text: `bad_json` when
// it is no JSON by the protocol's strict rules, `bad_request` (or a field's own code) when a field is wrong.
// Fields are checked in the protocol's order, so the first failing check is the one reported.
// Specialised by each wire struct that can be read. Any thread.
template <class T>
outcome<T> from_json(std::string_view text);

}  // namespace obsync::wire
