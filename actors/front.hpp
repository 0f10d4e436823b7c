// The front: where every call enters.
//
// OWNS      which session serves which device; the directory of known devices.
// HEARS     call_ptr from the sockets; device_added, device_activated, device_revoked, device_removed from
//           setup, pairing, control, sessions and the dashboard; account_disabled, account_enabled,
//           device_role_changed from control; account_erased from the eraser; owner_known, close_dashboard
//           and login_link_call, which it passes on to the dashboard; may_retire from sessions; tick from
//           itself; release_polls and settle from the wiring, the latter answered by `settled` once every
//           session is.
// ANSWERS   livez, the plugin manifest and the dashboard's files itself; missing_auth, bad_signature,
//           device_revoked and account_disabled for callers it can judge without a secret, in the protocol's
//           order; everything else is passed on.
// PROMISES  the dashboard hears of a revocation before any call that came in after it; an unknown device and
// a
//           wrong signature look the same; a revoked device's next call is refused.
// NEVER     touches the store.
// BLOCKS    no.
#pragma once

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>
#include <caf/allowed_unsafe_message_type.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "actors/dashboard_pages.hpp"
#include "actors/device_directory.hpp"
#include "actors/health.hpp"
#include "actors/ports.hpp"
#include "actors/session.hpp"

namespace obsync::actors {

struct front_limits {
  session_limits sessions = {};
  std::int64_t sweep_s = 300;  // how often idle sessions are looked for
};

struct front_deps {
  std::shared_ptr<health> state;
  std::shared_ptr<device_directory> directory = std::make_shared<device_directory>();  // filled by the front
  crypto::secret32 server_key;
  std::vector<store::device_row> devices;           // all that the catalog knows at start
  std::vector<account_id> disabled = {};            // accounts whose devices are refused
  std::optional<std::string> plugin_manifest = {};  // the answer of that route, where a plugin is bundled
  caf::actor readiness;
  session_deps sessions;  // `front` and `pairing` are filled in by the front itself
  std::shared_ptr<const dashboard_pages> pages = std::make_shared<const dashboard_pages>();
};

// Setup, pairing and dashboard need the front and the front needs them: they are introduced by `introduce`.
caf::actor spawn_front(caf::actor_system& system, const front_limits& limits, front_deps deps);

// Tells the front who answers what no device signed. To be sent once, before the first call.
struct introduce {
  caf::actor setup;
  caf::actor pairing;
  caf::actor dashboard = {};
};

// The sockets' way in.
std::unique_ptr<door> make_door(const caf::actor& front, std::shared_ptr<const device_directory> directory);

}  // namespace obsync::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::introduce)
