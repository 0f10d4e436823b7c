// Opening one of the store's SQLite files: its place, its schema and its upgrades. Internal to store/.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/disk.hpp"
#include "core/result.hpp"
#include "store/sqlite.hpp"

namespace obsync::store {

// What tells one kind of file from another, and how it came to be. Step n (counted from 1) leads from version
// n - 1 to version n; steps are appended and never edited.
struct schema {
  std::string_view name;                    // for messages, for example "catalog"
  std::int64_t application_id = 0;          // stored in the file's header
  std::span<const std::string_view> steps;  // SQL, each run inside the upgrading transaction
  std::int64_t version() const { return static_cast<std::int64_t>(steps.size()); }
};

struct database_options {
  std::string folder;
  std::string file_name;
  std::int64_t cache_bytes = 0;
  disk* files = nullptr;  // for what SQLite leaves to us; nothing: the machine's
};

// Makes the file, mode 0600, where it is missing; upgrades an older schema in one transaction, after a
// durable copy beside it, `<file>.schema-<its version>`. When it returns, everything readable through it is
// durable, also what a killed process had written but not yet flushed. errc::unsupported for a newer schema,
// errc::invalid for another program's file: both are left unchanged.
result<std::unique_ptr<sql::connection>> open_for_writing(const database_options& options,
                                                          const schema& made_of);

// One consistent state of a database that others may be writing, its log included, as one file. `to` must not
// exist; it is durable when this returns, its name only after a sync of its folder, which is the caller's.
status copy_database(disk& on, sql::connection& source, const std::string& to);

// The file must have been opened for writing before. Changes through this connection are refused.
result<std::unique_ptr<sql::connection>> open_for_reading(const database_options& options,
                                                          const schema& made_of);

}  // namespace obsync::store
