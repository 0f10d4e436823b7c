#include "client/pairing/creator.hpp"

#include <algorithm>

#include "client/remote/remote_text.hpp"

namespace obsync::client {

namespace {

error explain(const remote_error& why) {
  return {errc::unavailable, text_of(why)};
}

}  // namespace

pairing_creator::pairing_creator(device_routes& routes, random_source& random, pairing_waits waits)
    : routes_(routes), random_(random), waits_(std::move(waits)), key_(crypto::p256_key::generate()) {}

result<pairing_code> pairing_creator::open() {
  const auto created = routes_.create_pairing();
  if (!created) return explain(created.error());
  expires_s_ = created->expires_s;
  session_.pairing = created->id;
  session_.creator = key_.public_point();
  random_.fill(session_.pairing_secret.raw);
  return pairing_code{created->id, created->enroll_token, session_.pairing_secret,
                      commitment_to(created->id, session_.creator)};
}

status pairing_creator::pause() {
  const std::int64_t left = expires_s_ - waits_.time.now_s();
  if (left <= 0) return error{errc::timed_out, "the pairing code's time is over; nobody was let in"};
  if (waits_.on_wait) waits_.on_wait(left);
  if (!waits_.pauses.sleep_ms(waits_.poll_ms)) return error{errc::shutting_down, "stopped"};
  return {};
}

result<visitor> pairing_creator::wait_for_visitor() {
  for (;;) {
    const auto now = routes_.pairing(session_.pairing);
    if (!now) return explain(now.error());
    if (now->state == wire::pairing_state::claimed && now->claimant) return receive(*now->claimant);
    if (now->state != wire::pairing_state::open) {
      return error{errc::timed_out, "the pairing code's time is over; nobody was let in"};
    }
    if (auto rested = pause(); !rested) return rested.error();
  }
}

result<visitor> pairing_creator::receive(const wire::claimant_info& claimant) {
  const auto point = claimant.claimant_pub ? parse_point(*claimant.claimant_pub) : std::nullopt;
  if (!point) {
    (void)routes_.reject(session_.pairing);
    return error{errc::unsupported,
                 "\"" + claimant.card.name +
                     "\" cannot agree on a key safely (a client older than 1.1.5?); it was "
                     "turned away"};
  }
  session_.claimant = *point;
  const auto revealed = routes_.reveal(session_.pairing, {to_text(session_.creator)});
  if (!revealed) return explain(revealed.error());
  return visitor{claimant.card, match_code(session_)};
}

status pairing_creator::approve(const crypto::secret32& vault_key) {
  const auto sealed = seal_vault_key(session_, key_, vault_key, random_);
  if (!sealed) return sealed.error();
  const auto approved = routes_.approve(session_.pairing, *sealed);
  if (!approved) return explain(approved.error());
  return {};
}

status pairing_creator::reject() {
  const auto rejected = routes_.reject(session_.pairing);
  if (!rejected) return explain(rejected.error());
  return {};
}

status pairing_creator::wait_for_collection() {
  for (;;) {
    const auto now = routes_.pairing(session_.pairing);
    if (!now) return explain(now.error());
    if (now->state == wire::pairing_state::consumed) return {};
    if (now->state == wire::pairing_state::expired) {
      return error{errc::timed_out, "the other device did not fetch the key in time; pair again"};
    }
    if (auto rested = pause(); !rested) return rested.error();
  }
}

}  // namespace obsync::client
