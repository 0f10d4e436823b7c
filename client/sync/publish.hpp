// The acts of a plan that change the server: versions, tombstones, folders. Any thread.
#pragma once

#include "client/engine/action.hpp"
#include "client/sync/session.hpp"

namespace obsync::client {

void publish(sync_session& session, const push& act);
void publish_gone(sync_session& session, const push_gone& act);

}  // namespace obsync::client
