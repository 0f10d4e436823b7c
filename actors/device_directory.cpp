#include "actors/device_directory.hpp"

#include <mutex>

#include "actors/query.hpp"

namespace obsync::actors {

void device_directory::add(const device_id& device) {
  const std::unique_lock lock(mutex_);
  devices_.insert(device);
}

void device_directory::remove(const device_id& device) {
  const std::unique_lock lock(mutex_);
  devices_.erase(device);
}

bool device_directory::expects(const credentials& signer) const {
  const auto device = signed_by(signer);
  if (!device) return false;
  const std::shared_lock lock(mutex_);
  return devices_.contains(*device);
}

}  // namespace obsync::actors
