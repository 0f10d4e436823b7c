#include "actors/pairing_book.hpp"

#include <algorithm>

#include "crypto/digest.hpp"
#include "wire/limits.hpp"

namespace obsync::actors {

namespace {

using wire::failure;
using wire::pairing_state;
using wire::refusal;

failure unknown() {
  return {refusal::unknown_pairing, "no such pairing"};
}
failure expired() {
  return {refusal::pairing_expired, "the pairing has expired; create a new one"};
}

}  // namespace

pairing* pairing_book::find(const pairing_id& id) {
  const auto found = live_.find(id);
  return found == live_.end() ? nullptr : &found->second;
}

const pairing_book::memory* pairing_book::remembered(const pairing_id& id) const {
  const auto found =
      std::find_if(swept_.begin(), swept_.end(), [&](const memory& item) { return item.id == id; });
  return found == swept_.end() ? nullptr : &*found;
}

wire::outcome<pairing*> pairing_book::open(const pairing_id& id, const account_id& account,
                                           const device_id& creator, const crypto::secret32& token,
                                           std::int64_t now_s) {
  const auto theirs = std::count_if(live_.begin(), live_.end(), [&](const auto& item) {
    return item.second.account == account && !item.second.is_over(now_s);
  });
  if (live_.size() >= live_max_ || theirs >= account_max)
    return failure{refusal::overloaded, "too many pairings are open"};
  pairing made;
  made.id = id;
  made.account = account;
  made.creator = creator;
  made.enroll_token = token;
  made.expires_s = now_s + life_s_;
  return &live_.emplace(id, std::move(made)).first->second;
}

wire::outcome<pairing*> pairing_book::to_claim(const std::optional<pairing_id>& id,
                                               const crypto::secret32& token, std::int64_t now_s) {
  if (!id) return unknown();
  pairing* found = find(*id);
  if (found == nullptr) {
    const memory* past = remembered(*id);
    if (past != nullptr && crypto::equal_constant_time(past->enroll_token.view(), token.view()))
      return expired();
    return unknown();
  }
  if (!crypto::equal_constant_time(found->enroll_token.view(), token.view())) return unknown();
  if (found->expired(now_s)) return expired();
  if (found->state != pairing_state::open || found->busy)
    return failure{refusal::already_claimed, "another device has claimed this pairing"};
  return found;
}

wire::outcome<wire::pairing_status> pairing_book::status(const std::optional<pairing_id>& id,
                                                         const device_id& caller, std::int64_t now_s) const {
  if (!id) return unknown();
  const auto found = live_.find(*id);
  const memory* past = found == live_.end() ? remembered(*id) : nullptr;
  if (found == live_.end() && past == nullptr) return unknown();
  const device_id& creator = past != nullptr ? past->creator : found->second.creator;
  if (creator != caller) return failure{refusal::not_creator, "another device created this pairing"};
  if (past != nullptr) return wire::pairing_status{past->state, {}};
  const pairing& item = found->second;
  return wire::pairing_status{item.expired(now_s) ? pairing_state::expired : item.state, item.claimant};
}

wire::outcome<pairing*> pairing_book::of_creator(const std::optional<pairing_id>& id,
                                                 const device_id& caller) {
  pairing* found = id ? find(*id) : nullptr;
  if (found == nullptr) return unknown();
  if (found->creator != caller) return failure{refusal::not_creator, "another device created this pairing"};
  return found;
}

wire::outcome<void> pairing_book::reveal(const std::optional<pairing_id>& id, const device_id& caller,
                                         const std::string& creator_pub, std::int64_t now_s) {
  auto found = of_creator(id, caller);
  if (!found) return found.error();
  pairing& item = **found;
  if (item.expired(now_s)) return expired();
  if (item.state == pairing_state::open)
    return failure{refusal::not_claimed, "no device has claimed this pairing"};
  if (item.state != pairing_state::claimed)
    return failure{refusal::already_approved, "the pairing is approved"};
  if (item.creator_pub && *item.creator_pub != creator_pub)
    return failure{refusal::already_revealed, "another key was revealed before"};
  item.creator_pub = creator_pub;
  return {};
}

wire::outcome<void> pairing_book::approve(const std::optional<pairing_id>& id, const device_id& caller,
                                          const wire::approve_request& request, std::int64_t now_s) {
  auto found = of_creator(id, caller);
  if (!found) return found.error();
  pairing& item = **found;
  if (item.expired(now_s)) return expired();
  if (item.state == pairing_state::open)
    return failure{refusal::not_claimed, "no device has claimed this pairing"};
  if (item.state != pairing_state::claimed)
    return failure{refusal::already_approved, "the pairing is approved"};
  item.state = pairing_state::approved;
  item.envelope = request.envelope;
  item.envelope_nonce = request.nonce;
  return {};
}

wire::outcome<pairing*> pairing_book::to_reject(const std::optional<pairing_id>& id,
                                                const device_id& caller) {
  auto found = of_creator(id, caller);
  if (!found) return found.error();
  if ((*found)->state == pairing_state::open)
    return failure{refusal::not_claimed, "no device has claimed this pairing"};
  if ((*found)->state != pairing_state::claimed)
    return failure{refusal::already_approved, "the pairing is approved"};
  return *found;
}

wire::outcome<pairing*> pairing_book::to_collect(const std::optional<pairing_id>& id, const device_id& caller,
                                                 std::int64_t now_s) {
  pairing* found = id ? find(*id) : nullptr;
  if (found == nullptr) return unknown();
  if (!found->claimant || found->claimant->device != caller)
    return failure{refusal::not_claimant, "another device claimed this pairing"};
  if (found->state == pairing_state::consumed || found->busy)
    return failure{refusal::envelope_consumed, "the envelope was collected already"};
  if (found->expired(now_s)) return expired();
  if (found->state != pairing_state::approved) {
    failure waiting{refusal::not_approved, "the other device has not approved yet"};
    if (found->creator_pub) waiting.members = "\"creator_pub\":\"" + *found->creator_pub + "\"";
    return waiting;
  }
  return found;
}

// One that is busy goes with the next sweep.
std::vector<device_id> pairing_book::drop(const account_id& account, std::int64_t now_s) {
  for (auto& [id, item] : live_)
    if (item.account == account) item.expires_s = std::min(item.expires_s, now_s);
  return sweep(now_s);
}

std::vector<device_id> pairing_book::sweep(std::int64_t now_s) {
  std::vector<device_id> left_pending;
  for (auto at = live_.begin(); at != live_.end();) {
    pairing& item = at->second;
    if (now_s < item.expires_s || item.busy) {
      ++at;
      continue;
    }
    const bool consumed = item.state == pairing_state::consumed;
    if (!consumed && item.claimant) left_pending.push_back(item.claimant->device);
    swept_.push_back({item.id, item.creator, item.enroll_token,
                      consumed ? pairing_state::consumed : pairing_state::expired,
                      now_s + wire::pairing_memory_s});
    at = live_.erase(at);
  }
  while (!swept_.empty() && (swept_.size() > wire::swept_pairings_max || swept_.front().until_s <= now_s))
    swept_.pop_front();
  return left_pending;
}

}  // namespace obsync::actors
