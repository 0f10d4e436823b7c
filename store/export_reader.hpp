// What an export reads of the catalog: one account's files with their versions, all as of one moment. Holds
// that snapshot until it is destroyed, and with it what the write-ahead log has gained since: to be let go
// before the chunks are read. Blocks; one thread.
#pragma once

#include <memory>
#include <optional>

#include "core/ids.hpp"
#include "core/result.hpp"
#include "store/catalog.hpp"
#include "wire/archive.hpp"

namespace obsync::store {

class export_reader {
 public:
  virtual ~export_reader() = default;
  // The account's newest sequence number; nothing when there is no such account.
  virtual result<std::optional<sequence>> head(const account_id& account) = 0;
  // Files by rising id, each with its versions, the newest first: the heads, or with `history` all that are
  // kept. One version is in memory at a time.
  virtual status visit(const account_id& account, const std::optional<domain_id>& domain, bool history,
                       wire::archive_visitor& visitor) = 0;
};

// The writer must have been opened once before. The snapshot begins here.
result<std::unique_ptr<export_reader>> open_export_reader(const catalog_options& options);

}  // namespace obsync::store
