#include "client/command/bound_folder.hpp"
#include "client/command/json_text.hpp"
#include "client/command/progress.hpp"
#include "client/home/file_lock.hpp"
#include "client/home/folder_path.hpp"
#include "client/home/small_file.hpp"
#include "client/watch/watch_status.hpp"
#include "core/size_text.hpp"

namespace obsync::client {

namespace {

watch_status read_status(const bound_folder& folder) {
  const auto reader = make_posix_disk();
  const auto text = read_file(*reader, folder.place.status_path(folder.bound));
  if (text) {
    auto known = parse_watch_status(*text);
    if (known) return *std::move(known);
  }
  watch_status never;
  never.state = "never_synced";
  return never;
}

// What the last process wrote, corrected by what can be seen now.
watch_status present_status(const bound_folder& folder, bool watching) {
  watch_status now = read_status(folder);
  // A watch that was killed leaves the state it was in.
  if (!watching && (now.state == "starting" || now.state == "syncing")) now.state = "stopped";
  if (!identify_folder(folder.bound.folder)) {
    now.state = "root_missing";
    now.reason_code = "root_missing";
    now.reason = "the folder is not there; it comes back by itself when it is mounted or moved back";
  }
  return now;
}

std::string as_json(const binding& bound, const watch_status& now, bool watching) {
  json_object out;
  out.add("folder", bound.folder).add("server", bound.server.url());
  out.add("account_id", bound.account.hex()).add("device_id", bound.device.hex());
  out.add("device_name", bound.device_name).add("watching", watching).add("state", now.state);
  if (now.reason_code.empty()) {
    out.add_null("reason_code").add_null("reason");
  } else {
    out.add("reason_code", now.reason_code).add("reason", now.reason);
  }
  out.add("pending", now.pending).add("held", now.held).add("failed", now.failed);
  out.add("bytes_sent", now.bytes_sent).add("bytes_received", now.bytes_received);
  out.add("tracked_files", now.tracked_files).add("tracked_folders", now.tracked_folders);
  out.add("cursor", now.cursor).add("updated_ms", now.updated_ms);
  return out.text();
}

void print(console& io, const binding& bound, const watch_status& now, bool watching) {
  io.say(bound.folder + " with " + bound.server.url() + " as \"" + bound.device_name + "\"");
  io.say("state     " + now.state + (watching ? ", watching" : ", not watching") +
         (now.reason.empty() ? "" : ": " + now.reason));
  io.say("files     " + std::to_string(now.tracked_files) + " in " + std::to_string(now.tracked_folders) +
         " folders; " + std::to_string(now.pending) + " pending, " + std::to_string(now.held) + " held, " +
         std::to_string(now.failed) + " failed");
  io.say("moved     " + rounded_size_text(static_cast<std::int64_t>(now.bytes_sent)) + " sent, " +
         rounded_size_text(static_cast<std::int64_t>(now.bytes_received)) + " received");
}

}  // namespace

int run_status(const arguments& args, command_context& context) {
  const auto folder = find_bound_folder(args);
  if (!folder) return give_up(context.io, folder.error());
  const bool watching = file_lock::held(folder->place.watching_path(folder->bound));
  const watch_status now = present_status(*folder, watching);
  if (args.json) {
    context.io.say(as_json(folder->bound, now, watching));
  } else {
    print(context.io, folder->bound, now, watching);
  }
  return exit_done;
}

}  // namespace obsync::client
