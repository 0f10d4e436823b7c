// What a vault looked like at a moment of its history: every file that lived then, under a name of its own.
// Pure: it is told of versions and touches nothing. Memory: one version for each file, whatever the history.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "client/engine/views.hpp"
#include "client/format/vault_keys.hpp"
#include "client/state/state.hpp"
#include "client/sync/vault_sync.hpp"
#include "wire/version.hpp"

namespace obsync::client {

struct past_file {
  std::string path;  // passes the vault's rule; no two files have the same
  std::int64_t size = 0;
  std::int64_t mtime_ms = 0;
  chunk_list chunks = {};
  const domain_keys* keys = nullptr;  // of the vault_keys given
};

struct past_vault {
  std::vector<past_file> files = {};        // by path
  std::vector<std::string> folders = {};    // those that exist in their own right, by path
  std::vector<file_trouble> troubles = {};  // files that are not among them, and why
  std::size_t conflicts = 0;                // files that have a copy's name
};

// Reads a history once, in its order.
class history_reader {
 public:
  // Nothing for `at_ms`: the vault as it is. Otherwise by the times the server took versions, in ms.
  // `keys` outlives what comes of it.
  history_reader(const vault_keys& keys, std::optional<std::int64_t> at_ms);

  void take(const wire::change& change);
  // `name_of` names the devices that conflicting versions came from.
  past_vault finish(const std::function<std::string(const device_id&)>& name_of);

 private:
  struct file_history {
    domain_id domain;
    std::vector<wire::version_record> heads = {};  // at the moment, as far as was read
    bool begins_late = false;                      // its oldest kept version came after the moment ...
    bool is_cut = false;                           // ... and had others before it
    wire::version_record oldest = {};              // that one, while both are so
  };

  const vault_keys& keys_;
  const std::optional<std::int64_t> at_ms_;
  const file_id map_;
  std::map<file_id, file_history> files_;
};

}  // namespace obsync::client
