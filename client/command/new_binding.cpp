#include "client/command/new_binding.hpp"

#include <unistd.h>

#include <array>

#include "client/home/folder_path.hpp"
#include "client/remote/remote_text.hpp"
#include "client/version.hpp"
#include "wire/limits.hpp"

namespace obsync::client {

namespace {

constexpr retry_policy some_patience{.attempts_max = 3};

// The protocol's texts are printable ASCII of bounded length.
std::string printable(const std::string& text, const std::string& otherwise) {
  std::string out;
  for (const char c : text) {
    if (c >= 0x20 && c <= 0x7E && out.size() < wire::name_chars_max) out.push_back(c);
  }
  const auto begin = out.find_first_not_of(' ');
  if (begin == std::string::npos) return otherwise;
  return out.substr(begin, out.find_last_not_of(' ') - begin + 1);
}

std::string machine_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "this computer";
  return printable(name.data(), "this computer");
}

status check_folder(const std::string& folder) {
  const auto there = identify_folder(folder);
  if (there) {
    if (::access(folder.c_str(), R_OK | W_OK | X_OK) == 0) return {};
    return error{errc::denied, folder + ": you may not read and write there"};
  }
  if (there.error().code != errc::not_found) return there.error();
  const std::string parent = folder.substr(0, std::max<std::size_t>(folder.rfind('/'), 1));
  if (const auto above = identify_folder(parent); !above) return above.error();
  if (::access(parent.c_str(), W_OK | X_OK) == 0) return {};
  return error{errc::denied, parent + ": you may not make a folder there"};
}

}  // namespace

result<new_binding> prepare_binding(const arguments& args, console& io) {
  const auto server = parse_endpoint(args.server.value_or(""));
  if (!server) return server.error();
  const auto path = choose_home(args.home);
  if (!path) return path.error();
  const auto folder = resolve_path(args.folder);
  if (!folder) return folder.error();
  if (auto usable = check_folder(*folder); !usable) return usable.error();
  if (auto apart = lie_apart(*path, *folder); !apart) return apart.error();
  auto place = home::open(*path);
  if (!place) return place.error();
  if (auto allowed = place->may_bind(*folder); !allowed) return allowed.error();

  new_binding out{*std::move(place), *server, {}, *folder, {}};
  if (args.ca_file) {
    // Whoever names an authority means to be protected by it.
    if (!server->tls)
      return error{errc::invalid, "--ca is of no use with " + server->url() + ": give the https:// address"};
    const auto ca = resolve_path(*args.ca_file);
    if (!ca) return ca.error();
    out.ca_file = *ca;
  }
  out.device = {printable(args.device_name.value_or(""), machine_name()), "linux", std::string(version)};
  if (!server->tls && !server->loopback()) {
    io.complain(
        "warning: plain http to another machine; what files hold stays encrypted, tokens and traffic do not");
  }
  return out;
}

result<std::unique_ptr<server_link>> link_to(const new_binding& plan, command_context& context,
                                             std::optional<credential> who) {
  return server_link::open(
      {.server = plan.server, .ca_file = plan.ca_file, .who = std::move(who), .retries = some_patience},
      context.time, context.random);
}

status check_server(server_link& link) {
  const auto manifest = link.open_routes().plugin_manifest();
  if (manifest || manifest.error().what == remote_error::kind::refused) return {};
  return error{errc::unavailable, text_of(manifest.error())};
}

status finish_binding(const new_binding& plan, const enrolled_device& device, command_context& context) {
  if (const auto made = ensure_folder(plan.folder); !made) return made.error();
  const auto root = identify_folder(plan.folder);
  if (!root) return root.error();
  binding bound;
  bound.server = plan.server;
  bound.ca_file = plan.ca_file;
  bound.account = device.account;
  bound.device = device.who.device;
  bound.device_secret = device.who.secret;
  bound.vault_key = device.vault_key;
  bound.device_name = plan.device.name;
  bound.folder = plan.folder;
  bound.root = *root;
  // home::add needs its own handle: the plan's may be used again if this fails.
  auto place = home::open(plan.place.path());
  if (!place) return place.error();
  if (auto added = place->add(bound); !added) return added;
  // The other devices count this one as paired once it was heard of. Missing that now is made up by the first
  // sync.
  auto link = link_to(plan, context, device.who);
  if (link) (void)(*link)->as_device().heartbeat({std::string(version), {}});
  return {};
}

}  // namespace obsync::client
