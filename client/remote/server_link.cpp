#include "client/remote/server_link.hpp"

#include "client/remote/http_remote.hpp"

namespace obsync::client {

server_link::server_link(const link_options& options, std::unique_ptr<transport> wire, clock& time,
                         random_source& random)
    : wire_(std::move(wire)),
      calls_(*wire_, time, random, pauses_, options.retries, options.who),
      remote_(make_http_remote(calls_)),
      routes_(calls_),
      open_routes_(calls_) {}

result<std::unique_ptr<server_link>> server_link::open(const link_options& options, clock& time,
                                                       random_source& random) {
  auto wire = make_http_transport({.server = options.server, .ca_file = options.ca_file});
  if (!wire) return wire.error();
  return std::unique_ptr<server_link>(new server_link(options, *std::move(wire), time, random));
}

void server_link::stop() {
  pauses_.stop();
  wire_->stop();
}

}  // namespace obsync::client
