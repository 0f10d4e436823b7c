#include "store/export_reader.hpp"

#include <algorithm>

#include "store/catalog_rows.hpp"
#include "store/catalog_schema.hpp"
#include "store/database.hpp"

namespace obsync::store {

namespace {

class sqlite_export_reader final : public export_reader {
 public:
  explicit sqlite_export_reader(std::unique_ptr<sql::connection> on) : on_(std::move(on)) {}
  ~sqlite_export_reader() override { on_->roll_back(); }

  // A snapshot begins with the first look, not with the word for it.
  status begin() {
    on_->run("BEGIN");
    on_->number("SELECT count(*) FROM epoch");
    return outcome();
  }

  result<std::optional<sequence>> head(const account_id& account) override {
    std::optional<sequence> out;
    {
      sql::cursor row = account_.query(account);
      if (row.next()) out = row.integer(1);
    }
    if (const status done = outcome(); !done) return done.error();
    return out;
  }

  status visit(const account_id& account, const std::optional<domain_id>& domain, bool history,
               wire::archive_visitor& visitor) override {
    std::int64_t num = 0;
    {
      sql::cursor row = account_.query(account);
      if (row.next()) num = row.integer(0);
    }
    sql::cursor row = files_.query(num);
    while (row.next()) {
      const wire::archived_file file{row.id<file_id>(1), row.id<domain_id>(2),
                                     rows::read_version_ids(*on_, row, 3)};
      if (on_->failed()) break;
      if (domain && file.domain != *domain) continue;
      if (const status done = visit_file(row.integer(0), file, history, visitor); !done) return done;
    }
    return outcome();
  }

 private:
  status outcome() { return on_->failed() ? status{on_->take_failure()} : status{}; }

  status visit_file(std::int64_t num, const wire::archived_file& file, bool history,
                    wire::archive_visitor& visitor) {
    if (const status done = visitor.begin_file(file); !done) return done;
    // The ids come from an index alone, so that the versions left out are not read.
    sql::cursor id = version_nums_.query(num);
    while (id.next()) {
      const auto version = id.id<version_id>(1);
      if (!history && std::find(file.heads.begin(), file.heads.end(), version) == file.heads.end()) continue;
      sql::cursor row = version_.query(id.integer(0));
      if (!row.next()) break;
      const wire::version_record record = rows::read_version(*on_, row);
      if (on_->failed()) break;
      if (const status done = visitor.version(record); !done) return done;
    }
    if (const status done = outcome(); !done) return done;
    return visitor.end_file();
  }

  std::unique_ptr<sql::connection> on_;
  sql::statement account_{*on_, "SELECT num, head FROM account WHERE id = ?"};
  sql::statement files_{*on_, "SELECT num, id, domain, heads FROM file WHERE account = ? ORDER BY id"};
  sql::statement version_nums_{*on_, "SELECT num, id FROM version WHERE file = ? ORDER BY num DESC"};
  sql::statement version_{*on_, std::string("SELECT ") + rows::version_columns +
                                    " FROM version LEFT JOIN device ON device.num = version.device "
                                    "WHERE version.num = ?"};
};

}  // namespace

result<std::unique_ptr<export_reader>> open_export_reader(const catalog_options& options) {
  auto on = open_for_reading({options.folder, catalog_file_name, options.cache_bytes, options.files},
                             catalog_schema);
  if (!on.ok()) return on.error();
  auto out = std::make_unique<sqlite_export_reader>(std::move(*on));
  if (const status begun = out->begin(); !begun) return begun.error();
  return std::unique_ptr<export_reader>(std::move(out));
}

}  // namespace obsync::store
