#include "client/format/vault_keys.hpp"

#include "crypto/digest.hpp"

namespace obsync::client {

domain_keys::domain_keys(const crypto::secret32& vault_root_key, const domain_id& domain)
    : id(domain),
      domain_key(crypto::derive_key(vault_root_key.view(), "obsync/v1/domain", as_bytes(domain.hex()))),
      manifest_key(crypto::derive_key(domain_key.view(), "obsync/v1/manifest", as_bytes(domain.hex()))) {}

vault_keys::vault_keys(const crypto::secret32& vault_root_key)
    : root_(vault_root_key), map_key_(crypto::derive_key(vault_root_key.view(), "obsync/v1/domainmap", {})) {}

const domain_keys& vault_keys::domain(const domain_id& id) const {
  const std::lock_guard lock(mutex_);
  auto& kept = domains_[id];
  if (kept == nullptr) kept = std::make_unique<const domain_keys>(root_, id);
  return *kept;
}

}  // namespace obsync::client
