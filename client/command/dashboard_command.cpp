#include "client/command/bound_folder.hpp"

namespace obsync::client {

namespace {

constexpr retry_policy some_patience{.attempts_max = 3};

// A server that was not told its public address answers a relative link. Nothing for what is no link: what
// the server says is about to be clicked on.
std::optional<std::string> absolute(const endpoint& server, const std::string& url) {
  if (url.starts_with("/")) return server.url() + url;
  if (url.starts_with("https://") || url.starts_with("http://")) return url;
  return std::nullopt;
}

}  // namespace

int run_dashboard(const arguments& args, command_context& context) {
  auto folder = find_bound_folder(args);
  if (!folder) return give_up(context.io, folder.error());
  auto link = link_to(folder->bound, context, some_patience);
  if (!link) return give_up(context.io, link.error());
  const stop_request::listener listener(context.stop, [&] { (*link)->stop(); });
  const auto login = (*link)->routes().login_link();
  if (!login) return give_up(context.io, login.error());
  const auto url = absolute(folder->bound.server, login->url);
  if (!url) return give_up(context.io, error{errc::invalid, "the server's login link is no address"});
  context.io.say(*url);
  return exit_done;
}

}  // namespace obsync::client
