// How a device proves to the server that it holds the vault's root key, without showing it.
#pragma once

#include "core/ids.hpp"
#include "crypto/secret.hpp"

namespace obsync::client {

// Shown to the server only when an account is recovered.
crypto::secret32 recovery_proof(const crypto::secret32& vault_root_key);

// What the server keeps from the beginning: the SHA-256 of the proof.
digest recovery_verifier(const crypto::secret32& vault_root_key);

}  // namespace obsync::client
