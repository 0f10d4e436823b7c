// How devices come and go: the public routes a device without credential calls, and the routes a device
// manages its account's devices with. None of these repeats by itself unless the protocol says it is safe.
#pragma once

#include <optional>
#include <string>

#include "client/remote/caller.hpp"
#include "wire/dashboard.hpp"
#include "wire/pairing.hpp"
#include "wire/setup.hpp"

namespace obsync::client {

// Unsigned calls. The caller must have no credential and must outlive the object.
class public_routes {
 public:
  explicit public_routes(caller& calls) : calls_(calls) {}

  remote_result<wire::setup_answer> setup(const wire::setup_request& request);
  remote_result<wire::claim_answer> claim(const pairing_id& pairing, const wire::claim_request& request);
  // Also the cheapest way to learn whether an obsync server listens there.
  remote_result<wire::plugin_manifest> plugin_manifest();

 private:
  caller& calls_;
};

// What the claimant finds when it looks for its envelope.
struct envelope_look {
  std::optional<wire::envelope_answer> envelope = {};  // once approved
  std::optional<std::string> creator_pub = {};         // before that, once revealed
};

// Signed calls. The caller must outlive the object.
class device_routes {
 public:
  explicit device_routes(caller& calls) : calls_(calls) {}

  remote_result<wire::pairing_created> create_pairing();
  remote_result<wire::pairing_status> pairing(const pairing_id& pairing);
  remote_result<void> reveal(const pairing_id& pairing, const wire::reveal_request& request);
  remote_result<void> approve(const pairing_id& pairing, const wire::approve_request& request);
  remote_result<void> reject(const pairing_id& pairing);
  // Collecting makes the pending caller active, once: a lost answer is not asked for again.
  remote_result<envelope_look> envelope(const pairing_id& pairing);

  remote_result<void> revoke(const device_id& device);
  // Where a browser can log in to the dashboard, once.
  remote_result<wire::login_link> login_link();
  remote_result<void> register_recovery(const digest& verifier);

 private:
  remote_result<void> post(const std::string& target, const std::string& body, bool repeatable);
  caller& calls_;
};

}  // namespace obsync::client
