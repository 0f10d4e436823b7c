#include "client/format/archive_proof.hpp"

#include "crypto/digest.hpp"

namespace obsync::client {

digest archive_proof(const crypto::secret32& vault_root_key, const digest& index) {
  const crypto::secret32 key =
      crypto::derive_key(vault_root_key.view(), "obsync/export/v1/inventory", byte_view{});
  return crypto::hmac_sha256(key.view(), index.view());
}

}  // namespace obsync::client
