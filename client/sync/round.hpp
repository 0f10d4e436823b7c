// One round: catch up, look, plan, carry out; again until nothing is left that this round can do.
#pragma once

#include "client/sync/session.hpp"

namespace obsync::client {

// `session.log` and `session.progress` are set. Outcomes are in the log.
void run_round(sync_session& session, const scan_scope& scope);

}  // namespace obsync::client
