#include <algorithm>
#include <chrono>
#include <mutex>
#include <set>

#include "client/remote/http_connection.hpp"
#include "client/remote/transport.hpp"

namespace obsync::client {

namespace {

using steady = std::chrono::steady_clock;

// Keeps connections between exchanges; each exchange has one to itself.
class http_transport final : public transport {
 public:
  http_transport(const transport_options& options, std::shared_ptr<tls_trust> trust)
      : options_(options), trust_(std::move(trust)) {}

  exchange_result exchange(const http_request& request, const exchange_limits& limits) override {
    auto connection = take(request.fresh_connection);
    if (!connection) return exchange_failure{exchange_failure::kind::stopped, "stopped"};
    auto outcome = connection->exchange(request, limits);
    give_back(std::move(connection));
    return outcome;
  }

  void stop() override {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    idle_.clear();
    for (http_connection* connection : busy_) connection->interrupt();
  }

 private:
  struct idle {
    std::unique_ptr<http_connection> connection;
    steady::time_point since;
  };

  std::unique_ptr<http_connection> take(bool fresh) {
    const std::lock_guard lock(mutex_);
    if (stopped_) return nullptr;
    std::unique_ptr<http_connection> found;
    const auto oldest = steady::now() - std::chrono::milliseconds(options_.idle_ms_max);
    while (!fresh && !found && !idle_.empty()) {
      auto candidate = std::move(idle_.back());
      idle_.pop_back();
      if (candidate.since >= oldest && candidate.connection->reusable())
        found = std::move(candidate.connection);
    }
    if (!found) {
      found = std::make_unique<http_connection>(options_.server, trust_, options_.connect_ms_max);
    }
    busy_.insert(found.get());
    return found;
  }

  void give_back(std::unique_ptr<http_connection> connection) {
    const bool keep = connection->reusable();
    const std::lock_guard lock(mutex_);
    busy_.erase(connection.get());
    if (keep && !stopped_ && idle_.size() < options_.idle_connections_max) {
      idle_.push_back({std::move(connection), steady::now()});
    }
  }

  const transport_options options_;
  const std::shared_ptr<tls_trust> trust_;
  std::mutex mutex_;
  bool stopped_ = false;
  std::vector<idle> idle_;           // newest last
  std::set<http_connection*> busy_;  // owned by the exchanges that use them
};

}  // namespace

result<std::unique_ptr<transport>> make_http_transport(const transport_options& options) {
  std::shared_ptr<tls_trust> trust;
  if (options.server.tls) {
    auto loaded = load_tls_trust(options.ca_file);
    if (!loaded) return loaded.error();
    trust = *loaded;
  }
  return std::unique_ptr<transport>(std::make_unique<http_transport>(options, std::move(trust)));
}

}  // namespace obsync::client
