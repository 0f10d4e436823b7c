// What the verbs that bind a folder share: checking that it may be bound before anybody is asked, and writing
// the binding down at the end.
#pragma once

#include <string>

#include "client/command/command.hpp"
#include "client/home/home.hpp"
#include "client/remote/endpoint.hpp"
#include "client/remote/server_link.hpp"
#include "wire/setup.hpp"

namespace obsync::client {

struct new_binding {
  home place;
  endpoint server;
  std::optional<std::string> ca_file;
  std::string folder;  // resolved; may not exist yet, but then its parent does
  wire::device_card device;
};

// Changes nothing but the home itself. Warns of plain HTTP to another machine.
result<new_binding> prepare_binding(const arguments& args, console& io);

// Unsigned calls, or calls as `who`.
result<std::unique_ptr<server_link>> link_to(const new_binding& plan, command_context& context,
                                             std::optional<credential> who);

// Fails for a server that cannot be reached or is none, before anything depends on it.
status check_server(server_link& link);

struct enrolled_device {
  account_id account;
  credential who;
  crypto::secret32 vault_key;
};

// Makes the folder where it is missing, writes the binding, and says hello to the server.
status finish_binding(const new_binding& plan, const enrolled_device& device, command_context& context);

}  // namespace obsync::client
