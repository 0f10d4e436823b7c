#include "store/backup.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "store/blob_layout.hpp"
#include "store/catalog_schema.hpp"
#include "store/database.hpp"
#include "store/file_copy.hpp"
#include "store/folder_lock.hpp"
#include "store/reference_filter.hpp"
#include "store/reference_walk.hpp"

namespace obsync::store {

namespace {

constexpr std::int64_t cache_bytes = 8 << 20;
constexpr int attempts_max = 5;
constexpr std::int64_t versions_max = 512;
constexpr std::int64_t names_max = 1'024;
constexpr std::size_t name_chars = 16;
constexpr const char* part_name = ".part";
constexpr const char* secrets[] = {"server.key", "setup-token"};

std::string chunks_of(const std::string& folder) {
  return folder + "/blobs";
}
std::string snapshots_of(const std::string& folder) {
  return folder + "/snapshots";
}

// UTC, so that names sort as times.
std::string name_of(std::int64_t now_ms) {
  using namespace std::chrono;
  const sys_seconds at{seconds(now_ms / 1000)};
  const auto day = floor<days>(at);
  const year_month_day date(day);
  const hh_mm_ss time(at - day);
  char text[40];
  std::snprintf(text, sizeof text, "%04d%02u%02uT%02d%02d%02dZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                static_cast<int>(time.seconds().count()));
  return text;
}

// A second later where this second has a snapshot already.
std::string free_name(const std::vector<std::string>& taken, std::int64_t now_ms) {
  while (std::find(taken.begin(), taken.end(), name_of(now_ms)) != taken.end()) now_ms += 1'000;
  return name_of(now_ms);
}

bool is_name(const std::string& text) {
  return text.size() == name_chars && text[8] == 'T' && text.back() == 'Z' &&
         std::all_of(text.begin(), text.end(),
                     [](char one) { return (one >= '0' && one <= '9') || one == 'T' || one == 'Z'; });
}

status remove_tree(disk& on, const std::string& folder) {
  const auto entries = on.list(folder);
  if (!entries.ok() && entries.error().code == errc::not_found) return {};
  if (!entries.ok()) return entries.error();
  for (const disk_entry& one : *entries)
    if (const status done = on.remove(folder + "/" + one.name); !done) return done;
  return on.remove_folder(folder);
}

status make_folders(disk& on, const std::string& folder) {
  for (const std::string& one : {folder, chunks_of(folder), snapshots_of(folder)})
    if (const status made = on.make_folder(one); !made) return made;
  return on.sync_folder(folder);
}

// Of a catalog that others may be writing.
status copy_catalog(disk& on, const std::string& from_folder, const std::string& to_folder) {
  auto opened = sql::connection::open(from_folder + "/" + catalog_file_name);
  if (!opened.ok()) return opened.error();
  (*opened)->checkpoint_on_close(false);
  return copy_database(on, **opened, to_folder + "/" + catalog_file_name);
}

status copy_secrets(disk& on, const std::string& from, const std::string& to) {
  for (const char* const name : secrets) {
    const status done = copy_file(on, from + "/" + name, to + "/" + name);
    if (!done && done.error().code != errc::not_found) return done;  // a key may come from elsewhere
  }
  return {};
}

status write_part(disk& on, const check_places& live, const std::string& part) {
  if (const status cleared = remove_tree(on, part); !cleared) return cleared;
  if (const status made = on.make_folder(part); !made) return made;
  if (const status done = copy_catalog(on, live.journal_folder, part); !done) return done;
  if (const status done = copy_secrets(on, live.journal_folder, part); !done) return done;
  return on.sync_folder(part);
}

check_places places_of(const std::string& folder, const std::string& name) {
  return {snapshots_of(folder) + "/" + name, chunks_of(folder)};
}

}  // namespace

result<backup_report> create_backup(disk& on, const check_places& live, const std::string& folder,
                                    std::int64_t now_ms, const copy_listener& told) {
  if (const status made = make_folders(on, folder); !made) return made.error();
  const auto lock = lock_folder(folder);
  if (!lock) return lock.error();
  const std::string part = snapshots_of(folder) + "/" + part_name;
  const auto copier = chunk_copy::open(on, live.blobs_folder, chunks_of(folder));
  if (!copier) return copier.error();
  const auto taken = list_backups(on, folder);
  if (!taken) return taken.error();
  backup_report out{free_name(*taken, now_ms), {}};
  std::int64_t lacking_before = -1;
  for (int attempt = 0; attempt < attempts_max; ++attempt) {
    if (const status done = write_part(on, live, part); !done) return done.error();
    const auto catalog = open_upkeep_reader({part, cache_bytes});
    if (!catalog) return catalog.error();
    auto copied = (*copier)->run(**catalog, now_ms, told);
    if (!copied) return copied.error();
    copied->copied += out.chunks.copied;
    copied->bytes += out.chunks.bytes;
    out.chunks = *copied;
    // What is lacking twice in the same number is lacking in the store and was not just collected.
    if (out.chunks.lacking == 0 || out.chunks.lacking == lacking_before) break;
    lacking_before = out.chunks.lacking;
  }
  const std::string to = snapshots_of(folder) + "/" + out.name;
  if (const status done = on.rename(part, to); !done) return done.error();
  if (const status done = on.sync_folder(snapshots_of(folder)); !done) return done.error();
  return out;
}

result<std::vector<std::string>> list_backups(disk& on, const std::string& folder) {
  const auto entries = on.list(snapshots_of(folder));
  if (!entries.ok() && entries.error().code == errc::not_found)
    return error{errc::not_found, folder + " holds no backup of a store"};
  if (!entries.ok()) return entries.error();
  std::vector<std::string> out;
  for (const disk_entry& one : *entries)
    if (one.kind == disk_kind::folder && is_name(one.name)) out.push_back(one.name);
  std::sort(out.begin(), out.end());
  return out;
}

result<check_report> verify_backup(disk& on, const std::string& folder, const std::string& name, bool deep,
                                   const std::function<void(const check_progress&)>& told) {
  return check_store(on, places_of(folder, name), deep, told);
}

namespace {

// Marks what the catalogs of these snapshots name.
result<reference_filter> marks_of(const std::string& folder, const std::vector<std::string>& names,
                                  random_source& random) {
  std::uint64_t versions = 0;
  std::vector<std::unique_ptr<upkeep_reader>> catalogs;
  for (const std::string& name : names) {
    auto catalog = open_upkeep_reader({places_of(folder, name).journal_folder, cache_bytes});
    if (!catalog) return catalog.error();
    const auto accounts = (*catalog)->progress();
    if (!accounts) return accounts.error();
    for (const prune_progress& one : *accounts) versions += static_cast<std::uint64_t>(one.head);
    catalogs.push_back(std::move(*catalog));
  }
  reference_filter marks(2 * versions, random);
  for (const auto& catalog : catalogs) {
    const status done =
        walk_references(*catalog, versions_max, [&](const account_id& account, const auto& slice) {
          for (const std::vector<chunk_sid>& named : slice.sids)
            for (const chunk_sid& sid : named) marks.add(account, sid);
          return status{};
        });
    if (!done) return done.error();
  }
  return marks;
}

status drop_small(disk& on, const std::string& chunks, const reference_filter& marks,
                  backup_prune_report& out) {
  const auto writer = open_small_writer({chunks, cache_bytes, &on});
  if (!writer) return writer.error();
  const auto reader = open_small_reader({chunks, cache_bytes});
  if (!reader) return reader.error();
  const auto accounts = (*reader)->usage();
  if (!accounts) return accounts.error();
  for (const auto& [account, used] : *accounts) {
    std::optional<chunk_sid> after;
    for (bool finished = false; !finished;) {
      const auto names = (*reader)->names(account, after, names_max);
      if (!names) return names.error();
      finished = static_cast<std::int64_t>(names->size()) < names_max;
      if (!names->empty()) after = names->back();
      std::vector<chunk_sid> unnamed;
      for (const chunk_sid& sid : *names)
        if (!marks.may_have(account, sid)) unnamed.push_back(sid);
      if (unnamed.empty()) continue;
      const auto removed = (*writer)->remove(account, unnamed, any_age);
      if (!removed) return removed.error();
      out.chunks += removed->chunks;
      out.bytes += removed->bytes;
    }
  }
  for (bool more = true; more;) {
    const auto left = (*writer)->give_pages_back(names_max);
    if (!left) return left.error();
    more = *left;
  }
  return {};
}

status drop_files(disk& on, const std::string& chunks, const reference_filter& marks,
                  backup_prune_report& out) {
  const auto blobs = view_blob_store(on, {chunks, {}});
  for (std::size_t first = 0; first < blob_folder_count; ++first) {
    const auto names = blobs->names(static_cast<std::uint8_t>(first));
    if (!names) return names.error();
    for (const auto& [account, sid] : *names) {
      if (marks.may_have(account, sid)) continue;
      const auto size = blobs->remove_old(account, sid, any_age);
      if (!size) return size.error();
      ++out.chunks;
      out.bytes += *size;
    }
  }
  return {};
}

}  // namespace

result<backup_prune_report> prune_backups(disk& on, const std::string& folder, std::int64_t keep,
                                          random_source& random) {
  const auto lock = lock_folder(folder);
  if (!lock) return lock.error();
  auto names = list_backups(on, folder);
  if (!names) return names.error();
  backup_prune_report out;
  const auto kept = static_cast<std::size_t>(std::max<std::int64_t>(keep, 1));
  while (names->size() > kept) {
    if (const status done = remove_tree(on, snapshots_of(folder) + "/" + names->front()); !done)
      return done.error();
    out.removed.push_back(names->front());
    names->erase(names->begin());
  }
  // Durable before a chunk goes that only they named.
  if (const status done = on.sync_folder(snapshots_of(folder)); !done) return done.error();
  if (out.removed.empty()) return out;
  const auto marks = marks_of(folder, *names, random);
  if (!marks) return marks.error();
  if (const status done = drop_small(on, chunks_of(folder), *marks, out); !done) return done.error();
  if (const status done = drop_files(on, chunks_of(folder), *marks, out); !done) return done.error();
  return out;
}

result<copy_report> restore_backup(disk& on, const std::string& folder, const std::string& name,
                                   const check_places& target, std::int64_t now_s, random_source& random,
                                   const copy_listener& told) {
  const std::string snapshot = places_of(folder, name).journal_folder;
  const std::string part = target.journal_folder + ".restoring";
  if (const status cleared = remove_tree(on, part); !cleared) return cleared.error();
  if (const status made = on.make_folder(part); !made) return made.error();
  if (const status done = copy_file(on, snapshot + "/" + catalog_file_name, part + "/" + catalog_file_name);
      !done)
    return done.error();
  if (const status done = copy_secrets(on, snapshot, part); !done) return done.error();
  {
    // Also brings an older snapshot's schema up to date.
    auto opened = open_for_writing({part, catalog_file_name, cache_bytes, &on}, catalog_schema);
    if (!opened) return opened.error();
    sql::connection& catalog = **opened;
    const auto life = random_id<epoch_id>(random);
    sql::statement epoch(catalog, "UPDATE epoch SET id = ?");
    sql::statement horizons(catalog, "UPDATE device SET horizon_s = max(horizon_s, ?)");
    catalog.run("BEGIN IMMEDIATE");
    epoch.run(life);
    horizons.run(now_s);
    catalog.run("COMMIT");
    if (catalog.failed()) return catalog.take_failure();
  }
  const auto catalog = open_upkeep_reader({part, cache_bytes});
  if (!catalog) return catalog.error();
  const auto copier = chunk_copy::open(on, chunks_of(folder), target.blobs_folder);
  if (!copier) return copier.error();
  auto copied = (*copier)->run(**catalog, now_s * 1000, told);
  if (!copied) return copied.error();
  if (copied->lacking > 0) {
    // A read that failed once may succeed the second time; what is wrong stays so.
    const copy_report first = *copied;
    copied = (*copier)->run(**catalog, now_s * 1000, told);
    if (!copied) return copied.error();
    copied->copied += first.copied;
    copied->bytes += first.bytes;
  }
  if (const status done = on.sync_folder(part); !done) return done.error();
  if (const status done = on.rename(part, target.journal_folder); !done) return done.error();
  const std::string above = target.journal_folder.substr(0, target.journal_folder.rfind('/'));
  if (const status done = on.sync_folder(above); !done) return done.error();
  return copied;
}

}  // namespace obsync::store
