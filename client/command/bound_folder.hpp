// A folder that is bound already: its binding and where its files are. What every daily verb begins with.
#pragma once

#include <memory>
#include <optional>

#include "client/command/command.hpp"
#include "client/home/home.hpp"
#include "client/remote/server_link.hpp"

namespace obsync::client {

struct bound_folder {
  home place;
  binding bound;
};

// Of the folder in the arguments. Where the verb may leave it out: of the only binding there is.
result<bound_folder> find_bound_folder(const arguments& args);

// Signed calls as the bound device.
result<std::unique_ptr<server_link>> link_to(const binding& bound, command_context& context,
                                             retry_policy retries);

// Prints why and returns exit_not_done.
int give_up(console& io, const error& why);
int give_up(console& io, const remote_error& why);

}  // namespace obsync::client
