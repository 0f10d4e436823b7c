#include "store/small_store.hpp"

#include <utility>

#include "store/database.hpp"
#include "store/free_pages.hpp"
#include "store/small_schema.hpp"

namespace obsync::store {

namespace {

class sqlite_small_writer final : public small_writer {
 public:
  explicit sqlite_small_writer(std::unique_ptr<sql::connection> on) : on_(std::move(on)) {}

  result<std::vector<put_result>> put(std::span<const small_put> batch) override {
    return transact<std::vector<put_result>>([&] {
      std::vector<put_result> results;
      results.reserve(batch.size());
      for (const small_put& one : batch) results.push_back(store(one));
      return results;
    });
  }

  status restore(const account_id& account, const chunk_sid& sid, byte_view body,
                 std::int64_t now_ms) override {
    const std::vector<chunk_sid> sids{sid};
    const auto done = transact<bool>([&] {
      remove_old(account, sids, any_age);
      return store({account, sid, body, now_ms}) == put_result::created;
    });
    return done.ok() ? status{} : status{done.error()};
  }

  status renew(std::span<const small_key> chunks, std::int64_t now_ms, std::int64_t after_ms) override {
    const auto done = transact<bool>([&] {
      for (const small_key& one : chunks) renew_.run(now_ms, one.account, one.sid, now_ms - after_ms);
      return true;
    });
    return done.ok() ? status{} : status{done.error()};
  }

  result<removed_chunks> remove(const account_id& account, std::span<const chunk_sid> sids,
                                std::int64_t before_ms) override {
    return transact<removed_chunks>([&] { return remove_old(account, sids, before_ms); });
  }

  result<bool> give_pages_back(std::int64_t pages_max) override {
    return transact<bool>([&] { return give_pages_back_of(*on_, pages_max); });
  }

  result<bool> erase(const account_id& account, std::int64_t rows_max) override {
    return transact<bool>([&] {
      const bool finished = erase_some(account, rows_max);
      on_->run("PRAGMA incremental_vacuum");
      return finished;
    });
  }

  std::uint64_t flush_count() const override { return flushes_; }

 private:
  template <class Value, class Act>
  result<Value> transact(Act act) {
    if (broken_) return *broken_;
    const std::int64_t changes_before = on_->changes();
    begin_.run();
    Value out = act();
    commit_.run();
    if (on_->failed()) return give_up();
    if (on_->changes() != changes_before) ++flushes_;
    return out;
  }

  put_result store(const small_put& one) {
    const std::int64_t account = number_of(one.account);
    if (has(account, one.sid)) {
      // Here although the caller was told otherwise: it is about to be removed for its age.
      renew_.run(one.now_ms, one.account, one.sid, one.now_ms);
      return put_result::existed;
    }
    insert_chunk_.run(account, one.sid, one.now_ms, one.body);
    add_used_.run(static_cast<std::int64_t>(one.body.size()), account);
    return put_result::created;
  }

  removed_chunks remove_old(const account_id& account, std::span<const chunk_sid> sids,
                            std::int64_t before_ms) {
    removed_chunks out;
    std::int64_t num = 0;
    {
      sql::cursor row = account_.query(account);
      if (!row.next()) return out;
      num = row.integer(0);
    }
    for (const chunk_sid& sid : sids) {
      std::int64_t size = 0;
      {
        sql::cursor row = old_.query(num, sid, before_ms);
        if (!row.next()) continue;
        size = row.integer(0);
      }
      remove_.run(num, sid);
      ++out.chunks;
      out.bytes += size;
      out.sids.push_back(sid);
    }
    if (out.chunks > 0) add_used_.run(-out.bytes, num);
    return out;
  }

  // True when nothing is left, the account's own row included.
  bool erase_some(const account_id& account, std::int64_t rows_max) {
    std::int64_t num = 0;
    {
      sql::cursor row = account_.query(account);
      if (!row.next()) return true;
      num = row.integer(0);
    }
    const std::int64_t freed = first_bytes(num, rows_max);
    const std::int64_t before = on_->changes();
    erase_chunks_.run(num, rows_max);
    if (on_->changes() - before < rows_max) {
      erase_account_.run(num);
      return true;
    }
    add_used_.run(-freed, num);
    return false;
  }

  std::int64_t first_bytes(std::int64_t account, std::int64_t rows_max) {
    sql::cursor row = first_bytes_.query(account, rows_max);
    return row.next() ? row.integer(0) : 0;
  }

  std::int64_t number_of(const account_id& account) {
    {
      sql::cursor row = account_.query(account);
      if (row.next()) return row.integer(0);
    }
    insert_account_.run(account);
    return on_->last_row();
  }

  bool has(std::int64_t account, const chunk_sid& sid) {
    sql::cursor row = has_.query(account, sid);
    return row.next();
  }

  // As in the catalog: only a full volume leaves nothing behind for certain.
  error give_up() {
    on_->roll_back();
    error failure = on_->take_failure();
    if (failure.code != errc::no_space) broken_ = failure;
    return failure;
  }

  std::unique_ptr<sql::connection> on_;
  sql::statement begin_{*on_, "BEGIN IMMEDIATE"};
  sql::statement commit_{*on_, "COMMIT"};
  sql::statement account_{*on_, "SELECT num FROM account WHERE id = ?"};
  sql::statement insert_account_{*on_, "INSERT INTO account (id) VALUES (?)"};
  sql::statement has_{*on_, "SELECT 1 FROM chunk WHERE account = ? AND sid = ?"};
  sql::statement insert_chunk_{*on_, "INSERT INTO chunk (account, sid, stored_ms, body) VALUES (?, ?, ?, ?)"};
  sql::statement add_used_{*on_, "UPDATE account SET used_bytes = used_bytes + ? WHERE num = ?"};
  // Both take the same rows: the first ones by sid.
  sql::statement first_bytes_{*on_,
                              "SELECT coalesce(sum(size), 0) FROM (SELECT length(body) AS size FROM chunk "
                              "WHERE account = ? ORDER BY sid LIMIT ?)"};
  sql::statement erase_chunks_{*on_,
                               "DELETE FROM chunk WHERE num IN (SELECT num FROM chunk WHERE account = ? "
                               "ORDER BY sid LIMIT ?)"};
  sql::statement renew_{*on_,
                        "UPDATE chunk SET stored_ms = ?1 WHERE account = (SELECT num FROM account "
                        "WHERE id = ?2) AND sid = ?3 AND stored_ms < ?4"};
  sql::statement old_{*on_, "SELECT length(body) FROM chunk WHERE account = ? AND sid = ? AND stored_ms < ?"};
  sql::statement remove_{*on_, "DELETE FROM chunk WHERE account = ? AND sid = ?"};
  sql::statement erase_account_{*on_, "DELETE FROM account WHERE num = ?"};
  std::uint64_t flushes_ = 0;
  std::optional<error> broken_;
};

class sqlite_small_reader final : public small_reader {
 public:
  explicit sqlite_small_reader(std::unique_ptr<sql::connection> on) : on_(std::move(on)) {}

  result<bool> has(const account_id& account, const chunk_sid& sid) override {
    return read<bool>([&] {
      sql::cursor row = has_.query(account, sid);
      return row.next();
    });
  }

  result<std::optional<std::int64_t>> size_of(const account_id& account, const chunk_sid& sid) override {
    return read<std::optional<std::int64_t>>([&]() -> std::optional<std::int64_t> {
      sql::cursor row = size_.query(account, sid);
      if (!row.next()) return std::nullopt;
      return row.integer(0);
    });
  }

  result<std::optional<bytes>> get(const account_id& account, const chunk_sid& sid) override {
    return read<std::optional<bytes>>([&]() -> std::optional<bytes> {
      sql::cursor row = body_.query(account, sid);
      if (!row.next()) return std::nullopt;
      const byte_view body = row.blob(0);
      return bytes(body.begin(), body.end());
    });
  }

  result<std::vector<chunk_sid>> names(const account_id& account, const std::optional<chunk_sid>& after,
                                       std::int64_t limit) override {
    return read<std::vector<chunk_sid>>([&] {
      std::vector<chunk_sid> out;
      const chunk_sid from = after.value_or(chunk_sid{});
      sql::cursor row = names_.query(account, from, limit);
      while (row.next()) out.push_back(row.id<chunk_sid>(0));
      return out;
    });
  }

  result<std::vector<std::pair<account_id, std::int64_t>>> usage() override {
    return read<std::vector<std::pair<account_id, std::int64_t>>>([&] {
      std::vector<std::pair<account_id, std::int64_t>> out;
      sql::cursor row = usage_.query();
      while (row.next()) out.emplace_back(row.id<account_id>(0), row.integer(1));
      return out;
    });
  }

 private:
  // Each question is one statement, hence one snapshot.
  template <class Value, class Ask>
  result<Value> read(Ask ask) {
    Value out = ask();
    if (on_->failed()) return on_->take_failure();
    return out;
  }

  std::unique_ptr<sql::connection> on_;
  sql::statement has_{
      *on_, "SELECT 1 FROM chunk WHERE account = (SELECT num FROM account WHERE id = ?) AND sid = ?"};
  sql::statement size_{
      *on_,
      "SELECT length(body) FROM chunk WHERE account = (SELECT num FROM account WHERE id = ?) "
      "AND sid = ?"};
  sql::statement body_{*on_,
                       "SELECT body FROM chunk WHERE account = (SELECT num FROM account WHERE id = ?) "
                       "AND sid = ?"};
  sql::statement names_{*on_,
                        "SELECT sid FROM chunk WHERE account = (SELECT num FROM account WHERE id = ?) "
                        "AND sid > ? ORDER BY sid LIMIT ?"};
  sql::statement usage_{*on_, "SELECT id, used_bytes FROM account ORDER BY id"};
};

}  // namespace

result<std::unique_ptr<small_writer>> open_small_writer(const small_options& options) {
  auto on =
      open_for_writing({options.folder, small_file_name, options.cache_bytes, options.files}, small_schema);
  if (!on.ok()) return on.error();
  return std::unique_ptr<small_writer>(std::make_unique<sqlite_small_writer>(std::move(*on)));
}

result<std::unique_ptr<small_reader>> open_small_reader(const small_options& options) {
  auto on =
      open_for_reading({options.folder, small_file_name, options.cache_bytes, options.files}, small_schema);
  if (!on.ok()) return on.error();
  return std::unique_ptr<small_reader>(std::make_unique<sqlite_small_reader>(std::move(*on)));
}

}  // namespace obsync::store
