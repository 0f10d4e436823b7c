#include "client/state/state.hpp"

#include <algorithm>
#include <charconv>
#include <mutex>

#include "client/state/chunk_rows.hpp"
#include "client/state/sqlite.hpp"
#include "core/disk.hpp"

namespace obsync::client {

namespace {

constexpr std::int64_t schema_version = 1;

// Paths are blobs: compared bytewise, whatever their encoding.
constexpr const char* schema = R"(
  CREATE TABLE IF NOT EXISTS fact (name TEXT PRIMARY KEY, value BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS base (
    id BLOB PRIMARY KEY, kind INTEGER NOT NULL, gone INTEGER NOT NULL, path BLOB NOT NULL, version BLOB NOT NULL,
    ts_ms INTEGER NOT NULL, content BLOB NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
    ctime_ns INTEGER NOT NULL, born_ns INTEGER NOT NULL, inode INTEGER NOT NULL, chunks BLOB NOT NULL);
  CREATE INDEX IF NOT EXISTS base_path ON base (path);
  CREATE INDEX IF NOT EXISTS base_inode ON base (inode);
  CREATE TABLE IF NOT EXISTS pending (
    id BLOB PRIMARY KEY, heads BLOB NOT NULL, refused TEXT NOT NULL, rewound INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS head (
    id BLOB NOT NULL, version BLOB NOT NULL, kind INTEGER NOT NULL, deleted INTEGER NOT NULL, path BLOB NOT NULL,
    size INTEGER NOT NULL, mtime_ms INTEGER NOT NULL, content BLOB NOT NULL, ts_ms INTEGER NOT NULL,
    author BLOB NOT NULL, chunks BLOB NOT NULL, PRIMARY KEY (id, version));
)";

#define BASE_COLUMNS "id, kind, gone, path, version, ts_ms, content, size, mtime_ns, ctime_ns, born_ns, inode"
#define HEAD_COLUMNS "version, kind, deleted, path, size, mtime_ms, content, ts_ms, author"

template <class Id>
Id id_at(const sql_query& row, int column) {
  const auto id = Id::from(row.blob(column));
  return id ? *id : Id{};
}

base_item read_base(const sql_query& row) {
  base_item item;
  item.id = id_at<file_id>(row, 0);
  item.kind = static_cast<item_kind>(row.number(1));
  item.gone = row.number(2) != 0;
  item.path = row.text(3);
  item.version = id_at<version_id>(row, 4);
  item.ts_ms = row.number(5);
  item.content = id_at<content_id>(row, 6);
  item.mark.size = row.number(7);
  item.mark.mtime_ns = row.number(8);
  item.mark.ctime_ns = row.number(9);
  item.mark.born_ns = row.number(10);
  item.mark.inode = static_cast<std::uint64_t>(row.number(11));
  return item;
}

void bind_base(sql_query& query, const base_item& item) {
  query.bind(item.id.view()).bind(static_cast<std::int64_t>(item.kind)).bind(std::int64_t{item.gone});
  query.bind(item.path).bind(item.version.view()).bind(item.ts_ms).bind(item.content.view());
  query.bind(item.mark.size).bind(item.mark.mtime_ns).bind(item.mark.ctime_ns).bind(item.mark.born_ns);
  query.bind(static_cast<std::int64_t>(item.mark.inode));
}

remote_head read_head(const sql_query& row) {
  remote_head head;
  head.id = id_at<version_id>(row, 0);
  head.kind = static_cast<item_kind>(row.number(1));
  head.deleted = row.number(2) != 0;
  head.path = row.text(3);
  head.size = row.number(4);
  head.mtime_ms = row.number(5);
  head.content = id_at<content_id>(row, 6);
  head.ts_ms = row.number(7);
  head.author = id_at<device_id>(row, 8);
  return head;
}

bytes pack_ids(const std::vector<version_id>& ids) {
  bytes out;
  for (const version_id& one : ids) append(out, one.view());
  return out;
}

std::vector<version_id> unpack_ids(byte_view packed) {
  std::vector<version_id> out;
  for (; packed.size() >= version_id::size; packed = packed.subspan(version_id::size)) {
    out.push_back(*version_id::from(packed.first(version_id::size)));
  }
  return out;
}

pending_file read_pending(const sql_query& row) {
  return {id_at<file_id>(row, 0), unpack_ids(row.blob(1)), row.text(2), row.number(3) != 0};
}

class sqlite_state final : public sync_state {
 public:
  explicit sqlite_state(std::unique_ptr<sql_database> database) : db_(std::move(database)) {}

  status prepare() {
    for (const char* pragma :
         {"PRAGMA locking_mode=EXCLUSIVE", "PRAGMA journal_mode=WAL", "PRAGMA synchronous=NORMAL",
          "PRAGMA cache_size=-2048", "PRAGMA temp_store=MEMORY", "BEGIN EXCLUSIVE", schema, "COMMIT"}) {
      if (auto done = db_->execute(pragma); !done) return done;
    }
    const auto version = fact("schema");
    if (!version) return version.error();
    if (!*version) return set_fact("schema", std::to_string(schema_version));
    if (**version != std::to_string(schema_version)) {
      return error{errc::unsupported, "this folder's state was written by another version of obsync"};
    }
    return {};
  }

  result<std::optional<std::string>> fact(const std::string& name) override {
    const std::lock_guard lock(mutex_);
    auto query = db_->query("SELECT value FROM fact WHERE name = ?");
    const auto row = query.bind(name).step();
    if (!row) return row.error();
    return *row ? std::optional(query.text(0)) : std::nullopt;
  }

  status set_fact(const std::string& name, const std::string& value) override {
    const std::lock_guard lock(mutex_);
    return db_->query("INSERT OR REPLACE INTO fact VALUES (?, ?)").bind(name).bind(value).run();
  }

  result<sequence> cursor() override {
    const auto text = fact("cursor");
    if (!text) return text.error();
    sequence value = 0;
    if (*text) std::from_chars((*text)->data(), (*text)->data() + (*text)->size(), value);
    return value;
  }

  status set_cursor(sequence value) override { return set_fact("cursor", std::to_string(value)); }

  result<std::vector<base_item>> base() override {
    const std::lock_guard lock(mutex_);
    auto query = db_->query("SELECT " BASE_COLUMNS
                            " FROM base WHERE gone = 0 OR kind = 1 OR id IN (SELECT id FROM pending)");
    return all_base(query);
  }

  result<std::vector<base_item>> whole_base() override {
    const std::lock_guard lock(mutex_);
    auto query = db_->query("SELECT " BASE_COLUMNS " FROM base");
    return all_base(query);
  }

  result<std::vector<base_item>> base_at(const std::vector<std::string>& paths) override {
    if (std::find(paths.begin(), paths.end(), "") != paths.end()) return base();
    const std::lock_guard lock(mutex_);
    std::vector<base_item> out;
    for (const std::string& path : paths) {
      // '0' is the byte after '/', so this is the path and all below it.
      auto query = db_->query("SELECT " BASE_COLUMNS
                              " FROM base WHERE (path = ?1 OR (path > ?2 AND path < ?3)) AND"
                              " (gone = 0 OR kind = 1 OR id IN (SELECT id FROM pending))");
      query.bind(path).bind(path + "/").bind(path + "0");
      auto some = all_base(query);
      if (!some) return some.error();
      out.insert(out.end(), some->begin(), some->end());
    }
    return out;
  }

  result<std::optional<base_record>> base_of(const file_id& id) override {
    const std::lock_guard lock(mutex_);
    auto query = db_->query("SELECT " BASE_COLUMNS ", chunks FROM base WHERE id = ?");
    const auto row = query.bind(id.view()).step();
    if (!row) return row.error();
    if (!*row) return std::optional<base_record>();
    return std::optional(base_record{read_base(query), unpack_content(query.blob(12))});
  }

  result<std::optional<std::string>> path_of_inode(std::uint64_t inode) override {
    const std::lock_guard lock(mutex_);
    auto query = db_->query("SELECT path FROM base WHERE inode = ? AND gone = 0 AND kind = 0");
    const auto row = query.bind(static_cast<std::int64_t>(inode)).step();
    if (!row) return row.error();
    return *row ? std::optional(query.text(0)) : std::nullopt;
  }

  result<bool> is_path_known(const std::string& path) override {
    const std::lock_guard lock(mutex_);
    auto query = db_->query(
        "SELECT 1 FROM base WHERE path = ?1 AND gone = 0 UNION ALL "
        "SELECT 1 FROM head WHERE path = ?1 AND deleted = 0 LIMIT 1");
    return query.bind(path).step();
  }

  status put_base(const base_record& record) override {
    const std::lock_guard lock(mutex_);
    auto query = db_->query("INSERT OR REPLACE INTO base VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)");
    bind_base(query, record.item);
    return query.bind(pack_content(record.listed)).run();
  }

  status update_base(const base_item& item) override {
    const std::lock_guard lock(mutex_);
    auto query = db_->query(
        "INSERT INTO base VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,x'') "
        "ON CONFLICT (id) DO UPDATE SET kind=?2, gone=?3, path=?4, version=?5, ts_ms=?6, "
        "content=?7, size=?8, mtime_ns=?9, ctime_ns=?10, born_ns=?11, inode=?12");
    bind_base(query, item);
    return query.run();
  }

  status forget_base(const file_id& id) override {
    const std::lock_guard lock(mutex_);
    return db_->query("DELETE FROM base WHERE id = ?").bind(id.view()).run();
  }

  result<state_counts> counts() override {
    const std::lock_guard lock(mutex_);
    auto query =
        db_->query("SELECT coalesce(sum(kind = 0), 0), coalesce(sum(kind = 1), 0) FROM base WHERE gone = 0");
    const auto row = query.step();
    if (!row) return row.error();
    return state_counts{static_cast<std::uint64_t>(query.number(0)),
                        static_cast<std::uint64_t>(query.number(1))};
  }

  result<std::vector<remote_file>> pending() override {
    const auto files = pending_files();
    if (!files) return files.error();
    const std::lock_guard lock(mutex_);
    std::vector<remote_file> out;
    for (const pending_file& file : *files) {
      remote_file one{file.id, {}, file.refused, file.rewound};
      auto query = db_->query("SELECT " HEAD_COLUMNS " FROM head WHERE id = ?");
      query.bind(file.id.view());
      for (;;) {
        const auto row = query.step();
        if (!row) return row.error();
        if (!*row) break;
        one.heads.push_back(read_head(query));
      }
      if (one.heads.size() != file.heads.size() && one.refused.empty()) one.refused = "unread_head";
      out.push_back(std::move(one));
    }
    return out;
  }

  result<std::optional<pending_file>> pending_of(const file_id& id) override {
    const std::lock_guard lock(mutex_);
    auto query = db_->query("SELECT id, heads, refused, rewound FROM pending WHERE id = ?");
    const auto row = query.bind(id.view()).step();
    if (!row) return row.error();
    return *row ? std::optional(read_pending(query)) : std::nullopt;
  }

  result<std::vector<pending_file>> pending_files() override {
    return some_pending("SELECT id, heads, refused, rewound FROM pending");
  }

  result<std::vector<pending_file>> unread_files() override {
    return some_pending(
        "SELECT id, heads, refused, rewound FROM pending WHERE length(refused) = 0 AND "
        "length(heads) / 32 <> (SELECT count(*) FROM head WHERE head.id = pending.id)");
  }

  result<std::optional<pending_head>> head(const file_id& id, const version_id& version) override {
    const std::lock_guard lock(mutex_);
    auto query = db_->query("SELECT " HEAD_COLUMNS ", chunks FROM head WHERE id = ? AND version = ?");
    const auto row = query.bind(id.view()).bind(version.view()).step();
    if (!row) return row.error();
    if (!*row) return std::optional<pending_head>();
    return std::optional(pending_head{read_head(query), unpack_content(query.blob(9))});
  }

  status put_pending(const pending_file& file) override {
    const std::lock_guard lock(mutex_);
    auto query = db_->query("INSERT OR REPLACE INTO pending VALUES (?, ?, ?, ?)");
    query.bind(file.id.view()).bind(pack_ids(file.heads)).bind(file.refused).bind(std::int64_t{file.rewound});
    if (auto done = query.run(); !done) return done;
    std::vector<version_id> stale;
    auto read = db_->query("SELECT version FROM head WHERE id = ?");
    read.bind(file.id.view());
    for (;;) {
      const auto row = read.step();
      if (!row) return row.error();
      if (!*row) break;
      const auto version = id_at<version_id>(read, 0);
      if (std::find(file.heads.begin(), file.heads.end(), version) == file.heads.end())
        stale.push_back(version);
    }
    for (const version_id& version : stale) {
      auto drop = db_->query("DELETE FROM head WHERE id = ? AND version = ?");
      if (auto done = drop.bind(file.id.view()).bind(version.view()).run(); !done) return done;
    }
    return {};
  }

  status put_head(const file_id& id, const pending_head& one) override {
    const std::lock_guard lock(mutex_);
    const remote_head& head = one.head;
    auto query = db_->query("INSERT OR REPLACE INTO head VALUES (?,?,?,?,?,?,?,?,?,?,?)");
    query.bind(id.view()).bind(head.id.view()).bind(static_cast<std::int64_t>(head.kind));
    query.bind(std::int64_t{head.deleted}).bind(head.path).bind(head.size).bind(head.mtime_ms);
    query.bind(head.content.view()).bind(head.ts_ms).bind(head.author.view()).bind(pack_content(one.listed));
    return query.run();
  }

  status forget_pending(const file_id& id) override {
    const std::lock_guard lock(mutex_);
    if (auto done = db_->query("DELETE FROM head WHERE id = ?").bind(id.view()).run(); !done) return done;
    return db_->query("DELETE FROM pending WHERE id = ?").bind(id.view()).run();
  }

  status forget_all_pending() override {
    if (auto done = locked("DELETE FROM head"); !done) return done;
    return locked("DELETE FROM pending");
  }

  status begin() override { return locked("BEGIN IMMEDIATE"); }
  status commit() override { return locked("COMMIT"); }
  void roll_back() override { static_cast<void>(locked("ROLLBACK")); }

 private:
  status locked(const char* sql) {
    const std::lock_guard lock(mutex_);
    return db_->execute(sql);
  }

  result<std::vector<pending_file>> some_pending(const char* sql) {
    const std::lock_guard lock(mutex_);
    auto query = db_->query(sql);
    std::vector<pending_file> out;
    for (;;) {
      const auto row = query.step();
      if (!row) return row.error();
      if (!*row) return out;
      out.push_back(read_pending(query));
    }
  }

  result<std::vector<base_item>> all_base(sql_query& query) {
    std::vector<base_item> out;
    for (;;) {
      const auto row = query.step();
      if (!row) return row.error();
      if (!*row) return out;
      out.push_back(read_base(query));
    }
  }

  std::mutex mutex_;
  std::unique_ptr<sql_database> db_;
};

// SQLite would make the file by umask; names of files deserve 0600 from the first moment.
status make_private_file(const std::string& path) {
  const auto made = make_posix_disk()->create(path);
  if (!made && made.error().code != errc::exists) return made.error();
  return {};
}

}  // namespace

result<std::unique_ptr<sync_state>> open_state(const std::string& path) {
  if (path != ":memory:") {
    if (auto made = make_private_file(path); !made) return made.error();
  }
  auto database = sql_database::open(path);
  if (!database) return database.error();
  auto state = std::make_unique<sqlite_state>(std::move(*database));
  if (auto ready = state->prepare(); !ready) return ready.error();
  return std::unique_ptr<sync_state>(std::move(state));
}

}  // namespace obsync::client
