// The side of a pairing that wants in: claims the code, checks the creator's key, waits for approval.
#pragma once

#include <optional>
#include <string>

#include "client/format/pairing_agreement.hpp"
#include "client/format/pairing_code.hpp"
#include "client/pairing/creator.hpp"
#include "client/remote/enrolment.hpp"
#include "core/result.hpp"
#include "crypto/ecdh.hpp"

namespace obsync::client {

// A claimed pairing: the code, our half of the agreement, and the credential of a device that is still
// pending.
struct pairing_claim {
  pairing_code code;
  crypto::p256_key key;
  credential who;
};

result<pairing_claim> claim_pairing(public_routes& routes, const pairing_code& code,
                                    const wire::device_card& device);

// From the claim to the key. Errors carry words for a person. Belongs to one thread.
class pairing_claimant {
 public:
  // `routes` sign as the claim's device.
  pairing_claimant(device_routes& routes, pairing_claim claim, pairing_waits waits);

  // Waits until the creator showed its key, and compares that with the code: errc::corrupt when the server
  // shows another key than the one the code was made with.
  result<std::string> wait_for_match_code();
  // Waits for the approval. After success the device is active.
  result<crypto::secret32> wait_for_key();

 private:
  result<envelope_look> look();
  status pause();
  status check_creator(const std::string& creator_pub);

  device_routes& routes_;
  const pairing_claim claim_;
  const pairing_waits waits_;
  const std::int64_t gives_up_s_;
  pairing_session session_{};
  std::optional<wire::envelope_answer> envelope_;
};

}  // namespace obsync::client
