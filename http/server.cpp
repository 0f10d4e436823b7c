#include "http/server.hpp"

#include "http/connection.hpp"

namespace obsync::http {

server::server(const http_options& options, actors::door& entry, random_source& random,
               std::shared_ptr<request_log> requests)
    : options_(options),
      entry_(entry),
      random_(random),
      requests_(requests ? std::move(requests)
                         : std::make_shared<request_log>(std::make_shared<system_clock>())),
      small_bodies_(byte_budget::make(options.admission_bytes / 4)),
      large_bodies_(byte_budget::make(options.admission_bytes / 4)),
      uploads_(byte_budget::make(options.admission_bytes / 2)),
      signed_bodies_(byte_budget::make(options.preauth_bytes)),
      token_bodies_(byte_budget::make(options.preauth_bytes)) {}

bool server::enter(const std::shared_ptr<connection>& who) {
  const std::lock_guard lock(mutex_);
  if (alive_.size() >= options_.connections_max) {
    const auto goes = oldest_expendable();
    if (!goes) return false;
    alive_.erase(goes);
    goes->cut();
  }
  alive_.insert(who);
  return true;
}

std::shared_ptr<connection> server::oldest_expendable() const {
  std::shared_ptr<connection> oldest;
  for (const auto& one : alive_)
    if (one->is_expendable() && (!oldest || one->number() < oldest->number())) oldest = one;
  return oldest;
}

void server::leave(const std::shared_ptr<connection>& who) {
  const std::lock_guard lock(mutex_);
  alive_.erase(who);
  if (alive_.empty()) emptied_.notify_all();
}

bool server::wait_empty(std::chrono::milliseconds at_most) {
  std::unique_lock lock(mutex_);
  return emptied_.wait_for(lock, at_most, [this] { return alive_.empty(); });
}

std::vector<std::shared_ptr<connection>> server::alive() const {
  const std::lock_guard lock(mutex_);
  return {alive_.begin(), alive_.end()};
}

std::size_t server::alive_count() const {
  const std::lock_guard lock(mutex_);
  return alive_.size();
}

}  // namespace obsync::http
