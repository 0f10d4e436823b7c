// What can be measured of a server with signed devices alone. Each prints nothing and gives its numbers by
// name; each throws std::runtime_error when the server does not answer as it must.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "perf/load/device.hpp"

namespace obsync::perf {

struct load {
  server_address at;
  client::credential who;
  std::int64_t count = 1'000;
  std::int64_t size = 2'048;   // bytes
  std::int64_t in_flight = 4;  // connections, each with one request at a time
  std::int64_t warm_up = 3;    // requests of a route that are not counted
  bool cold = false;           // the kernel's caches are dropped before each request of a route
  std::uint64_t seed = 1;
};

using numbers = std::vector<std::pair<std::string, double>>;

// `count` notes of `size` bytes, a PUT and a post each, as a plugin sends them.
numbers send_notes(const load& how);
// The same notes in batches of 200.
numbers send_batches(const load& how);
// One device waits in a long poll, another posts: until the first has version and bytes.
numbers follow_edits(const load& how);
// `count` chunks of `size` bytes up, then down again.
numbers move_chunks(const load& how);
// `count` posts of versions without chunks.
numbers post_versions(const load& how);
// `count` signed GETs of the account.
numbers ask_account(const load& how);
// `count` versions spread over ten files a hundred versions deep each, in batches: history for other
// scenarios.
numbers grow_history(const load& how);

}  // namespace obsync::perf
