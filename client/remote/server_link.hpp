// Everything one command needs to talk to one server as one device: sockets, pauses, calls and routes, and
// one switch that stops them all.
#pragma once

#include <memory>
#include <optional>

#include "client/remote/caller.hpp"
#include "client/remote/enrolment.hpp"
#include "client/remote/remote.hpp"

namespace obsync::client {

struct link_options {
  endpoint server;
  std::optional<std::string> ca_file = {};
  std::optional<credential> who = {};  // nothing: only the public routes will answer
  retry_policy retries = {};
};

class server_link {
 public:
  // Does not connect yet. The references must outlive the object.
  static result<std::unique_ptr<server_link>> open(const link_options& options, clock& time,
                                                   random_source& random);
  server_link(const server_link&) = delete;
  server_link& operator=(const server_link&) = delete;

  caller& calls() { return calls_; }
  sleeper& pauses() { return pauses_; }
  remote& as_device() { return *remote_; }
  device_routes& routes() { return routes_; }
  public_routes& open_routes() { return open_routes_; }

  // Ends what is under way and refuses what comes. Any thread.
  void stop();

 private:
  server_link(const link_options& options, std::unique_ptr<transport> wire, clock& time,
              random_source& random);

  const std::unique_ptr<transport> wire_;
  real_sleeper pauses_;
  caller calls_;
  const std::unique_ptr<remote> remote_;
  device_routes routes_;
  public_routes open_routes_;
};

}  // namespace obsync::client
