// One look at the folder. For the sources of client/vault only.
#pragma once

#include "client/vault/vault.hpp"

namespace obsync::client {

// `quiet_before_ns`: files whose status changed later than this, and not after `now_ns`, are settling.
result<scan_result> scan_folder(int root, const scan_scope& scope, std::int64_t quiet_before_ns,
                                std::int64_t now_ns);

}  // namespace obsync::client
