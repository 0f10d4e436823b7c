#include "client/command/bound_folder.hpp"
#include "client/command/progress.hpp"
#include "client/command/status_keeper.hpp"
#include "client/home/file_lock.hpp"
#include "client/version.hpp"
#include "client/watch/watch_loop.hpp"

namespace obsync::client {

namespace {

// Prints what the loop says and keeps the status file.
class printing_audience final : public watch_audience {
 public:
  printing_audience(console& io, status_keeper& keeper) : io_(io), keeper_(keeper) {}
  void say(const std::string& line) override { io_.say(line); }
  void status(const watch_status& now) override { keeper_.set(now); }

 private:
  console& io_;
  status_keeper& keeper_;
};

}  // namespace

int run_watch(const arguments& args, command_context& context) {
  auto folder = find_bound_folder(args);
  if (!folder) return give_up(context.io, folder.error());
  const binding& bound = folder->bound;
  const auto lock = file_lock::acquire(folder->place.watching_path(bound), lock_wait::no);
  if (!lock && lock.error().code == errc::exists) {
    return give_up(context.io,
                   error{errc::exists, "another obsync is watching " + bound.folder + " already"});
  }
  if (!lock) return give_up(context.io, lock.error());

  auto link = link_to(bound, context, {});
  if (!link) return give_up(context.io, link.error());
  remote& server = (*link)->as_device();
  auto vault = context.open_sync({.folder = bound.folder,
                                  .state_path = folder->place.state_path(bound),
                                  .device_name = bound.device_name},
                                 bound.vault_key, server, context.time, context.random);
  if (!vault) return give_up(context.io, vault.error());

  status_keeper keeper(folder->place.status_path(bound), server, context.time);
  console_progress progress(context.io, context.time, [&] { keeper.refresh(); });
  printing_audience audience(context.io, keeper);
  watch_loop loop({.folder = bound.folder, .app_version = std::string(version)}, **vault, server,
                  (*link)->pauses(), context.random, progress, audience);
  (*link)->calls().on_link_change(
      [&](bool reachable, const std::string& reason) { loop.link_changed(reachable, reason); });
  context.io.say("watching " + bound.folder + " (" + bound.server.url() + "); Ctrl-C stops");
  std::optional<remote_error> ended;
  {
    const stop_request::listener listener(context.stop, [&] {
      loop.stop();
      (*link)->stop();
    });
    ended = loop.run();
  }
  (*link)->calls().on_link_change({});
  progress.finish();
  if (ended) return give_up(context.io, *ended);
  context.io.say("stopped");
  return exit_done;
}

}  // namespace obsync::client
