#include <algorithm>

#include "client/command/bound_folder.hpp"
#include "client/command/progress.hpp"
#include "client/command/status_keeper.hpp"
#include "client/home/folder_path.hpp"
#include "client/remote/remote_text.hpp"
#include "client/version.hpp"

namespace obsync::client {

namespace {

constexpr std::int64_t settle_pause_ms = 200;
constexpr int settle_rounds_max = 25;  // about five seconds for files that are being written right now
constexpr retry_policy first_contact{.attempts_max = 2};

bool wants_another(const round_report& report) {
  return !report.up_to_date && !report.remote && !report.local && report.troubles.empty();
}

std::string summary(const round_report& total) {
  return "up to date: " + std::to_string(total.pushed) + " sent, " + std::to_string(total.pulled) +
         " received, " + std::to_string(total.deleted_there) + " deleted there, " +
         std::to_string(total.deleted_here) + " deleted here" +
         (total.conflicts == 0 ? "" : ", " + std::to_string(total.conflicts) + " conflict copies") +
         (total.mended == 0 ? "" : ", " + std::to_string(total.mended) + " sent again");
}

void add_counts(round_report& total, const round_report& more) {
  total.pushed += more.pushed;
  total.pulled += more.pulled;
  total.deleted_here += more.deleted_here;
  total.deleted_there += more.deleted_there;
  total.conflicts += more.conflicts;
  total.mended += more.mended;
}

watch_status status_after(const round_report& last, vault_sync& vault) {
  watch_status now;
  const sync_status known = vault.status();
  now.cursor = known.cursor;
  now.tracked_files = known.tracked_files;
  now.tracked_folders = known.tracked_folders;
  now.pending = last.pending;
  for (const file_trouble& trouble : last.troubles) {
    ++(trouble.code.starts_with("held") ? now.held : now.failed);
  }
  now.state = last.up_to_date && last.troubles.empty() ? "up_to_date" : "waiting";
  if (last.remote) {
    now.state = last.remote->what == remote_error::kind::unreachable ? "offline" : "waiting";
    now.reason_code = code_of(*last.remote);
    now.reason = text_of(*last.remote);
  } else if (last.local) {
    const bool root = last.local->code == errc::not_found;
    now.state = root ? "root_missing" : "waiting";
    now.reason_code = root ? "root_missing" : std::string(name(last.local->code));
    now.reason = last.local->detail;
  } else if (!last.troubles.empty()) {
    now.reason_code = last.troubles.front().code;
    now.reason = last.troubles.front().reason;
  } else if (last.pending > 0) {
    now.reason_code = "still_changing";
    now.reason = "some files are still changing";
  }
  return now;
}

int tell_end(console& io, const round_report& last, const round_report& total) {
  for (const file_trouble& trouble : last.troubles) {
    io.say(trouble.path + ": " + trouble.reason + " (" + trouble.code + ")");
  }
  if (last.local) return give_up(io, *last.local);
  if (last.remote) return give_up(io, *last.remote);
  if (last.up_to_date && last.troubles.empty()) {
    io.say(summary(total));
    return exit_done;
  }
  const auto left = last.troubles.size() + last.pending;
  io.complain(left == 0 ? "not everything is up to date yet; run it again"
                        : std::to_string(left) + " not up to date");
  return exit_not_done;
}

}  // namespace

int run_sync(const arguments& args, command_context& context) {
  auto folder = find_bound_folder(args);
  if (!folder) return give_up(context.io, folder.error());
  const binding& bound = folder->bound;
  {
    // Whether anybody is there is asked with less patience than a transfer deserves.
    auto probe = link_to(bound, context, first_contact);
    if (!probe) return give_up(context.io, probe.error());
    const stop_request::listener listener(context.stop, [&] { (*probe)->stop(); });
    const auto there = (*probe)->as_device().account();
    if (!there) return give_up(context.io, there.error());
    (void)(*probe)->as_device().heartbeat({std::string(version), {}});
  }

  auto link = link_to(bound, context, {});
  if (!link) return give_up(context.io, link.error());
  remote& server = (*link)->as_device();
  auto vault = context.open_sync({.folder = bound.folder,
                                  .state_path = folder->place.state_path(bound),
                                  .device_name = bound.device_name},
                                 bound.vault_key, server, context.time, context.random);
  if (!vault) return give_up(context.io, vault.error());
  const stop_request::listener listener(context.stop, [&] {
    (*vault)->stop();
    (*link)->stop();
  });

  console_progress progress(context.io, context.time);
  round_report last;
  round_report total;
  for (int rounds = 0; rounds < settle_rounds_max; ++rounds) {
    if (rounds > 0 && !(*link)->pauses().sleep_ms(settle_pause_ms)) break;
    round_scope scope;
    scope.verify = args.verify && rounds == 0;
    last = (*vault)->round(scope, progress);
    add_counts(total, last);
    if (!wants_another(last)) break;
  }
  progress.finish();
  status_keeper(folder->place.status_path(bound), server, context.time).set(status_after(last, **vault));
  return tell_end(context.io, last, total);
}

}  // namespace obsync::client
