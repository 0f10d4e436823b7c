// What the paced jobs change in the catalog, inside the writer's open transaction. Internal to store/.
#pragma once

#include "store/catalog.hpp"
#include "store/sqlite.hpp"

namespace obsync::store {

// As account_operations: decides first, then writes; the database's failures stay on the connection.
class upkeep_operations {
 public:
  explicit upkeep_operations(sql::connection& on) : on_(on) {}
  upkeep_operations(const upkeep_operations&) = delete;
  upkeep_operations& operator=(const upkeep_operations&) = delete;

  commit_outcome run(const prune_file& asked);
  commit_outcome run(const note_pruned& asked);
  commit_outcome run(const set_upkeep& asked);
  commit_outcome run(const note_quarantine& asked);
  commit_outcome run(const give_pages_back& asked);

 private:
  struct file_state {
    std::int64_t account = 0;
    std::int64_t num = 0;
    std::vector<version_id> heads;
  };

  std::optional<file_state> find_file(const account_id& account, const file_id& file);
  bool is_buried(const file_state& file, std::int64_t heard_ms);

  sql::connection& on_;
  sql::statement file_{on_,
                       "SELECT file.account, file.num, file.heads FROM file JOIN account "
                       "ON account.num = file.account WHERE account.id = ? AND file.id = ?"};
  sql::statement head_{on_, "SELECT deleted, ts_ms FROM version WHERE file = ? AND id = ?"};
  sql::statement version_{on_, "SELECT num, file, id, ts_ms FROM version WHERE account = ? AND seq = ?"};
  sql::statement remove_version_{on_, "DELETE FROM version WHERE num = ?"};
  sql::statement any_version_{on_, "SELECT 1 FROM version WHERE file = ? LIMIT 1"};
  sql::statement remove_file_{on_, "DELETE FROM file WHERE num = ?"};
  sql::statement note_{on_,
                       "UPDATE account SET aged_seq = ?, looked_seq = ?, ruled_days = ?, ruled_versions = ? "
                       "WHERE id = ?"};
  sql::statement quarantine_{on_,
                             "INSERT INTO quarantine (account_id, sid, ts_ms, reason) VALUES (?, ?, ?, ?)"};
  sql::statement set_{on_, "INSERT OR REPLACE INTO upkeep (name, value) VALUES (?, ?)"};
};

}  // namespace obsync::store
