#include "http/server.hpp"

#include <algorithm>

#include "http/connection.hpp"

namespace obsync::http {

namespace {

constexpr std::size_t refused_max = 64;

}  // namespace

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
  const auto oldest =
      std::find_if(alive_.begin(), alive_.end(), [](const auto& one) { return one->is_expendable(); });
  return oldest == alive_.end() ? nullptr : *oldest;
}

bool server::by_arrival::operator()(const std::shared_ptr<connection>& a,
                                    const std::shared_ptr<connection>& b) const {
  return a->number() < b->number();
}

bool server::enter_refused(const std::shared_ptr<connection>& who) {
  const std::lock_guard lock(mutex_);
  if (refused_.size() >= refused_max) return false;
  refused_.insert(who);
  return true;
}

void server::leave(const std::shared_ptr<connection>& who) {
  const std::lock_guard lock(mutex_);
  alive_.erase(who);
  refused_.erase(who);
  if (alive_.empty() && refused_.empty()) emptied_.notify_all();
}

bool server::wait_empty(std::chrono::milliseconds at_most) {
  std::unique_lock lock(mutex_);
  return emptied_.wait_for(lock, at_most, [this] { return alive_.empty() && refused_.empty(); });
}

std::vector<std::shared_ptr<connection>> server::alive() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<connection>> out(alive_.begin(), alive_.end());
  out.insert(out.end(), refused_.begin(), refused_.end());
  return out;
}

std::size_t server::alive_count() const {
  const std::lock_guard lock(mutex_);
  return alive_.size();
}

}  // namespace obsync::http
