// One connection to the server: connects on first use, then carries exchanges one after the other.
// Belongs to one thread at a time, except interrupt().
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "client/remote/transport.hpp"

namespace obsync::client {

// Whom TLS connections trust. Shared by all connections of a transport.
struct tls_trust;
result<std::shared_ptr<tls_trust>> load_tls_trust(const std::optional<std::string>& ca_file);

class http_connection {
 public:
  // `trust` may be empty for plain HTTP only.
  http_connection(const endpoint& server, std::shared_ptr<tls_trust> trust, std::int64_t connect_ms_max);
  http_connection(const http_connection&) = delete;
  http_connection& operator=(const http_connection&) = delete;
  ~http_connection();

  exchange_result exchange(const http_request& request, const exchange_limits& limits);
  // Whether another exchange may follow: the last one was complete and the server has not hung up since.
  bool reusable();
  // Makes a running exchange end as stopped. Any thread.
  void interrupt();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace obsync::client
