// The vault's domain: read from its record at the server, written there by the first device.
#pragma once

#include "client/sync/session.hpp"

namespace obsync::client {

// Sets session.domain; false when the round has ended instead.
bool ensure_domain(sync_session& session);

}  // namespace obsync::client
