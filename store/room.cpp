#include "store/room.hpp"

#include <algorithm>
#include <utility>

namespace obsync::store {

std::int64_t watermark::of(std::int64_t capacity) const {
  return std::max(capacity / 100 * percent, bytes);
}

room::reservation::reservation(room* owner, account_id account, std::int64_t bytes)
    : owner_(owner), account_(account), bytes_(bytes) {}

room::reservation::reservation(reservation&& other) noexcept
    : owner_(std::exchange(other.owner_, nullptr)), account_(other.account_), bytes_(other.bytes_) {}

room::reservation& room::reservation::operator=(reservation&& other) noexcept {
  if (this == &other) return *this;
  if (owner_ != nullptr) owner_->release(account_, bytes_, false);
  owner_ = std::exchange(other.owner_, nullptr);
  account_ = other.account_;
  bytes_ = other.bytes_;
  return *this;
}

room::reservation::~reservation() {
  if (owner_ != nullptr) owner_->release(account_, bytes_, false);
}

void room::reservation::keep() {
  if (owner_ != nullptr) std::exchange(owner_, nullptr)->release(account_, bytes_, true);
}

room::room(disk& on, std::string folder, std::optional<std::int64_t> capacity_bytes, watermark keep_free)
    : disk_(on), folder_(std::move(folder)), capacity_bytes_(capacity_bytes), keep_free_(keep_free) {}

void room::set_used(const account_id& account, std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  share& of = shares_[account];
  used_total_ += bytes - of.used;
  of.used = bytes;
}

void room::set_quota(const account_id& account, std::optional<std::int64_t> bytes) {
  const std::lock_guard lock(mutex_);
  shares_[account].quota = bytes;
}

void room::give_back(const account_id& account, std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  shares_[account].used -= bytes;
  used_total_ -= bytes;
}

std::int64_t room::used(const account_id& account) const {
  const std::lock_guard lock(mutex_);
  const auto found = shares_.find(account);
  return found == shares_.end() ? 0 : found->second.used;
}

std::int64_t room::used_total() const {
  const std::lock_guard lock(mutex_);
  return used_total_;
}

wire::outcome<room::reservation> room::reserve(const account_id& account, std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (!volume_has(bytes)) {
    return wire::failure{wire::refusal::volume_full, "the server's volume for chunks is full"};
  }
  share& of = shares_[account];
  if (of.quota && *of.quota - of.used - of.reserved < bytes) {
    return wire::failure{wire::refusal::quota_exceeded, "the account's quota is used up"};
  }
  of.reserved += bytes;
  reserved_total_ += bytes;
  return reservation(this, account, bytes);
}

void room::release(const account_id& account, std::int64_t bytes, bool stored) {
  const std::lock_guard lock(mutex_);
  share& of = shares_[account];
  of.reserved -= bytes;
  reserved_total_ -= bytes;
  if (!stored) return;
  of.used += bytes;
  used_total_ += bytes;
}

// Called with the mutex held.
bool room::volume_has(std::int64_t bytes) const {
  if (capacity_bytes_) {
    const std::int64_t left = *capacity_bytes_ - used_total_ - reserved_total_ - bytes;
    if (left < keep_free_.of(*capacity_bytes_)) return false;
  }
  const auto real = disk_.room(folder_);
  if (!real.ok()) return false;  // a volume that cannot be asked is not written to
  // Bytes of uploads in flight may be on the disk already and are then counted twice: too careful for a
  // moment.
  const std::int64_t left = static_cast<std::int64_t>(real->free_bytes) - reserved_total_ - bytes;
  return left >= keep_free_.of(static_cast<std::int64_t>(real->total_bytes));
}

}  // namespace obsync::store
