#include <filesystem>

#include "client/command/bound_folder.hpp"
#include "client/command/moment.hpp"
#include "client/command/progress.hpp"
#include "client/home/folder_path.hpp"
#include "client/restore/archive_source.hpp"
#include "client/restore/sealed_archive.hpp"
#include "client/restore/server_source.hpp"
#include "client/restore/write_out.hpp"
#include "client/vault/posix_vault.hpp"
#include "core/disk.hpp"
#include "core/new_file.hpp"
#include "core/size_text.hpp"

namespace obsync::client {

namespace {

namespace fs = std::filesystem;

std::string size_of(std::uint64_t bytes) {
  return rounded_size_text(static_cast<std::int64_t>(bytes));
}

// Not inside what is synced, which would send it all again, nor among our own files.
status lie_outside(const bound_folder& folder, const std::string& path) {
  const auto all = folder.place.bindings();
  if (!all) return all.error();
  for (const binding& each : *all) {
    if (is_within(path, each.folder))
      return error{errc::invalid,
                   path + " lies inside " + each.folder + ", which is synced; choose another place"};
  }
  if (is_within(path, folder.place.path()))
    return error{errc::invalid, path + " lies among obsync's own files; choose another place"};
  return {};
}

// The resolved path of a folder that is missing or empty; it is not made yet.
result<std::string> free_folder(const bound_folder& folder, const std::string& asked) {
  const auto path = resolve_path(asked);
  if (!path) return path.error();
  if (const status apart = lie_outside(folder, *path); !apart) return apart.error();
  std::error_code code;
  const fs::file_type kind = fs::symlink_status(*path, code).type();
  if (kind == fs::file_type::not_found) {
    const auto above = identify_folder(fs::path(*path).parent_path());
    return above ? path : above.error();
  }
  if (kind != fs::file_type::directory) return error{errc::exists, *path + " is no folder"};
  const bool empty = fs::is_empty(*path, code);
  if (code) return error{errc::denied, *path + ": " + code.message()};
  if (!empty)
    return error{errc::exists, *path + " is not empty; files are only written into a new or empty folder"};
  return *path;
}

// Everything that can be known before the folder is touched.
struct taking_out {
  std::unique_ptr<disk_file> file;
  std::unique_ptr<server_link> link;
  std::unique_ptr<version_source> source;
};

result<taking_out> open_archive(const arguments& args, const binding& bound, command_context& context) {
  taking_out out;
  const auto path = resolve_path(*args.archive);
  if (!path) return path.error();
  auto file = make_posix_disk()->open(*path);
  if (!file) return error{file.error().code, *args.archive + ": " + file.error().detail};
  out.file = std::move(*file);
  auto source = archive_source::open(*out.file, bound.vault_key, [&](std::uint64_t checked) {
    context.io.flash("checking the archive: " + size_of(checked));
  });
  context.io.flash("");
  if (!source) return error{source.error().code, *args.archive + ": " + source.error().detail};
  out.source = std::move(*source);
  return out;
}

result<taking_out> open_server(const binding& bound, command_context& context) {
  taking_out out;
  auto link = link_to(bound, context, {});
  if (!link) return link.error();
  out.link = std::move(*link);
  out.source = std::make_unique<server_source>(out.link->as_device());
  return out;
}

bool is_another_vaults(const past_vault& past) {
  if (past.troubles.empty() || !past.files.empty() || !past.folders.empty()) return false;
  for (const file_trouble& one : past.troubles) {
    if (one.code != "bad_record") return false;
  }
  return true;
}

int tell_end(console& io, const std::string& out, const past_vault& past, const written_out& done) {
  for (const auto* list : {&past.troubles, &done.troubles}) {
    for (const file_trouble& one : *list) io.say(one.path + ": " + one.reason + " (" + one.code + ")");
  }
  if (done.ended) {
    io.complain(out + " is not complete: " + done.ended->detail);
    return exit_not_done;
  }
  const std::string copies =
      past.conflicts == 0 ? "" : ", " + std::to_string(past.conflicts) + " of them conflict copies";
  io.say(out + ": " + std::to_string(done.files) + " files (" + size_of(done.bytes) + ")" + copies);
  const std::size_t left = past.troubles.size() + done.troubles.size();
  if (left == 0) return exit_done;
  io.complain(std::to_string(left) + " could not be restored");
  return exit_not_done;
}

int take_out(const arguments& args, const bound_folder& folder, command_context& context) {
  std::optional<std::int64_t> at_ms;
  if (args.at) {
    const auto moment = parse_moment(*args.at);
    if (!moment) return give_up(context.io, moment.error());
    at_ms = *moment;
  }
  const auto out = free_folder(folder, args.out);
  if (!out) return give_up(context.io, out.error());
  auto from = args.archive ? open_archive(args, folder.bound, context) : open_server(folder.bound, context);
  if (!from) return give_up(context.io, from.error());
  const stop_request::listener listener(context.stop, [&] {
    if (from->link) from->link->stop();
  });
  if (at_ms && !from->source->tells_time())
    return give_up(context.io, error{errc::unsupported,
                                     "this archive holds no history to go back in; make one "
                                     "with `obsyncd export --history`"});
  const std::function<bool()> must_stop = [&] { return context.stop.requested(); };
  const vault_keys keys(folder.bound.vault_key);
  history_reader history(keys, at_ms);
  const status read = from->source->visit([&](const wire::change& one) {
    history.take(one);
    return must_stop() ? status{error{errc::shutting_down, "stopped"}} : status{};
  });
  if (!read) return give_up(context.io, read.error());
  const past_vault past =
      history.finish([&](const device_id& device) { return from->source->name_of(device); });
  if (args.archive && is_another_vaults(past))
    return give_up(context.io, error{errc::invalid, "this archive holds another vault; the keys of " +
                                                        folder.bound.folder + " do not open it"});
  if (const auto made = ensure_folder(*out); !made) return give_up(context.io, made.error());
  const auto to = make_posix_vault(*out, 0, context.time);
  if (const auto root = to->open_root(); !root) return give_up(context.io, root.error());
  console_progress progress(context.io, context.time);
  const written_out done = write_out(past, *from->source, *to, progress, must_stop);
  progress.finish();
  return tell_end(context.io, *out, past, done);
}

int seal(const arguments& args, const bound_folder& folder, command_context& context) {
  const auto path = resolve_path(*args.sealed);
  if (!path) return give_up(context.io, path.error());
  if (const status apart = lie_outside(folder, *path); !apart) return give_up(context.io, apart.error());
  auto link = link_to(folder.bound, context, {});
  if (!link) return give_up(context.io, link.error());
  const stop_request::listener listener(context.stop, [&] { (*link)->stop(); });
  const auto files = make_posix_disk();
  const auto file = new_file::begin(*files, *path);
  if (!file) return give_up(context.io, file.error());
  server_source source((*link)->as_device());
  console_progress progress(context.io, context.time);
  const auto done = seal_archive(
      source, [&] { return source.newest(); }, folder.bound.vault_key, (*file)->file(), progress,
      [&] { return context.stop.requested(); });
  progress.finish();
  if (!done) return give_up(context.io, done.error());
  if (const status named = (*file)->publish(); !named) return give_up(context.io, named.error());
  context.io.say(*path + ": " + std::to_string(done->files) + " records, " + std::to_string(done->chunks) +
                 " chunks (" + size_of(done->bytes) + "), sealed");
  return exit_done;
}

}  // namespace

int run_export(const arguments& args, command_context& context) {
  const auto folder = find_bound_folder(args);
  if (!folder) return give_up(context.io, folder.error());
  return args.sealed ? seal(args, *folder, context) : take_out(args, *folder, context);
}

}  // namespace obsync::client
