// The dashboard: who is logged in, and what a logged-in person may ask.
//
// OWNS      sessions and login links (dashboard_book.hpp), in memory.
// HEARS     public_call from the front with route login or one of the admin routes, whose call it answers;
//           login_link_call from a session by way of the front; device_revoked, device_removed, owner_known,
//           close_dashboard, device_role_changed, account_disabled, account_enabled and account_erased from
//           the front.
// ANSWERS   login: 302 | bad_login_token | account_disabled. Admin routes, in this order: no_session,
//           csrf_failed for whatever changes something, the route's own. Runs of collector and scrubber are
//           not_ready, for there are none yet. No route has a body that matters, so none is looked at.
// PROMISES  a session sees one account and nothing of others; a link works once; whoever was revoked has no
//           session and no link by the time the revoker has its answer, for the news and every later call
//           come through the front in that order.
// NEVER     touches the store: views are the readers' work, changes the journal's; keeps a token.
// BLOCKS    no.
#pragma once

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>

#include <memory>
#include <optional>
#include <string>

#include "actors/account_heads.hpp"
#include "actors/dashboard_book.hpp"
#include "actors/worker_pool.hpp"
#include "core/clock.hpp"
#include "core/request_log.hpp"
#include "crypto/secret.hpp"

namespace obsync::actors {

struct dashboard_deps {
  std::shared_ptr<const clock> time;
  std::shared_ptr<random_source> random;
  std::shared_ptr<account_heads> heads;
  std::shared_ptr<request_log> requests;
  crypto::secret32 setup_token;
  std::optional<account_id> owner = {};  // the account the setup token stands for, once it exists
  std::string public_url = {};           // what links begin with; empty: they are relative
  caf::actor front;
  caf::actor journal;
  std::shared_ptr<worker_pool> readers;
  caf::actor collector;
  caf::actor scrubber;
};

caf::actor spawn_dashboard(caf::actor_system& system, const dashboard_limits& limits, dashboard_deps deps);

}  // namespace obsync::actors
