// What the paced jobs need to know of the catalog, read in slices: each call is one short snapshot, so that
// the log is never kept from being cut. Blocks; one object belongs to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/ids.hpp"
#include "core/result.hpp"
#include "store/catalog.hpp"
#include "store/retention.hpp"

namespace obsync::store {

// How far an account's versions were judged, and by which rule.
struct prune_progress {
  account_id account;
  sequence head = 0;
  sequence aged = 0;    // up to here all were judged after they had grown old
  sequence looked = 0;  // up to here all were judged after they had arrived
  retention_rule rule = {0, 0};
  std::optional<sequence> waiting = {};  // the oldest tombstone that some device may not have heard of
};

struct doomed_file {
  file_id file;
  retention_verdict verdict;
};

struct prune_slice {
  sequence aged = 0;  // as in prune_progress, after this slice
  sequence looked = 0;
  bool finished = false;      // nothing more to judge now
  std::int64_t heard_ms = 0;  // as of judge()
  std::optional<sequence> waiting = {};
  std::vector<doomed_file> files = {};
};

struct reference_slice {
  sequence upto = 0;      // the last version read
  bool finished = false;  // it was the newest
  std::int64_t versions = 0;
  std::vector<std::vector<chunk_sid>> sids = {};  // of each version that names any
};

class upkeep_reader {
 public:
  virtual ~upkeep_reader() = default;
  virtual result<std::vector<prune_progress>> progress() = 0;  // of every account
  // Judges the files of at most `versions_max` versions that have grown old or arrived since `from`; and
  // again from the oldest tombstone that waits, once it need not.
  virtual result<prune_slice> doomed(const prune_progress& from, const retention_rule& rule,
                                     std::int64_t now_ms, std::int64_t versions_max) = 0;
  // The chunks named by at most `versions_max` versions after `after`, in the order of the feed.
  virtual result<reference_slice> references(const account_id& account, sequence after,
                                             std::int64_t versions_max) = 0;
  // A note left by set_upkeep.
  virtual result<std::optional<std::string>> note(const std::string& name) = 0;
};

// The writer must have been opened once before.
result<std::unique_ptr<upkeep_reader>> open_upkeep_reader(const catalog_options& options);

}  // namespace obsync::store
