// The listening socket and the once-a-second round over all deadlines. Lives on the io_context's threads.
#pragma once

#include <boost/asio/io_context.hpp>

#include <cstdint>
#include <memory>
#include <string>

#include "core/result.hpp"
#include "http/server.hpp"
#include "http/tls_identity.hpp"

namespace obsync::http {

class listener {
 public:
  virtual ~listener() = default;
  // The port really bound: the asked one, or the system's choice for 0.
  virtual std::uint16_t port() const = 0;
  virtual void start() = 0;
  // Takes no new connections, closes idle ones, lets the others finish their answer. Any thread.
  virtual void wind_down() = 0;
  // Closes every connection. Any thread.
  virtual void cut() = 0;
};

// errc::exists when another process listens there; errc::denied, errc::invalid for an address that cannot be
// had. `shared` outlives the listener. With an `identity` every connection speaks TLS.
result<std::shared_ptr<listener>> listen(boost::asio::io_context& io, const std::string& host,
                                         std::uint16_t port, server& shared,
                                         std::shared_ptr<tls_identity> identity = nullptr);

}  // namespace obsync::http
