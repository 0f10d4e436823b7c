// Chunks that a server has lost, sent again by a device that still has the file: disks rot, and a scrub sets
// aside what cannot be trusted any more. Sealing equal content gives equal chunks, so the versions that name
// them are whole again.
#pragma once

#include "client/sync/session.hpp"

namespace obsync::client {

// Asks for every chunk of the versions this folder agrees on, some thousand in one request, and sends those
// that are missing, of files that are as they were agreed. `session.log` and `session.progress` are set.
void mend(sync_session& session);

}  // namespace obsync::client
