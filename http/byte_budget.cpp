#include "http/byte_budget.hpp"

#include <algorithm>
#include <vector>

namespace obsync::http {

void byte_budget::lease::release() {
  if (!from_) return;
  const std::shared_ptr<byte_budget> from = std::move(from_);
  from_ = nullptr;
  from->give_back(from, bytes_);
}

bool byte_budget::try_take(const std::shared_ptr<byte_budget>& from, std::uint64_t bytes, lease& into) {
  {
    const std::lock_guard lock(from->mutex_);
    if (from->used_ + bytes > from->bytes_max_) return false;
    from->used_ += bytes;
  }
  into = lease(from, bytes);
  return true;
}

void byte_budget::take(const std::shared_ptr<byte_budget>& from, std::uint64_t bytes,
                       std::function<void(lease)> granted) {
  bytes = std::min(bytes, from->bytes_max_);
  {
    const std::lock_guard lock(from->mutex_);
    const bool room = from->waiting_.empty() && from->used_ + bytes <= from->bytes_max_;
    if (!room) {
      from->waiting_.push_back({bytes, std::move(granted)});
      return;
    }
    from->used_ += bytes;
  }
  granted(lease(from, bytes));
}

void byte_budget::give_back(const std::shared_ptr<byte_budget>& self, std::uint64_t bytes) {
  std::vector<waiter> served;
  {
    const std::lock_guard lock(mutex_);
    used_ -= bytes;
    while (!waiting_.empty() && used_ + waiting_.front().bytes <= bytes_max_) {
      used_ += waiting_.front().bytes;
      served.push_back(std::move(waiting_.front()));
      waiting_.pop_front();
    }
  }
  for (waiter& next : served) next.granted(lease(self, next.bytes));
}

std::uint64_t byte_budget::in_use() const {
  const std::lock_guard lock(mutex_);
  return used_;
}

}  // namespace obsync::http
