// The operator's acts, and the removal of a deleted account, inside the writer's open transaction. Internal
// to store/.
#pragma once

#include "store/catalog.hpp"
#include "store/catalog_audit.hpp"
#include "store/sqlite.hpp"

namespace obsync::store {

// As account_operations: decides first, then writes; the database's failures stay on the connection.
class operator_operations {
 public:
  operator_operations(sql::connection& on, audit_pen& audit) : on_(on), audit_(audit) {}
  operator_operations(const operator_operations&) = delete;
  operator_operations& operator=(const operator_operations&) = delete;

  commit_outcome run(const create_invitation& asked);
  commit_outcome run(const rename_account& asked);
  commit_outcome run(const set_quota& asked);
  commit_outcome run(const disable_account& asked);
  commit_outcome run(const enable_account& asked);
  commit_outcome run(const delete_account& asked);
  commit_outcome run(const set_device_role& asked);
  commit_outcome run(const erase_rows& asked);
  commit_outcome run(const forget_account& asked);

 private:
  struct account_state {
    std::int64_t num = 0;
    std::optional<std::int64_t> delete_after_ms = {};
  };

  std::optional<account_state> find_account(const account_id& id);
  // The account, if its grace is over.
  wire::outcome<account_state> find_doomed(const account_id& id, std::int64_t now_ms);

  sql::connection& on_;
  audit_pen& audit_;
  sql::statement account_by_id_{on_, "SELECT num, delete_after_ms FROM account WHERE id = ?"};
  sql::statement insert_invitation_{on_,
                                    "INSERT INTO invitation (token_hash, name, quota_bytes, created_ms, "
                                    "expires_ms) VALUES (?, ?, ?, ?, ?)"};
  sql::statement set_name_{on_, "UPDATE account SET name = ? WHERE num = ?"};
  sql::statement set_quota_{on_, "UPDATE account SET quota_bytes = ? WHERE num = ?"};
  sql::statement disable_{on_, "UPDATE account SET disabled_ms = coalesce(disabled_ms, ?) WHERE num = ?"};
  sql::statement enable_{on_, "UPDATE account SET disabled_ms = NULL, delete_after_ms = NULL WHERE num = ?"};
  sql::statement doom_{on_,
                       "UPDATE account SET disabled_ms = coalesce(disabled_ms, ?), "
                       "delete_after_ms = coalesce(delete_after_ms, ?) WHERE num = ?"};
  sql::statement set_role_{on_, "UPDATE device SET role = ? WHERE id = ? AND account = ?"};
  sql::statement has_device_{on_, "SELECT 1 FROM device WHERE id = ? AND account = ?"};
  sql::statement erase_versions_{on_,
                                 "DELETE FROM version WHERE num IN "
                                 "(SELECT num FROM version WHERE account = ? LIMIT ?)"};
  sql::statement erase_files_{
      on_, "DELETE FROM file WHERE num IN (SELECT num FROM file WHERE account = ? LIMIT ?)"};
  sql::statement erase_devices_{on_, "DELETE FROM device WHERE account = ?"};
  sql::statement erase_invitation_{on_, "DELETE FROM invitation WHERE account = ?"};
  sql::statement erase_account_{on_, "DELETE FROM account WHERE num = ?"};
};

}  // namespace obsync::store
