// Manifests sealed into the versions that are posted, and records of the server opened and checked. What
// comes out of open_manifest may be acted on; what does not must be left alone. Any thread.
#pragma once

#include <vector>

#include "client/format/vault_keys.hpp"
#include "core/ids.hpp"
#include "core/random.hpp"
#include "core/result.hpp"
#include "wire/manifest.hpp"
#include "wire/version.hpp"

namespace obsync::client {

// A file or its tombstone. The nonce is random, so each call makes another version. `accept_existing` of the
// post is false; the caller decides. Precondition: the manifest's domain is that of the keys.
wire::version_post seal_file(const domain_keys& keys, const file_id& file,
                             const wire::file_manifest& manifest, std::vector<version_id> parents,
                             random_source& random);

// A folder. Equal arguments give the equal version on every device.
wire::version_post seal_folder(const domain_keys& keys, const file_id& file,
                               const wire::folder_manifest& manifest, std::vector<version_id> parents);

// The manifest of a record that stands under `file` in `domain`, after every check there is: identity, seal,
// domain, and that manifest and record say the same. errc::corrupt when the record is not what it says;
// errc::invalid when its content breaks the format; errc::unsupported for a version not known here.
result<wire::manifest> open_manifest(const domain_keys& keys, const file_id& file, const domain_id& domain,
                                     const wire::version_record& record);

// The two halves both kinds of record share. `key` is the manifest key, or the map key for the domain map.
// `draft` holds everything but id, manifest and nonce.
wire::version_post seal_manifest(const crypto::secret32& key, const file_id& file, std::string_view json,
                                 const seal_nonce& nonce, wire::version_post draft);
wire::version_post seal_manifest_derived(const crypto::secret32& key, const file_id& file,
                                         std::string_view json, wire::version_post draft);
// The JSON of a record whose identity and seal hold; errc::corrupt otherwise.
result<std::string> open_manifest_json(const crypto::secret32& key, const file_id& file,
                                       const wire::version_record& record);

}  // namespace obsync::client
