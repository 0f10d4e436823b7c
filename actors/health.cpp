#include "actors/health.hpp"

namespace obsync::actors {

void health::fault(std::string reason) {
  const std::lock_guard lock(mutex_);
  if (!fault_) fault_ = std::move(reason);
}

bool health::is_faulted() const {
  const std::lock_guard lock(mutex_);
  return fault_.has_value();
}

std::optional<std::string> health::reason() const {
  if (stopping_) return "shutting down";
  const std::lock_guard lock(mutex_);
  if (fault_) return fault_;
  if (!started_) return "starting: waiting until no request from before the restart could pass";
  return std::nullopt;
}

}  // namespace obsync::actors
