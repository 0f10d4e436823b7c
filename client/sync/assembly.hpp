// A vault_sync from parts of the caller's choosing: how tests put a folder in memory behind it.
#pragma once

#include "client/state/state.hpp"
#include "client/sync/vault_sync.hpp"
#include "client/vault/vault.hpp"

namespace obsync::client {

// errc::exists when the state was made for another vault or folder path.
result<std::unique_ptr<vault_sync>> assemble_vault_sync(const sync_options& options,
                                                        const crypto::secret32& vault_root_key,
                                                        remote& server, clock& time, random_source& random,
                                                        std::unique_ptr<vault> folder,
                                                        std::unique_ptr<sync_state> state);

}  // namespace obsync::client
