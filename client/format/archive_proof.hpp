// How a device vouches for an archive it made: whoever has the vault's root key can tell that nothing was
// added to its index or left out. Any thread.
#pragma once

#include "core/ids.hpp"
#include "crypto/secret.hpp"

namespace obsync::client {

// `index`: the SHA-256 of the archive's index.
digest archive_proof(const crypto::secret32& vault_root_key, const digest& index);

}  // namespace obsync::client
