#include "store/upkeep_reader.hpp"

#include <algorithm>
#include <set>

#include "store/catalog_rows.hpp"
#include "store/catalog_schema.hpp"
#include "store/database.hpp"
#include "store/id_list.hpp"

namespace obsync::store {

namespace {

class sqlite_upkeep_reader final : public upkeep_reader {
 public:
  explicit sqlite_upkeep_reader(std::unique_ptr<sql::connection> on) : on_(std::move(on)) {}

  result<std::vector<prune_progress>> progress() override {
    return snapshot<std::vector<prune_progress>>([this] {
      std::vector<prune_progress> out;
      sql::cursor row = progress_.query();
      while (row.next())
        out.push_back({row.id<account_id>(0),
                       row.integer(1),
                       row.integer(2),
                       row.integer(3),
                       {row.integer(4), row.integer(5)},
                       row.maybe_integer(6)});
      return out;
    });
  }

  result<prune_slice> doomed(const prune_progress& from, const retention_rule& rule, std::int64_t now_ms,
                             std::int64_t versions_max) override {
    return snapshot<prune_slice>([&] { return judge_slice(from, rule, now_ms, versions_max); });
  }

  result<reference_slice> references(const account_id& account, sequence after,
                                     std::int64_t versions_max) override {
    return snapshot<reference_slice>([&] {
      reference_slice out{after};
      std::int64_t rows = 0;
      sql::cursor row = references_.query(account, after, versions_max);
      for (; row.next(); ++rows) {
        const byte_view sids = row.blob(1);
        out.upto = row.integer(0);
        auto named = split_ids<chunk_sid>(sids);
        if (!named) on_->fail({errc::corrupt, "a list of chunks in the database has the wrong width"});
        if (named && !named->empty()) out.sids.push_back(std::move(*named));
      }
      out.versions = rows;
      out.finished = rows < versions_max;
      return out;
    });
  }

  result<std::optional<std::string>> note(const std::string& name) override {
    return snapshot<std::optional<std::string>>([&]() -> std::optional<std::string> {
      sql::cursor row = note_.query(name);
      if (!row.next()) return std::nullopt;
      return row.text(0);
    });
  }

 private:
  struct window {
    sequence upto = 0;
    bool finished = false;
  };

  template <class Value, class Ask>
  result<Value> snapshot(Ask ask) {
    begin_.run();
    Value out = ask();
    commit_.run();
    if (!on_->failed()) return out;
    on_->roll_back();
    return on_->take_failure();
  }

  prune_slice judge_slice(const prune_progress& from, const retention_rule& rule, std::int64_t now_ms,
                          std::int64_t versions_max) {
    // Judged by another rule before, everything is to be judged anew as it grows old; it has grown old
    // already.
    sequence aged = from.rule == rule ? from.aged : 0;
    std::set<std::int64_t> files;
    const std::int64_t cutoff_ms = rule.cutoff_ms(now_ms);
    const std::int64_t heard_ms = heard_by_all(from.account, cutoff_ms);
    const bool go_back = from.waiting && !waits(from.account, *from.waiting, heard_ms);
    if (go_back) aged = std::min(aged, *from.waiting - 1);
    const window old = collect(from.account, aged, cutoff_ms, versions_max, files);
    const window fresh = collect(from.account, from.looked, std::nullopt, versions_max, files);
    prune_slice out{old.upto, fresh.upto, old.finished && fresh.finished, heard_ms};
    if (!go_back) out.waiting = from.waiting;
    for (const std::int64_t file : files) judge_file(file, rule, now_ms, out);
    return out;
  }

  // What was committed before it, every active device was in touch after. A minute for who was just asking.
  std::int64_t heard_by_all(const account_id& account, std::int64_t cutoff_ms) {
    sql::cursor row = heard_.query(account);
    const auto seen_ms = row.next() ? row.maybe_integer(0) : std::nullopt;
    return seen_ms ? std::min(*seen_ms - 60'000, cutoff_ms) : cutoff_ms;
  }

  bool waits(const account_id& account, sequence tombstone, std::int64_t heard_ms) {
    sql::cursor row = arrival_.query(account, tombstone);
    return row.next() && row.integer(0) >= heard_ms;
  }

  // The files of the versions after `after`, as long as they are older than `cutoff_ms`.
  window collect(const account_id& account, sequence after, std::optional<std::int64_t> cutoff_ms,
                 std::int64_t versions_max, std::set<std::int64_t>& files) {
    window out{after, true};
    std::int64_t rows = 0;
    sql::cursor row = window_.query(account, after, versions_max);
    for (; row.next(); ++rows) {
      if (cutoff_ms && row.integer(2) >= *cutoff_ms) return out;
      out.upto = row.integer(0);
      files.insert(row.integer(1));
    }
    out.finished = rows < versions_max;
    return out;
  }

  void judge_file(std::int64_t file, const retention_rule& rule, std::int64_t now_ms, prune_slice& out) {
    doomed_file doomed;
    std::vector<version_id> heads;
    {
      sql::cursor row = file_.query(file);
      if (!row.next()) return;
      doomed.file = row.id<file_id>(0);
      heads = rows::read_version_ids(*on_, row, 1);
    }
    std::vector<kept_version> versions;
    sequence newest_head = 0;
    sql::cursor row = versions_.query(file);
    while (row.next()) {
      const auto id = row.id<version_id>(1);
      const bool is_head = std::find(heads.begin(), heads.end(), id) != heads.end();
      versions.push_back({row.integer(0), row.integer(2), row.integer(3) != 0, is_head});
      if (is_head && newest_head == 0) newest_head = row.integer(0);
    }
    doomed.verdict = judge(versions, rule, now_ms, out.heard_ms);
    if (doomed.verdict.waits) out.waiting = std::min(out.waiting.value_or(newest_head), newest_head);
    if (!doomed.verdict.versions.empty()) out.files.push_back(std::move(doomed));
  }

  std::unique_ptr<sql::connection> on_;
  sql::statement begin_{*on_, "BEGIN"};
  sql::statement commit_{*on_, "COMMIT"};
  sql::statement progress_{
      *on_,
      "SELECT id, head, aged_seq, looked_seq, ruled_days, ruled_versions, (SELECT CAST(nullif(value, '') AS "
      "INTEGER) FROM "
      "upkeep WHERE upkeep.name = 'waiting ' || lower(hex(account.id))) FROM account ORDER BY id"};
  sql::statement heard_{
      *on_,
      "SELECT min(coalesce(last_seen_ms, created_ms)) FROM device WHERE state = 1 AND account = "
      "(SELECT num FROM account WHERE id = ?)"};
  sql::statement arrival_{*on_,
                          "SELECT ts_ms FROM version WHERE account = (SELECT num FROM account WHERE id = ?) "
                          "AND seq = ?"};
  sql::statement window_{*on_,
                         "SELECT seq, file, ts_ms FROM version WHERE account = (SELECT num FROM account "
                         "WHERE id = ?) AND seq > ? ORDER BY seq LIMIT ?"};
  sql::statement file_{*on_, "SELECT id, heads FROM file WHERE num = ?"};
  sql::statement versions_{*on_,
                           "SELECT seq, id, ts_ms, deleted FROM version WHERE file = ? ORDER BY seq DESC"};
  sql::statement references_{*on_,
                             "SELECT seq, sids FROM version WHERE account = (SELECT num FROM account "
                             "WHERE id = ?) AND seq > ? ORDER BY seq LIMIT ?"};
  sql::statement note_{*on_, "SELECT value FROM upkeep WHERE name = ?"};
};

}  // namespace

result<std::unique_ptr<upkeep_reader>> open_upkeep_reader(const catalog_options& options) {
  auto on = open_for_reading({options.folder, catalog_file_name, options.cache_bytes, options.files},
                             catalog_schema);
  if (!on.ok()) return on.error();
  return std::unique_ptr<upkeep_reader>(std::make_unique<sqlite_upkeep_reader>(std::move(*on)));
}

}  // namespace obsync::store
