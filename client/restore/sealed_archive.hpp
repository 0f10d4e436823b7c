// A vault's current versions and their chunks sealed into one archive that this device vouches for. Nothing
// is opened: what the server keeps goes in as it is. Blocks; one thread. Memory: a version for each file and
// 120 bytes or so for each chunk.
#pragma once

#include <cstdint>
#include <functional>

#include "client/restore/version_source.hpp"
#include "client/sync/vault_sync.hpp"
#include "core/disk.hpp"
#include "crypto/secret.hpp"

namespace obsync::client {

struct sealed_report {
  std::uint64_t files = 0;
  std::uint64_t chunks = 0;
  std::uint64_t bytes = 0;  // of chunks
};

// `to` is empty. `newest` is asked, after the versions were read, how far the feed went. Every version is
// checked to be this vault's; one that is not, or a chunk that is missing or wrong, fails it all by name.
result<sealed_report> seal_archive(version_source& source, const std::function<sequence()>& newest,
                                   const crypto::secret32& vault_root_key, disk_file& to,
                                   progress_sink& progress, const std::function<bool()>& must_stop);

}  // namespace obsync::client
