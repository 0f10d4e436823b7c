#include "client/command/bound_folder.hpp"
#include "client/command/progress.hpp"
#include "client/home/file_lock.hpp"
#include "client/home/folder_path.hpp"
#include "client/restore/bring_in.hpp"
#include "client/vault/name_rule.hpp"
#include "client/vault/posix_vault.hpp"

namespace obsync::client {

namespace {

// Where a folder is mounted that is not there now, an empty one may stand.
status is_in_place(const binding& bound) {
  const auto now = identify_folder(bound.folder);
  if (!now) return now.error();
  if (now->inode == bound.root.inode) return {};
  return error{errc::unavailable,
               "another folder is in the place of " + bound.folder + "; nothing was changed"};
}

// The resolved source, which has nothing in common with the folder and our own files.
result<std::string> find_source(const arguments& args, const bound_folder& folder) {
  const auto source = resolve_path(args.source);
  if (!source) return source.error();
  if (const auto there = identify_folder(*source); !there) return there.error();
  for (const std::string& ours : {folder.bound.folder, folder.place.path()}) {
    if (is_within(*source, ours) || is_within(ours, *source))
      return error{errc::invalid, *source + " and " + ours + " lie inside each other"};
  }
  return *source;
}

std::string line_of(const std::string& path, const std::string& to, brought what) {
  switch (what) {
    case brought::copied:
      return "copy    " + path + (path == to ? "" : " -> " + to);
    case brought::equal:
      return "equal   " + path + (path == to ? "" : " = " + to);
    case brought::beside:
      return "beside  " + path + " -> " + to;
  }
  return path;
}

std::string summary(const bring_report& report, bool only_list) {
  return (only_list ? "would bring in: " : "brought in: ") + std::to_string(report.copied) + " copied, " +
         std::to_string(report.beside) + " kept beside one that differs, " + std::to_string(report.equal) +
         " equal";
}

// False when something is left over.
bool tell(console& io, const bring_report& report, bool only_list) {
  for (const file_trouble& one : report.troubles)
    io.say(one.path + ": " + one.reason + " (" + one.code + ")");
  io.say(summary(report, only_list));
  if (report.ended) io.complain(report.ended->detail + "; run it again to go on");
  if (!report.troubles.empty()) io.complain(std::to_string(report.troubles.size()) + " not brought in");
  return !report.ended && report.troubles.empty();
}

}  // namespace

int run_import(const arguments& args, command_context& context) {
  const auto folder = find_bound_folder(args);
  if (!folder) return give_up(context.io, folder.error());
  const binding& bound = folder->bound;
  const auto source = find_source(args, *folder);
  if (!source) return give_up(context.io, source.error());
  if (!args.under.empty() && !is_synced_path(args.under))
    return give_up(context.io,
                   error{errc::invalid, "--under takes a folder of the vault, such as Notes/Old"});
  if (const status there = is_in_place(bound); !there) return give_up(context.io, there.error());
  const auto from = make_posix_vault(*source, 0, context.time);
  const auto to = make_posix_vault(bound.folder, 0, context.time);
  for (vault* const one : {from.get(), to.get()})
    if (const auto root = one->open_root(); !root) return give_up(context.io, root.error());

  const bring_options options{args.under, bound.device_name, args.dry_run};
  console_progress progress(context.io, context.time);
  const bring_report report = bring_in(
      *from, *to, options,
      [&](const std::string& path, const std::string& name, brought what) {
        if (args.dry_run || what == brought::beside) context.io.say(line_of(path, name, what));
      },
      progress, [&] { return context.stop.requested(); });
  progress.finish();
  const bool whole = tell(context.io, report, args.dry_run);
  if (args.dry_run || report.ended) return whole ? exit_done : exit_not_done;
  if (file_lock::held(folder->place.watching_path(bound))) {
    context.io.say("the watch that runs on " + bound.folder + " sends it");
    return whole ? exit_done : exit_not_done;
  }
  const int synced = run_sync(args, context);
  return whole ? synced : exit_not_done;
}

}  // namespace obsync::client
