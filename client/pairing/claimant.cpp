#include "client/pairing/claimant.hpp"

#include "client/remote/remote_text.hpp"
#include "wire/limits.hpp"

namespace obsync::client {

namespace {

error explain(const remote_error& why) {
  using enum wire::refusal;
  // A rejected claimant is deleted with its pairing, so the server then knows neither.
  if (why.refusal == unknown_pairing || why.refusal == bad_signature || why.refusal == not_claimant) {
    return {errc::denied, "the other device turned this one away, or the pairing is over"};
  }
  return {errc::unavailable, text_of(why)};
}

}  // namespace

result<pairing_claim> claim_pairing(public_routes& routes, const pairing_code& code,
                                    const wire::device_card& device) {
  auto key = crypto::p256_key::generate();
  wire::claim_request request{code.enroll_token, device};
  request.claimant_pub = to_text(key.public_point());
  const auto answer = routes.claim(code.pairing, request);
  if (!answer) return error{errc::unavailable, text_of(answer.error())};
  return pairing_claim{code, std::move(key), {answer->device, answer->device_secret}};
}

pairing_claimant::pairing_claimant(device_routes& routes, pairing_claim claim, pairing_waits waits)
    : routes_(routes),
      claim_(std::move(claim)),
      waits_(std::move(waits)),
      gives_up_s_(waits_.time.now_s() + wire::pairing_life_s) {
  session_.pairing = claim_.code.pairing;
  session_.pairing_secret = claim_.code.pairing_secret;
  session_.claimant = claim_.key.public_point();
}

status pairing_claimant::pause() {
  const std::int64_t left = gives_up_s_ - waits_.time.now_s();
  if (left <= 0) return error{errc::timed_out, "nobody approved this device in time"};
  if (waits_.on_wait) waits_.on_wait(left);
  if (!waits_.pauses.sleep_ms(waits_.poll_ms)) return error{errc::shutting_down, "stopped"};
  return {};
}

result<envelope_look> pairing_claimant::look() {
  for (;;) {
    auto seen = routes_.envelope(session_.pairing);
    if (seen) return *std::move(seen);
    if (seen.error().what != remote_error::kind::unreachable) return explain(seen.error());
    if (auto rested = pause(); !rested) return rested.error();
  }
}

status pairing_claimant::check_creator(const std::string& creator_pub) {
  const auto point = parse_point(creator_pub);
  if (!point || commitment_to(session_.pairing, *point) != claim_.code.commitment) {
    return error{errc::corrupt,
                 "the server shows another key than the one this code was made with: somebody may sit in "
                 "between. Nothing was accepted; make a new code"};
  }
  session_.creator = *point;
  return {};
}

result<std::string> pairing_claimant::wait_for_match_code() {
  for (;;) {
    auto seen = look();
    if (!seen) return seen.error();
    std::optional<std::string> creator_pub = seen->creator_pub;
    if (seen->envelope) {
      // Approved before we came to look.
      creator_pub = seen->envelope->creator_pub;
      if (!creator_pub) return error{errc::corrupt, "the key came without its sender's; it was not accepted"};
      envelope_ = std::move(seen->envelope);
    }
    if (creator_pub) {
      if (auto checked = check_creator(*creator_pub); !checked) return checked.error();
      return match_code(session_);
    }
    if (auto rested = pause(); !rested) return rested.error();
  }
}

result<crypto::secret32> pairing_claimant::wait_for_key() {
  while (!envelope_) {
    auto seen = look();
    if (!seen) return seen.error();
    envelope_ = std::move(seen->envelope);
    if (envelope_) break;
    if (auto rested = pause(); !rested) return rested.error();
  }
  return open_vault_key(session_, claim_.key, *envelope_);
}

}  // namespace obsync::client
