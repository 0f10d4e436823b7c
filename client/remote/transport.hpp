// One HTTP exchange, without any notion of retrying or of what the bytes mean. The seam between the calls and
// the sockets: a test puts a scripted one here.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client/remote/endpoint.hpp"
#include "core/bytes.hpp"
#include "core/result.hpp"

namespace obsync::client {

struct http_request {
  std::string method;
  std::string target;
  std::vector<std::pair<std::string, std::string>>
      headers;     // Host and Content-Length are added by the transport
  byte_view body;  // must outlive the exchange
  // Set for what must not be sent twice: a kept connection may be closing while the request travels, and then
  // nobody could say whether it was heard.
  bool fresh_connection = false;
};

struct http_answer {
  int status = 0;
  std::string content_type;
  std::optional<std::int64_t> retry_after_s = {};
  bytes body;
};

struct exchange_limits {
  std::uint64_t answer_bytes_max = 0;
  std::int64_t deadline_ms = 0;  // for everything: connecting, sending, waiting, receiving
};

struct exchange_failure {
  enum class kind {
    no_connection,  // nobody there
    untrusted,      // the TLS certificate is not one we trust
    stale,          // a kept connection had been closed: nothing was answered, try a fresh one at once
    broken,         // the connection ended in the middle
    timed_out,
    too_large,  // the answer exceeds answer_bytes_max
    not_http,   // what answered does not speak HTTP
    stopped,
  };
  kind what;
  std::string detail;  // for a person
};

using exchange_result = result<http_answer, exchange_failure>;

// Any thread; exchanges on several threads run at once, each on its own connection.
class transport {
 public:
  virtual ~transport() = default;
  virtual exchange_result exchange(const http_request& request, const exchange_limits& limits) = 0;
  // Ends running exchanges soon and refuses new ones. For ever; from any thread.
  virtual void stop() = 0;
};

struct transport_options {
  endpoint server;
  // PEM file with the only authorities to trust; nothing: the system's.
  std::optional<std::string> ca_file = {};
  std::int64_t connect_ms_max = 10'000;
  std::size_t idle_connections_max = 8;
  std::int64_t idle_ms_max = 50'000;  // below the 60 s after which servers drop a quiet connection
};

// Over TCP, or TLS for an https endpoint. Fails when the authorities' file cannot be used.
result<std::unique_ptr<transport>> make_http_transport(const transport_options& options);

}  // namespace obsync::client
