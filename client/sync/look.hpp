// The views a plan is made from: what the state knows and what the folder holds, for everything or for some
// paths and whatever else they touch.
#pragma once

#include "client/engine/views.hpp"
#include "client/sync/session.hpp"

namespace obsync::client {

struct views {
  std::vector<base_item> base;
  local_view local;
  std::vector<remote_file> remote;
};

// Nothing when the round has ended instead. Contents that the plan needs are computed.
std::optional<views> look_around(sync_session& session, const scan_scope& scope);

}  // namespace obsync::client
