#include "client/remote/remote_text.hpp"

namespace obsync::client {

namespace {

// Where the server's own words would leave a person alone. Nothing: those words are good enough.
const char* advice(wire::refusal code) {
  switch (code) {
    case wire::refusal::bad_setup_token:
      return "the setup token is wrong; the server's operator prints it with `obsyncd setup-token`";
    case wire::refusal::already_set_up:
      return "this server holds an account already, or takes no setup now: run `obsync pair` on a device "
             "that "
             "has the vault and `obsync join` here; without such a device `obsync recover`";
    case wire::refusal::recovery_unavailable:
      return "this account has no recovery key registered, so it cannot be recovered with a phrase";
    case wire::refusal::bad_recovery_proof:
      return "these recovery words belong to another vault";
    case wire::refusal::unknown_pairing:
      return "the server does not know this pairing: was the code copied whole, and is it this server?";
    case wire::refusal::pairing_expired:
      return "the pairing code is older than ten minutes; make a new one";
    case wire::refusal::already_claimed:
      return "another device used this pairing code; make a new one";
    case wire::refusal::envelope_consumed:
      return "the vault key of this pairing was collected already; make a new pairing code";
    case wire::refusal::device_revoked:
      return "this device was revoked; join again to come back";
    case wire::refusal::account_disabled:
      return "the server's operator has disabled this account; nothing is lost, and it goes on when they "
             "enable it";
    case wire::refusal::read_only:
      return "this device may only read; the server's operator can let it write";
    case wire::refusal::device_pending:
      return "this device was never approved; join again";
    case wire::refusal::bad_signature:
    case wire::refusal::missing_auth:
      return "the server does not know this device; was the server set up anew? Join again";
    case wire::refusal::last_device:
      return "this is the only device and no recovery key is registered: revoking it would lock everybody "
             "out";
    case wire::refusal::recovery_too_new:
      return "this is the only device and its recovery key is younger than seven days; try again later";
    case wire::refusal::unknown_device:
      return "the server knows no device of this id";
    case wire::refusal::volume_full:
    case wire::refusal::journal_full:
    case wire::refusal::storage_full:
      return "the server's volume is full; its operator has to make room";
    case wire::refusal::quota_exceeded:
      return "the account is over its quota";
    default:
      return nullptr;
  }
}

}  // namespace

std::string code_of(const remote_error& why) {
  if (why.refusal) return std::string(wire::name(*why.refusal));
  switch (why.what) {
    case remote_error::kind::unreachable:
      return "unreachable";
    case remote_error::kind::not_obsync:
      return "not_obsync";
    case remote_error::kind::malformed:
      return "malformed";
    case remote_error::kind::stopped:
      return "stopped";
    case remote_error::kind::refused:
      break;
  }
  return "refused";
}

std::string text_of(const remote_error& why) {
  if (!why.refusal) return why.detail.empty() ? code_of(why) : why.detail;
  if (const char* known = advice(*why.refusal)) return known;
  const std::string word(wire::name(*why.refusal));
  return why.detail.empty() ? "the server refused: " + word : why.detail + " (" + word + ")";
}

}  // namespace obsync::client
