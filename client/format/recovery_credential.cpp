#include "client/format/recovery_credential.hpp"

#include "crypto/digest.hpp"

namespace obsync::client {

crypto::secret32 recovery_proof(const crypto::secret32& vault_root_key) {
  return crypto::derive_key(vault_root_key.view(), "obsync/v1/account-recovery", {});
}

digest recovery_verifier(const crypto::secret32& vault_root_key) {
  return crypto::sha256(recovery_proof(vault_root_key).view());
}

}  // namespace obsync::client
