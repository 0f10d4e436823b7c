// Pairings and their states: what is open, claimed, approved, consumed or expired, and who may see it. Plain
// data in memory, nothing survives a restart. One thread; time comes in with every call, in Unix seconds.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/ids.hpp"
#include "crypto/secret.hpp"
#include "wire/failure.hpp"
#include "wire/limits.hpp"
#include "wire/pairing.hpp"

namespace obsync::actors {

struct pairing {
  pairing_id id;
  account_id account;
  device_id creator;
  crypto::secret32 enroll_token;
  std::int64_t expires_s = 0;
  wire::pairing_state state = wire::pairing_state::open;  // expired is computed, never stored here
  bool busy = false;  // a claim or a collection is on its way to the journal
  std::optional<wire::claimant_info> claimant = {};
  std::optional<std::string> creator_pub = {};
  std::string envelope;
  std::string envelope_nonce;

  bool expired(std::int64_t now_s) const {
    return now_s >= expires_s && state != wire::pairing_state::consumed;
  }
  bool is_over(std::int64_t now_s) const {
    return now_s >= expires_s || state == wire::pairing_state::consumed;
  }
};

class pairing_book {
 public:
  // Of those that are not over. One account cannot take all of `live_max`: what one does is no reason to
  // refuse another.
  static constexpr std::int64_t account_max = 32;

  explicit pairing_book(std::size_t live_max, std::int64_t life_s = wire::pairing_life_s)
      : live_max_(live_max), life_s_(life_s) {}

  // Refused: overloaded.
  wire::outcome<pairing*> open(const pairing_id& id, const account_id& account, const device_id& creator,
                               const crypto::secret32& token, std::int64_t now_s);
  // For a claim. Refused: unknown_pairing, pairing_expired, already_claimed.
  wire::outcome<pairing*> to_claim(const std::optional<pairing_id>& id, const crypto::secret32& token,
                                   std::int64_t now_s);
  // Refused: unknown_pairing, not_creator.
  wire::outcome<wire::pairing_status> status(const std::optional<pairing_id>& id, const device_id& caller,
                                             std::int64_t now_s) const;
  // Refused: unknown_pairing, not_creator, pairing_expired, not_claimed, already_approved, already_revealed.
  wire::outcome<void> reveal(const std::optional<pairing_id>& id, const device_id& caller,
                             const std::string& creator_pub, std::int64_t now_s);
  // Refused: unknown_pairing, not_creator, pairing_expired, not_claimed, already_approved.
  wire::outcome<void> approve(const std::optional<pairing_id>& id, const device_id& caller,
                              const wire::approve_request& request, std::int64_t now_s);
  // Looks, without an expiry check. Refused: unknown_pairing, not_creator, not_claimed, already_approved.
  wire::outcome<pairing*> to_reject(const std::optional<pairing_id>& id, const device_id& caller);
  // Refused: unknown_pairing, not_claimant, envelope_consumed, pairing_expired, not_approved.
  wire::outcome<pairing*> to_collect(const std::optional<pairing_id>& id, const device_id& caller,
                                     std::int64_t now_s);

  pairing* find(const pairing_id& id);
  void erase(const pairing_id& id) { live_.erase(id); }

  // Drops what is over. The devices returned were left pending by an expired pairing.
  std::vector<device_id> sweep(std::int64_t now_s);
  // Drops all pairings of an account at once; otherwise as sweep.
  std::vector<device_id> drop(const account_id& account, std::int64_t now_s);
  bool empty() const { return live_.empty() && swept_.empty(); }

 private:
  // What is remembered of a pairing for an hour after it is swept.
  struct memory {
    pairing_id id;
    device_id creator;
    crypto::secret32 enroll_token;
    wire::pairing_state state;
    std::int64_t until_s;
  };

  wire::outcome<pairing*> of_creator(const std::optional<pairing_id>& id, const device_id& caller);
  const memory* remembered(const pairing_id& id) const;

  std::size_t live_max_;
  std::int64_t life_s_;
  std::unordered_map<pairing_id, pairing> live_;
  std::deque<memory> swept_;  // oldest first, bounded
};

}  // namespace obsync::actors
