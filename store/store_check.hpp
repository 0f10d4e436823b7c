// Looks through a whole store: are the databases sound, is every chunk that a version names there, are its
// bytes what its name says. Changes nothing, and works beside a running server: each look is a snapshot, and
// what a writer moved meanwhile is looked for again before it is called missing. Blocks; one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/disk.hpp"
#include "core/ids.hpp"
#include "core/result.hpp"

namespace obsync::store {

struct check_places {
  std::string journal_folder;  // `<journal>/v1`
  std::string blobs_folder;    // `<blobs>/v1`
  std::vector<std::string> mirror_folders = {};
};

struct failed_chunk {
  account_id account;
  chunk_sid sid;
  std::string where;   // primary, or a mirror's folder
  std::string reason;  // missing, mismatch, unreadable
};

struct check_report {
  std::vector<std::string> databases = {};  // what is unsound, as the library says it; empty: nothing
  std::int64_t versions = 0;
  std::int64_t references = 0;
  std::int64_t chunks = 0;  // whose bytes were read
  std::int64_t bytes = 0;
  std::vector<failed_chunk> failed = {};

  bool is_clean() const { return databases.empty() && failed.empty(); }
};

struct check_progress {
  std::string stage;  // databases, references, small chunks, files
  std::int64_t done = 0;
};

// `deep`: also reads every chunk, on the mirrors too. `told` hears of progress now and then. An error only
// when the store cannot be opened at all.
result<check_report> check_store(disk& on, const check_places& places, bool deep,
                                 const std::function<void(const check_progress&)>& told);

}  // namespace obsync::store
