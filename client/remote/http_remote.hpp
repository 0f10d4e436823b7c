// The server over HTTP: what an active device can ask, route by route.
#pragma once

#include <memory>

#include "client/remote/caller.hpp"
#include "client/remote/remote.hpp"

namespace obsync::client {

// Each call follows the protocol's limits on answers; a page of changes too large for its limit is asked for
// again with half as many entries. The caller must outlive the object. Any thread.
std::unique_ptr<remote> make_http_remote(caller& calls);

}  // namespace obsync::client
