// Makes catalog rows and posts for tests, and holds the chunks a test says are stored.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "core/random.hpp"
#include "store/catalog.hpp"

namespace obsync::test {

// An id of the given width that is recognisable in a dump.
template <class Id>
Id id_of(std::uint64_t number) {
  Id out;
  for (std::size_t at = 0; at < 8; ++at) {
    out.raw[Id::size - 1 - at] = static_cast<std::uint8_t>(number >> (8 * at));
  }
  return out;
}

// Answers as if the chunks in `held` were durable.
class chunks_in_memory final : public store::chunk_presence {
 public:
  std::set<std::pair<account_id, chunk_sid>> held;
  std::optional<error> broken = {};

  result<bool> has(const account_id& account, const chunk_sid& sid) override {
    if (broken) return *broken;
    return held.contains({account, sid});
  }
};

inline store::device_row device_row_of(std::uint64_t account, std::uint64_t device,
                                       wire::device_state state = wire::device_state::active) {
  store::device_row out;
  out.account = id_of<account_id>(account);
  out.info.id = id_of<device_id>(device);
  out.info.card = {"laptop", "linux", "0.1.0"};
  out.info.created_ms = 1'000'000;
  out.info.state = state;
  out.wrapped_secret = id_of<digest>(device);
  return out;
}

inline store::create_account account_of(std::uint64_t account, std::uint64_t device) {
  store::create_account out;
  out.account.id = id_of<account_id>(account);
  out.account.name = "family";
  out.account.created_ms = 1'000'000;
  out.first_device = device_row_of(account, device);
  return out;
}

// A post of account 1 by device 1, with no chunks.
inline store::post_version post_of(std::uint64_t file, std::uint64_t version,
                                   std::vector<std::uint64_t> parents = {}) {
  store::post_version out;
  out.account = id_of<account_id>(1);
  out.device = id_of<device_id>(1);
  out.file = id_of<file_id>(file);
  out.post.id = id_of<version_id>(version);
  for (const std::uint64_t parent : parents) out.post.parents.push_back(id_of<version_id>(parent));
  out.post.bytes = 7;
  out.post.domain = id_of<domain_id>(1);
  out.post.manifest_ct = {1, 2, 3};
  out.now_ms = 2'000'500;
  return out;
}

}  // namespace obsync::test
