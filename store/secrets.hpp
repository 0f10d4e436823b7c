// The two secrets a server keeps on disk, both mode 0600, and the wrapping of device secrets under the first.
#pragma once

#include <string>

#include "core/disk.hpp"
#include "core/ids.hpp"
#include "core/random.hpp"
#include "core/result.hpp"
#include "crypto/secret.hpp"

namespace obsync::store {

// Reads `<folder>/server.key` (64 hex and a line end), or makes it, durable, at the first start.
result<crypto::secret32> load_server_key(disk& on, const std::string& folder, random_source& random);

// The same for `<folder>/setup-token`.
result<crypto::secret32> load_setup_token(disk& on, const std::string& folder, random_source& random);
// Reads it without making it; errc::not_found when absent.
result<crypto::secret32> read_setup_token(disk& on, const std::string& folder);

// secret XOR HKDF(server key, salt "obsync/v1/wrap", info raw device id). Its own inverse.
digest wrap_secret(const crypto::secret32& server_key, const device_id& device, byte_view secret);
crypto::secret32 unwrap_secret(const crypto::secret32& server_key, const device_id& device,
                               const digest& wrapped);

}  // namespace obsync::store
