#include "client/watch/wake_signal.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <climits>

#include "core/assert.hpp"

namespace obsync::client {

wake_signal::wake_signal() : descriptor_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  OBSYNC_ASSERT(descriptor_ >= 0);
}

wake_signal::~wake_signal() {
  ::close(descriptor_);
}

void wake_signal::raise() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(descriptor_, &one, sizeof one);
}

void wake_signal::lower() {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto got = ::read(descriptor_, &count, sizeof count);
}

bool wake_signal::wait(std::int64_t timeout_ms) {
  pollfd waiting{descriptor_, POLLIN, 0};
  const int timeout = static_cast<int>(std::clamp<std::int64_t>(timeout_ms, 0, INT_MAX));
  const bool raised = ::poll(&waiting, 1, timeout) > 0;
  if (raised) lower();
  return raised;
}

}  // namespace obsync::client
