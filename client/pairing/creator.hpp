// The side of a pairing that has the vault: shows a code, sees who comes, and hands the key over.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "client/format/pairing_agreement.hpp"
#include "client/format/pairing_code.hpp"
#include "client/remote/enrolment.hpp"
#include "client/remote/sleeper.hpp"
#include "core/clock.hpp"
#include "core/random.hpp"
#include "core/result.hpp"
#include "crypto/ecdh.hpp"
#include "crypto/secret.hpp"

namespace obsync::client {

struct pairing_waits {
  sleeper& pauses;
  clock& time;
  std::int64_t poll_ms = 1'000;
  // Told before each look how many seconds the code is still good for.
  std::function<void(std::int64_t seconds_left)> on_wait = {};
};

// Who wants to come in. Its key was read once and is fixed from here on.
struct visitor {
  wire::device_card card;
  std::string match_code;
};

// One pairing from beginning to end: open, wait_for_visitor, then approve and wait_for_collection, or reject.
// Errors carry words for a person. Belongs to one thread.
class pairing_creator {
 public:
  pairing_creator(device_routes& routes, random_source& random, pairing_waits waits);

  result<pairing_code> open();
  // Reveals our key to the visitor. One that cannot take part in the key agreement is turned away here.
  result<visitor> wait_for_visitor();
  status approve(const crypto::secret32& vault_key);
  status reject();
  status wait_for_collection();

 private:
  result<visitor> receive(const wire::claimant_info& claimant);
  // Sleeps until the next look; an error when the code's time is over or we are told to stop.
  status pause();

  device_routes& routes_;
  random_source& random_;
  const pairing_waits waits_;
  crypto::p256_key key_;
  std::int64_t expires_s_ = 0;
  pairing_session session_{};
};

}  // namespace obsync::client
