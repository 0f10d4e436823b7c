// Writes the files of a past vault into a folder. Blocks; a few transfers at a time on threads of its own.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "client/restore/past_vault.hpp"
#include "client/restore/version_source.hpp"
#include "client/sync/vault_sync.hpp"
#include "client/vault/vault.hpp"

namespace obsync::client {

struct written_out {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  std::vector<file_trouble> troubles = {};  // by path: files that are not there, and why
  std::optional<error> ended = {};          // what ended it early, the source's or the folder's
};

// `to` has its root open and is nobody else's. Each file appears whole or not at all; a chunk that is not
// what its manifest says is that file's trouble.
written_out write_out(const past_vault& from, version_source& source, vault& to, progress_sink& progress,
                      const std::function<bool()>& must_stop);

}  // namespace obsync::client
