// The acts of a plan that change the server: versions, tombstones, folders. Any thread.
#pragma once

#include <vector>

#include "client/engine/action.hpp"
#include "client/sync/session.hpp"

namespace obsync::client {

void publish(sync_session& session, const push& act);
// Files read from this folder, small enough for one batch (see push_batch).
void publish_together(sync_session& session, const std::vector<const push*>& acts);
void publish_gone(sync_session& session, const push_gone& act);

}  // namespace obsync::client
