#include "store/database.hpp"

#include "core/disk.hpp"

namespace obsync::store {

namespace {

// A log that a slow reader made longer than this is cut back when it begins anew; usually it is half as long.
constexpr std::int64_t log_bytes_max = 16 << 20;

disk& disk_of(const database_options& options) {
  static const std::unique_ptr<disk> machine = make_posix_disk();
  return options.files != nullptr ? *options.files : *machine;
}

std::string path_of(const database_options& options) {
  return options.folder + "/" + options.file_name;
}

// SQLite would create the file with the umask's mode; its -wal and -shm copy whatever mode they find.
status make_file(const database_options& options) {
  disk& on = disk_of(options);
  const auto made = on.create(path_of(options));
  if (made.ok()) return on.sync_folder(options.folder);
  if (made.error().code == errc::exists) return {};
  return made.error();
}

// Reads only; `found` is the version in the file.
status check_kind(sql::connection& on, const schema& made_of, std::int64_t& found) {
  const std::int64_t kind = on.number("PRAGMA application_id");
  const std::int64_t tables = on.number("SELECT count(*) FROM sqlite_schema");
  found = on.number("PRAGMA user_version");
  if (on.failed()) return on.take_failure();
  const std::string name(made_of.name);
  if (kind != made_of.application_id && (kind != 0 || tables != 0 || found != 0)) {
    return error{errc::invalid, "the file in the place of the " + name + " is no obsync " + name};
  }
  if (found > made_of.version()) {
    return error{errc::unsupported, "the " + name + " has schema " + std::to_string(found) +
                                        ", this program knows up to " + std::to_string(made_of.version())};
  }
  return {};
}

void set_cache(sql::connection& on, std::int64_t cache_bytes) {
  on.run("PRAGMA cache_size = -" + std::to_string(cache_bytes / 1024));
}

// A file system without shared memory answers with the mode it stays in, and no error.
void set_log(sql::connection& on) {
  sql::statement change(on, "PRAGMA journal_mode = WAL");
  std::string mode;
  {
    sql::cursor row = change.query();
    if (row.next()) mode = row.text(0);
  }
  if (!on.failed() && mode != "wal")
    on.fail({errc::unsupported, "the database's volume cannot hold a write-ahead log"});
}

// A killed process may have left a log that was written but not flushed. SQLite shows its contents, so they
// would be answered as stored; moving the log into the database flushes both. Where the volume has no room
// for that the log is flushed where it is: a full volume must not keep the server from starting.
void make_durable(sql::connection& on, const database_options& options) {
  on.number("PRAGMA wal_checkpoint(TRUNCATE)");
  if (!on.failed()) return;
  const error failure = on.take_failure();
  if (failure.code != errc::no_space) return on.fail(failure);
  const auto log = disk_of(options).open(path_of(options) + "-wal");
  if (!log.ok()) return on.fail(log.error());
  if (const status synced = (*log)->sync(); !synced.ok()) on.fail(synced.error());
}

status keep_copy(sql::connection& on, const database_options& options, std::int64_t found) {
  disk& files = disk_of(options);
  const std::string to = path_of(options) + ".schema-" + std::to_string(found), beside = to + ".part";
  const status cleared = files.remove(beside);
  if (!cleared.ok() && cleared.error().code != errc::not_found) return cleared;
  if (const status copied = copy_database(files, on, beside); !copied.ok()) {
    static_cast<void>(files.remove(beside));
    return copied;
  }
  if (const status named = files.rename(beside, to); !named.ok()) return named;
  return files.sync_folder(options.folder);
}

void upgrade(sql::connection& on, const database_options& options, const schema& made_of,
             std::int64_t found) {
  if (found > 0) {
    if (const status kept = keep_copy(on, options, found); !kept.ok())
      return on.fail({kept.error().code, "the " + std::string(made_of.name) +
                                             " cannot be copied before its upgrade, which was not begun: " +
                                             kept.error().detail});
  }
  on.run("BEGIN IMMEDIATE");
  for (std::int64_t step = found; step < made_of.version(); ++step) {
    on.run(std::string(made_of.steps[static_cast<std::size_t>(step)]));
  }
  on.run("PRAGMA application_id = " + std::to_string(made_of.application_id));
  on.run("PRAGMA user_version = " + std::to_string(made_of.version()));
  on.run("COMMIT");
  if (on.failed()) on.roll_back();
}

}  // namespace

status copy_database(disk& on, sql::connection& source, const std::string& to) {
  const auto made = on.create(to);  // with our mode; the library writes into an empty file
  if (!made.ok()) return made.error();
  std::string quoted;
  for (const char one : to) quoted += one == '\'' ? std::string("''") : std::string(1, one);
  source.run("VACUUM INTO '" + quoted + "'");
  if (source.failed()) return source.take_failure();
  return (*made)->sync();
}

result<std::unique_ptr<sql::connection>> open_for_writing(const database_options& options,
                                                          const schema& made_of) {
  if (const status made = make_file(options); !made.ok()) return made.error();
  auto opened = sql::connection::open(path_of(options));
  if (!opened.ok()) return opened;
  sql::connection& on = **opened;
  on.checkpoint_on_close(false);  // a refused file is left byte for byte
  std::int64_t found = 0;
  if (const status kind = check_kind(on, made_of, found); !kind.ok()) return kind.error();
  // These take effect only in a file that is still empty; in another the second would write all the same.
  if (found == 0) {
    on.run("PRAGMA page_size = 8192");
    on.run("PRAGMA auto_vacuum = INCREMENTAL");
  }
  set_log(on);
  on.run("PRAGMA synchronous = FULL");
  on.run("PRAGMA foreign_keys = ON");
  on.run("PRAGMA journal_size_limit = " + std::to_string(log_bytes_max));
  set_cache(on, options.cache_bytes);
  if (!on.failed() && found < made_of.version()) upgrade(on, options, made_of, found);
  if (!on.failed()) make_durable(on, options);
  if (on.failed()) return on.take_failure();
  on.checkpoint_on_close(true);
  return opened;
}

result<std::unique_ptr<sql::connection>> open_for_reading(const database_options& options,
                                                          const schema& made_of) {
  auto opened = sql::connection::open(path_of(options));
  if (!opened.ok()) return opened;
  sql::connection& on = **opened;
  on.checkpoint_on_close(false);
  std::int64_t found = 0;
  if (const status kind = check_kind(on, made_of, found); !kind.ok()) return kind.error();
  if (found != made_of.version()) {
    return error{errc::unavailable,
                 "the " + std::string(made_of.name) + " has not been opened for writing yet"};
  }
  on.run("PRAGMA query_only = ON");
  set_cache(on, options.cache_bytes);
  if (on.failed()) return on.take_failure();
  on.checkpoint_on_close(true);
  return opened;
}

}  // namespace obsync::store
