// When devices were last seen and doing what: the newest sightings of each, in memory. What the catalog keeps
// is only the last of every kind, so after a restart a history begins anew. Any thread.
#pragma once

#include <deque>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "core/ids.hpp"
#include "wire/dashboard.hpp"

namespace obsync::actors {

class sightings {
 public:
  // Stored in whole seconds. Past wire::device_sightings_max the oldest goes.
  void note(const device_id& device, wire::device_sighting one);
  void forget(const device_id& device);
  // Newest first; completed from `info` with the last of each kind that this process did not see itself.
  std::vector<wire::device_sighting> history_of(const wire::device_info& info) const;

 private:
  mutable std::mutex mutex_;
  std::unordered_map<device_id, std::deque<wire::device_sighting>> of_;  // newest first
};

}  // namespace obsync::actors
