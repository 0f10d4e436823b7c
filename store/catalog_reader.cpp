// The readers: every call looks at one snapshot.
#include <algorithm>
#include <utility>

#include "store/catalog.hpp"
#include "store/catalog_rows.hpp"
#include "store/catalog_schema.hpp"
#include "store/database.hpp"
#include "wire/limits.hpp"

namespace obsync::store {

namespace {

// What a version is worth in JSON: 67 characters an id with quotes and comma, base64 four for three, and the
// fixed members with room to spare.
std::uint64_t json_bytes(const wire::version_record& version) {
  return 512 + 67 * (version.parents.size() + version.sids.size()) + (version.manifest_ct.size() + 2) / 3 * 4;
}

std::uint64_t json_bytes(const wire::change& change) {
  return 128 + json_bytes(change.version) + 67 * change.heads.size();
}

class sqlite_catalog_reader final : public catalog_reader {
 public:
  explicit sqlite_catalog_reader(std::unique_ptr<sql::connection> on) : on_(std::move(on)) {}

  result<std::vector<account_row>> accounts() override {
    return single<std::vector<account_row>>([this] {
      std::vector<account_row> out;
      sql::cursor row = accounts_.query();
      while (row.next()) out.push_back(rows::read_account(row));
      return out;
    });
  }

  result<epoch_id> epoch() override {
    return single<epoch_id>([this] {
      sql::cursor row = epoch_.query();
      return row.next() ? row.id<epoch_id>(0) : epoch_id{};
    });
  }

  result<std::vector<quarantine_row>> quarantined(std::int64_t limit) override {
    return single<std::vector<quarantine_row>>([&] {
      std::vector<quarantine_row> out;
      sql::cursor row = quarantined_.query(limit);
      while (row.next())
        out.push_back({row.id<account_id>(0), row.id<chunk_sid>(1), row.integer(2), row.text(3)});
      return out;
    });
  }

  result<std::vector<device_row>> devices() override {
    return single<std::vector<device_row>>([this] {
      std::vector<device_row> out;
      sql::cursor row = devices_.query();
      while (row.next()) out.push_back(rows::read_device(*on_, row));
      return out;
    });
  }

  result<std::optional<account_row>> account(const account_id& account) override {
    return single<std::optional<account_row>>([&]() -> std::optional<account_row> {
      sql::cursor row = account_.query(account);
      if (!row.next()) return std::nullopt;
      return rows::read_account(row);
    });
  }

  result<std::vector<invitation_row>> invitations() override {
    return single<std::vector<invitation_row>>([this] {
      std::vector<invitation_row> out;
      sql::cursor row = invitations_.query();
      while (row.next()) out.push_back(rows::read_invitation(row));
      return out;
    });
  }

  result<std::vector<audit_row>> audit(const std::optional<account_id>& account,
                                       std::int64_t limit) override {
    return single<std::vector<audit_row>>([&] {
      std::vector<audit_row> out;
      sql::cursor row = account ? audit_of_.query(*account, limit) : audit_.query(limit);
      while (row.next()) out.push_back(rows::read_audit(row));
      return out;
    });
  }

  result<std::vector<wire::device_info>> devices_of(const account_id& account) override {
    return single<std::vector<wire::device_info>>([&] {
      std::vector<wire::device_info> out;
      sql::cursor row = devices_of_.query(account);
      while (row.next()) out.push_back(rows::read_device(*on_, row).info);
      return out;
    });
  }

  result<wire::file_page> files(const account_id& account, const std::optional<file_id>& after,
                                std::int64_t limit) override {
    return snapshot<wire::file_page>([&] { return read_files(account, after, limit); });
  }

  result<std::optional<wire::file_record>> file(const account_id& account, const file_id& file,
                                                std::int64_t versions_max, std::uint64_t bytes_max) override {
    return snapshot<std::optional<wire::file_record>>(
        [&] { return read_file(account, file, versions_max, bytes_max); });
  }

  result<wire::outcome<wire::version_record>> version(const account_id& account, const file_id& file,
                                                      const version_id& version) override {
    return snapshot<wire::outcome<wire::version_record>>(
        [&]() -> wire::outcome<wire::version_record> { return read_version(account, file, version); });
  }

  result<wire::change_page> changes(const account_id& account, sequence since, std::int64_t limit,
                                    std::uint64_t bytes_max) override {
    return snapshot<wire::change_page>([&] { return read_changes(account, since, limit, bytes_max); });
  }

  result<account_activity> activity(const account_id& account, sequence recent_sequences) override {
    return snapshot<account_activity>([&] { return read_activity(account, recent_sequences); });
  }

 private:
  // One statement is a snapshot of its own.
  template <class Value, class Read>
  result<Value> single(Read read) {
    Value out = read();
    if (!on_->failed()) return out;
    return on_->take_failure();
  }

  template <class Value, class Read>
  result<Value> snapshot(Read read) {
    begin_.run();
    Value out = read();
    commit_.run();
    if (!on_->failed()) return out;
    on_->roll_back();
    return on_->take_failure();
  }

  wire::file_page read_files(const account_id& account, const std::optional<file_id>& after,
                             std::int64_t limit);
  std::optional<wire::file_record> read_file(const account_id& account, const file_id& file,
                                             std::int64_t versions_max, std::uint64_t bytes_max);
  std::vector<std::int64_t> pick_versions(std::int64_t file, const std::vector<version_id>& heads,
                                          std::int64_t versions_max);
  wire::outcome<wire::version_record> read_version(const account_id& account, const file_id& file,
                                                   const version_id& version);
  wire::change_page read_changes(const account_id& account, sequence since, std::int64_t limit,
                                 std::uint64_t bytes_max);
  account_activity read_activity(const account_id& account, sequence recent_sequences);

  std::unique_ptr<sql::connection> on_;
  sql::statement begin_{*on_, "BEGIN"};
  sql::statement commit_{*on_, "COMMIT"};
  sql::statement accounts_{*on_,
                           std::string("SELECT ") + rows::account_columns + " FROM account ORDER BY id"};
  sql::statement account_{*on_,
                          std::string("SELECT ") + rows::account_columns + " FROM account WHERE id = ?"};
  sql::statement invitations_{*on_, std::string("SELECT ") + rows::invitation_columns +
                                        " FROM invitation LEFT JOIN account "
                                        "ON account.num = invitation.account ORDER BY invitation.num"};
  sql::statement audit_{
      *on_, std::string("SELECT ") + rows::audit_columns + " FROM audit ORDER BY num DESC LIMIT ?"};
  sql::statement audit_of_{*on_, std::string("SELECT ") + rows::audit_columns +
                                     " FROM audit WHERE account_id = ? ORDER BY num DESC LIMIT ?"};
  sql::statement epoch_{*on_, "SELECT id FROM epoch"};
  sql::statement quarantined_{
      *on_, "SELECT account_id, sid, ts_ms, reason FROM quarantine ORDER BY num DESC LIMIT ?"};
  sql::statement account_num_{*on_, "SELECT num, head FROM account WHERE id = ?"};
  sql::statement devices_{*on_, std::string("SELECT ") + rows::device_columns +
                                    " FROM device JOIN account ON account.num = device.account "
                                    "ORDER BY device.id"};
  sql::statement devices_of_{*on_, std::string("SELECT ") + rows::device_columns +
                                       " FROM device JOIN account ON account.num = device.account "
                                       "WHERE account.id = ? ORDER BY device.id"};
  sql::statement files_{*on_,
                        "SELECT file.id, domain, heads, latest_ms FROM file JOIN account ON "
                        "account.num = file.account WHERE account.id = ? AND file.id > ? "
                        "ORDER BY file.id LIMIT ?"};
  sql::statement file_{*on_,
                       "SELECT file.num, domain, heads FROM file JOIN account ON account.num = file.account "
                       "WHERE account.id = ? AND file.id = ?"};
  // Answered from the index alone.
  sql::statement version_nums_{*on_, "SELECT num, id FROM version WHERE file = ? ORDER BY num DESC"};
  sql::statement version_by_num_{*on_, std::string("SELECT ") + rows::version_columns +
                                           " FROM version LEFT JOIN device ON device.num = version.device "
                                           "WHERE version.num = ?"};
  sql::statement version_by_id_{*on_, std::string("SELECT ") + rows::version_columns +
                                          " FROM version LEFT JOIN device ON device.num = version.device "
                                          "WHERE version.file = ? AND version.id = ?"};
  sql::statement changes_{*on_,
                          std::string("SELECT ") + rows::version_columns +
                              ", version.seq, file.id, file.domain, file.heads FROM version "
                              "JOIN file ON file.num = version.file "
                              "LEFT JOIN device ON device.num = version.device "
                              "WHERE version.account = ? AND version.seq > ? ORDER BY version.seq LIMIT ?"};
  // Both counted in an index alone.
  sql::statement count_versions_{*on_, "SELECT count(*) FROM version WHERE account = ?"};
  sql::statement count_files_{*on_, "SELECT count(*) FROM file WHERE account = ?"};
  sql::statement recent_{*on_, "SELECT ts_ms FROM version WHERE account = ? AND seq > ? ORDER BY seq"};
};

wire::file_page sqlite_catalog_reader::read_files(const account_id& account,
                                                  const std::optional<file_id>& after, std::int64_t limit) {
  wire::file_page page;
  // The empty blob sorts before every id.
  const byte_view from = after ? after->view() : byte_view{};
  sql::cursor row = files_.query(account, from, limit + 1);
  while (row.next()) {
    if (std::ssize(page.files) == limit) {
      page.next = page.files.back().id;
      break;
    }
    page.files.push_back(
        {row.id<file_id>(0), row.id<domain_id>(1), rows::read_version_ids(*on_, row, 2), row.integer(3)});
  }
  return page;
}

std::vector<std::int64_t> sqlite_catalog_reader::pick_versions(std::int64_t file,
                                                               const std::vector<version_id>& heads,
                                                               std::int64_t versions_max) {
  std::vector<std::int64_t> nums;
  sql::cursor row = version_nums_.query(file);
  for (std::int64_t rank = 0; row.next(); ++rank) {
    const bool wanted =
        rank < versions_max || std::find(heads.begin(), heads.end(), row.id<version_id>(1)) != heads.end();
    if (wanted) nums.push_back(row.integer(0));
  }
  return nums;
}

std::optional<wire::file_record> sqlite_catalog_reader::read_file(const account_id& account,
                                                                  const file_id& file,
                                                                  std::int64_t versions_max,
                                                                  std::uint64_t bytes_max) {
  sql::cursor found = file_.query(account, file);
  if (!found.next()) return std::nullopt;
  wire::file_record out{file, found.id<domain_id>(1), rows::read_version_ids(*on_, found, 2), {}};
  std::uint64_t size = 256 + 67 * out.heads.size();
  for (const std::int64_t num : pick_versions(found.integer(0), out.heads, versions_max)) {
    sql::cursor row = version_by_num_.query(num);
    if (!row.next()) break;
    wire::version_record version = rows::read_version(*on_, row);
    size += json_bytes(version);
    if (size > bytes_max && !out.versions.empty()) break;
    out.versions.push_back(std::move(version));
  }
  return out;
}

wire::outcome<wire::version_record> sqlite_catalog_reader::read_version(const account_id& account,
                                                                        const file_id& file,
                                                                        const version_id& version) {
  sql::cursor found = file_.query(account, file);
  if (!found.next()) return wire::failure{wire::refusal::unknown_file, "there is no such file"};
  sql::cursor row = version_by_id_.query(found.integer(0), version);
  if (!row.next()) return wire::failure{wire::refusal::unknown_version, "the file has no such version"};
  return rows::read_version(*on_, row);
}

wire::change_page sqlite_catalog_reader::read_changes(const account_id& account, sequence since,
                                                      std::int64_t limit, std::uint64_t bytes_max) {
  wire::change_page page;
  sql::cursor owner = account_num_.query(account);
  if (!owner.next()) return page;
  page.seq = page.head_seq = owner.integer(1);
  sql::cursor row = changes_.query(owner.integer(0), since, limit + 1);
  std::uint64_t size = 0;
  while (row.next()) {
    const bool full = std::ssize(page.changes) == limit;
    wire::change one;
    if (!full) {
      constexpr int after = rows::version_column_count;
      one = {row.integer(after), row.id<file_id>(after + 1), row.id<domain_id>(after + 2),
             rows::read_version(*on_, row), rows::read_version_ids(*on_, row, after + 3)};
      size += json_bytes(one);
    }
    if (full || (size > bytes_max && !page.changes.empty())) {
      page.seq = page.changes.back().seq;
      break;
    }
    page.changes.push_back(std::move(one));
  }
  return page;
}

account_activity sqlite_catalog_reader::read_activity(const account_id& account, sequence recent_sequences) {
  account_activity out;
  sql::cursor owner = account_num_.query(account);
  if (!owner.next()) return out;
  const std::int64_t num = owner.integer(0);
  if (sql::cursor row = count_versions_.query(num); row.next()) out.versions = row.integer(0);
  if (sql::cursor row = count_files_.query(num); row.next()) out.files = row.integer(0);
  sql::cursor row = recent_.query(num, owner.integer(1) - recent_sequences);
  while (row.next()) out.recent_ms.push_back(row.integer(0));
  return out;
}

}  // namespace

result<std::unique_ptr<catalog_reader>> open_catalog_reader(const catalog_options& options) {
  auto on = open_for_reading({options.folder, catalog_file_name, options.cache_bytes, options.files},
                             catalog_schema);
  if (!on.ok()) return on.error();
  return std::unique_ptr<catalog_reader>(std::make_unique<sqlite_catalog_reader>(std::move(*on)));
}

}  // namespace obsync::store
