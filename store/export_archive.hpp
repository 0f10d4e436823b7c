// One account's versions and their chunks as a single file, all of it sealed: what docs/format.md calls an
// archive. Made beside a running server or without one: the index is one snapshot of the catalog, its chunks
// follow. A chunk that was collected meanwhile makes it begin anew with the catalog of now. Blocks; one
// thread. Memory: one version, and 64 bytes at most for each chunk, whatever the history.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/disk.hpp"
#include "core/ids.hpp"
#include "core/result.hpp"
#include "store/store_check.hpp"

namespace obsync::store {

struct export_wish {
  account_id account;
  std::optional<domain_id> domain = {};  // nothing: all
  bool history = false;                  // every version that is kept, with its time; otherwise the heads
};

struct export_report {
  std::int64_t files = 0;
  std::int64_t versions = 0;
  std::int64_t chunks = 0;
  std::int64_t bytes = 0;  // of chunks
};

// Writes `to`, an absolute path that must not exist (errc::exists), beside it first; it appears durable and
// whole, mode 0600, or not at all. errc::corrupt when a chunk is missing or not what its name says: the
// detail names it. errc::not_found for an account that is not there.
result<export_report> export_account(disk& on, const check_places& live, const export_wish& wish,
                                     const std::string& to,
                                     const std::function<void(const export_report&)>& told);

}  // namespace obsync::store
