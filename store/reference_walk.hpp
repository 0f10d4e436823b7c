// Every version of every account, slice after slice, for whoever needs what they name.
#pragma once

#include "core/result.hpp"
#include "store/upkeep_reader.hpp"

namespace obsync::store {

// Calls `visit(account, slice)`, which gives a status, until the newest version of the last account; stops at
// the first failure, the reader's or the visitor's.
template <class Visit>
status walk_references(upkeep_reader& catalog, std::int64_t versions_max, Visit visit) {
  const auto accounts = catalog.progress();
  if (!accounts) return accounts.error();
  for (const prune_progress& one : *accounts) {
    sequence after = 0;
    for (bool finished = false; !finished;) {
      const auto slice = catalog.references(one.account, after, versions_max);
      if (!slice) return slice.error();
      if (const status done = visit(one.account, *slice); !done) return done;
      after = slice->upto;
      finished = slice->finished;
    }
  }
  return {};
}

}  // namespace obsync::store
