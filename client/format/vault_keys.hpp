// Every key of a vault, derived from its root key. Derived once, kept, wiped at the end. Any thread.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "core/ids.hpp"
#include "crypto/secret.hpp"

namespace obsync::client {

// The two keys of one domain. Never changes; share it freely between threads.
struct domain_keys {
  domain_id id;
  crypto::secret32 domain_key;    // names and seals chunks
  crypto::secret32 manifest_key;  // seals manifests, and derives file ids

  domain_keys(const crypto::secret32& vault_root_key, const domain_id& domain);
};

class vault_keys {
 public:
  explicit vault_keys(const crypto::secret32& vault_root_key);

  // Derived at the first call; the reference lives as long as this object.
  const domain_keys& domain(const domain_id& id) const;
  // Seals the domain map, and names its record.
  const crypto::secret32& map_key() const { return map_key_; }

 private:
  crypto::secret32 root_;
  crypto::secret32 map_key_;
  mutable std::mutex mutex_;
  mutable std::map<domain_id, std::unique_ptr<const domain_keys>> domains_;
};

}  // namespace obsync::client
