// Reads the server's feed into the state: what it holds beyond what was agreed. The cursor moves in the same
// commit, so nothing of the feed is ever lost, whatever happens before it is applied.
#pragma once

#include "client/sync/session.hpp"

namespace obsync::client {

// False when the round has ended instead. A server that went back in time is read from the start, and files
// it lost are marked so that they are sent again.
bool catch_up(sync_session& session);

}  // namespace obsync::client
