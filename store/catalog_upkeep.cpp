#include "store/catalog_upkeep.hpp"

#include <algorithm>

#include "store/catalog_rows.hpp"
#include "store/free_pages.hpp"

namespace obsync::store {

std::optional<upkeep_operations::file_state> upkeep_operations::find_file(const account_id& account,
                                                                          const file_id& file) {
  sql::cursor row = file_.query(account, file);
  if (!row.next()) return std::nullopt;
  return file_state{row.integer(0), row.integer(1), rows::read_version_ids(on_, row, 2)};
}

bool upkeep_operations::is_buried(const file_state& file, std::int64_t heard_ms) {
  if (file.heads.size() != 1) return false;
  sql::cursor row = head_.query(file.num, file.heads.front());
  return row.next() && row.integer(0) != 0 && row.integer(1) < heard_ms;
}

// The verdict was made on an older snapshot: what must not go is looked at again here, where no post can come
// between. That a version is not among the newest stays true whatever arrived since.
commit_outcome upkeep_operations::run(const prune_file& asked) {
  pruned out;
  const auto file = find_file(asked.account, asked.file);
  if (!file) return committed{out};
  const bool whole = asked.whole_file && is_buried(*file, asked.heard_ms);
  for (const sequence seq : asked.versions) {
    std::int64_t num = 0;
    {
      sql::cursor row = version_.query(file->account, seq);
      if (!row.next() || row.integer(1) != file->num || row.integer(3) >= asked.cutoff_ms) continue;
      const auto id = row.id<version_id>(2);
      const bool is_head = std::find(file->heads.begin(), file->heads.end(), id) != file->heads.end();
      if (is_head && !whole) continue;
      num = row.integer(0);
    }
    remove_version_.run(num);
    ++out.versions;
  }
  if (!whole) return committed{out};
  {
    sql::cursor left = any_version_.query(file->num);
    if (left.next()) return committed{out};
  }
  remove_file_.run(file->num);
  return committed{out};
}

commit_outcome upkeep_operations::run(const note_pruned& asked) {
  note_.run(asked.aged, asked.looked, asked.rule.days, asked.rule.versions, asked.account);
  return committed{std::monostate{}};
}

commit_outcome upkeep_operations::run(const set_upkeep& asked) {
  set_.run(asked.name, asked.value);
  return committed{std::monostate{}};
}

commit_outcome upkeep_operations::run(const note_quarantine& asked) {
  quarantine_.run(asked.row.account, asked.row.sid, asked.row.ts_ms, asked.row.reason);
  return committed{std::monostate{}};
}

commit_outcome upkeep_operations::run(const give_pages_back& asked) {
  return committed{pages_given{store::give_pages_back_of(on_, asked.pages_max)}};
}

}  // namespace obsync::store
