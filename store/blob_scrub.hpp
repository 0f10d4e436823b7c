// Looks at the copies of a large chunk, on the primary and on every mirror, and makes them whole again from
// each other. Blocks; one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/disk.hpp"
#include "core/ids.hpp"
#include "core/result.hpp"
#include "store/blob_store.hpp"

namespace obsync::store {

enum class copies_state {
  good,    // the primary is what its name says, and so is every mirror now
  absent,  // the primary was removed meanwhile
  rotten,  // the primary is wrong and no mirror has the right bytes
};

struct copies_report {
  copies_state state = copies_state::good;
  std::uint64_t bytes_read = 0;
  std::int64_t mismatches = 0;  // copies that were wrong or missing
  std::int64_t repaired = 0;    // of these
};

class blob_scrub {
 public:
  // `on` and `blobs` outlive it; the options are those `blobs` was opened with.
  blob_scrub(disk& on, const blob_options& options, blob_store& blobs);

  // Mirrors that are behind are not looked at.
  result<copies_report> check(const account_id& account, const chunk_sid& sid);
  // Brings back from a mirror what the primary lost; its bytes, 0 when no mirror has the right ones or the
  // primary has some after all.
  result<std::uint64_t> bring_back(const account_id& account, const chunk_sid& sid);

  // A rotten primary goes in two steps, between which the finding is made durable, all while the caller holds
  // the name (blob_store::hold). First a durable copy in `folder`; its bytes, or 0 when the primary is whole
  // or gone after all. Then the primary is removed, durably: from then on the chunk is missing.
  result<std::uint64_t> set_aside(const account_id& account, const chunk_sid& sid, const std::string& folder);
  status drop(const account_id& account, const chunk_sid& sid);

 private:
  enum class copy { whole, wrong, missing };

  std::string path_in(const std::string& root, const account_id& account, const chunk_sid& sid) const;
  result<copy> look(const std::string& path, const chunk_sid& sid, copies_report& report);
  status replace(const std::string& from, const std::string& root, const account_id& account,
                 const chunk_sid& sid);
  status copy_over(const std::string& from, const std::string& to);
  bool is_behind(std::size_t mirror) const { return options_.watch && options_.watch->is_behind(mirror); }
  bool go_on_without(std::size_t mirror, const error& why) const {
    return options_.watch && options_.watch->go_on_without(mirror, why);
  }
  // True when a mirror had them.
  result<bool> copy_from_mirror(const account_id& account, const chunk_sid& sid, copies_report& report);
  result<copies_report> mend_primary(const account_id& account, const chunk_sid& sid, copies_report report);

  disk& disk_;
  blob_options options_;
  blob_store& blobs_;
};

}  // namespace obsync::store
