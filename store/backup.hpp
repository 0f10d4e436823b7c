// Backups of a whole store in a folder of their own, made beside a running server:
//
//   <folder>/lock                      one at a time
//   <folder>/blobs/                    every chunk that any snapshot names, laid out as a blobs volume's v1
//   <folder>/snapshots/<name>/         catalog.db, server.key, setup-token
//   <folder>/snapshots/.part/          one under way; a crash leaves it, the next run removes it
//
// A snapshot's folder appears by a rename, when everything it needs is durable: whatever has a name can be
// restored. Chunks are kept once however many snapshots name them. Blocks; one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/disk.hpp"
#include "core/ids.hpp"
#include "core/random.hpp"
#include "core/result.hpp"
#include "store/chunk_copy.hpp"
#include "store/store_check.hpp"

namespace obsync::store {

struct backup_report {
  std::string name;
  copy_report chunks;
};

using copy_listener = std::function<void(const copy_report&)>;

// The catalog first, then what it names. A chunk that was collected meanwhile makes it begin anew with the
// catalog of now. `chunks.lacking` > 0: the store itself lacks chunks that its versions name; the rest is
// safe.
result<backup_report> create_backup(disk& on, const check_places& live, const std::string& folder,
                                    std::int64_t now_ms, const copy_listener& told);

// Names, oldest first: `20261201T091500Z`.
result<std::vector<std::string>> list_backups(disk& on, const std::string& folder);

// As check_store, of one snapshot and its chunks.
result<check_report> verify_backup(disk& on, const std::string& folder, const std::string& name, bool deep,
                                   const std::function<void(const check_progress&)>& told);

struct backup_prune_report {
  std::vector<std::string> removed = {};  // snapshots
  std::int64_t chunks = 0;
  std::int64_t bytes = 0;
};

// Keeps the newest `keep` snapshots (at least one) and the chunks they name.
result<backup_prune_report> prune_backups(disk& on, const std::string& folder, std::int64_t keep,
                                          random_source& random);

// Puts a snapshot in the place of a store that does not exist: `<target.journal_folder>` must not. Chunks
// first; the catalog appears last, by a rename, with a new epoch and every device's horizon at `now_s`, so
// that no request from before the restore passes again.
result<copy_report> restore_backup(disk& on, const std::string& folder, const std::string& name,
                                   const check_places& target, std::int64_t now_s, random_source& random,
                                   const copy_listener& told);

}  // namespace obsync::store
