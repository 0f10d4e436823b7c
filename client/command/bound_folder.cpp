#include "client/command/bound_folder.hpp"

#include "client/home/folder_path.hpp"
#include "client/remote/remote_text.hpp"

namespace obsync::client {

namespace {

result<binding> only_binding(const home& place) {
  auto all = place.bindings();
  if (!all) return all.error();
  if (all->empty()) return error{errc::not_found, "no folder is synced here yet; begin with `obsync help`"};
  if (all->size() == 1) return std::move(all->front());
  std::string text = "several folders are synced here; name one with --folder:";
  for (const binding& each : *all) text += "\n  " + each.folder;
  return error{errc::invalid, text};
}

}  // namespace

result<bound_folder> find_bound_folder(const arguments& args) {
  const auto path = choose_home(args.home);
  if (!path) return path.error();
  auto place = home::open(*path);
  if (!place) return place.error();
  if (args.folder.empty()) {
    auto bound = only_binding(*place);
    if (!bound) return bound.error();
    return bound_folder{*std::move(place), *std::move(bound)};
  }
  const auto folder = resolve_path(args.folder);
  if (!folder) return folder.error();
  auto bound = place->find(*folder);
  if (!bound) return bound.error();
  return bound_folder{*std::move(place), *std::move(bound)};
}

result<std::unique_ptr<server_link>> link_to(const binding& bound, command_context& context,
                                             retry_policy retries) {
  return server_link::open({.server = bound.server,
                            .ca_file = bound.ca_file,
                            .who = credential{bound.device, bound.device_secret},
                            .retries = retries},
                           context.time, context.random);
}

int give_up(console& io, const error& why) {
  io.complain(why.detail);
  return exit_not_done;
}

int give_up(console& io, const remote_error& why) {
  io.complain(text_of(why));
  return exit_not_done;
}

}  // namespace obsync::client
