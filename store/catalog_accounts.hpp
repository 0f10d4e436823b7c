// The operations on accounts and devices, each run inside the writer's open transaction. Internal to store/.
#pragma once

#include "store/catalog.hpp"
#include "store/catalog_audit.hpp"
#include "store/catalog_rows.hpp"
#include "store/sqlite.hpp"

namespace obsync::store {

// An operation first decides and then writes: what it refuses, it leaves untouched, so no savepoint is
// needed. Failures of the database are left on the connection; what is returned then means nothing.
class account_operations {
 public:
  account_operations(sql::connection& on, audit_pen& audit) : on_(on), audit_(audit) {}
  account_operations(const account_operations&) = delete;
  account_operations& operator=(const account_operations&) = delete;

  commit_outcome run(const create_account& asked);
  commit_outcome run(const redeem_invitation& asked);
  commit_outcome run(const enrol_device& asked);
  commit_outcome run(const recover_account& asked);
  commit_outcome run(const activate_device& asked);
  commit_outcome run(const delete_pending_device& asked);
  commit_outcome run(const delete_all_pending& asked);
  commit_outcome run(const patch_device& asked);
  commit_outcome run(const revoke_device& asked);
  commit_outcome run(const archive_device& asked);
  commit_outcome run(const register_recovery& asked);
  commit_outcome run(const record_heartbeat& asked);
  commit_outcome run(const advance_horizon& asked);
  commit_outcome run(const settle_horizon& asked);

 private:
  struct account_state {
    std::int64_t num = 0;
    std::optional<digest> verifier = {};
    std::optional<std::int64_t> verifier_ms = {};
    bool armed = false;
    bool disabled = false;
  };
  struct device_key {
    std::int64_t num = 0;
    std::int64_t account = 0;
    std::int64_t state = 0;
    account_id owner = {};
  };

  std::optional<account_state> find_account(const account_id& id);
  std::optional<device_key> find_device(const device_id& id);
  std::optional<device_key> find_device(const account_id& account, const device_id& id);
  void insert_account(const account_row& account);
  commit_outcome insert_device(std::int64_t account, const device_row& device);
  void set_verifier(std::int64_t account, const digest& verifier, std::int64_t now_ms);
  void set_state(const device_key& device, wire::device_state state);
  std::optional<wire::failure> refuse_last_device(const account_state& account, const device_key& device,
                                                  std::int64_t now_ms);

  sql::connection& on_;
  audit_pen& audit_;
  sql::statement account_by_id_{on_,
                                "SELECT num, recovery_verifier, recovery_ms, recovery_armed, disabled_ms "
                                "FROM account WHERE id = ?"};
  sql::statement device_by_id_{on_,
                               "SELECT device.num, device.account, device.state, account.id FROM device "
                               "JOIN account ON account.num = device.account WHERE device.id = ?"};
  sql::statement invitation_by_hash_{on_,
                                     "SELECT num, name, quota_bytes, expires_ms, account FROM invitation "
                                     "WHERE token_hash = ?"};
  sql::statement use_invitation_{on_, "UPDATE invitation SET account = ? WHERE num = ?"};
  sql::statement insert_account_{on_,
                                 "INSERT INTO account (id, name, created_ms, quota_bytes, recovery_verifier, "
                                 "recovery_ms, recovery_armed, head) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"};
  sql::statement insert_device_{
      on_,
      "INSERT INTO device (account, id, wrapped_secret, state, archived, horizon_s, name, platform, "
      "app_version, created_ms, last_seen_ms, last_sign_in_ms, last_edit_ms, last_heartbeat_ms, address, "
      "country, per_file_max_bytes, total_budget_bytes) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"};
  sql::statement set_verifier_{on_,
                               "UPDATE account SET recovery_verifier = ?, recovery_ms = ?, "
                               "recovery_armed = 0 WHERE num = ?"};
  sql::statement set_state_{on_, "UPDATE device SET state = ? WHERE num = ?"};
  sql::statement delete_device_{on_, "DELETE FROM device WHERE num = ?"};
  sql::statement delete_pending_{on_, "DELETE FROM device WHERE state = 0"};
  sql::statement count_active_{on_, "SELECT count(*) FROM device WHERE account = ? AND state = 1"};
  sql::statement set_name_{on_, "UPDATE device SET name = ? WHERE num = ?"};
  sql::statement set_policy_{
      on_, "UPDATE device SET per_file_max_bytes = ?, total_budget_bytes = ? WHERE num = ?"};
  sql::statement set_archived_{on_, "UPDATE device SET archived = 1 WHERE num = ? AND archived = 0"};
  sql::statement set_heartbeat_{on_,
                                "UPDATE device SET app_version = ?1, last_heartbeat_ms = ?2, "
                                "last_seen_ms = ?2, address = coalesce(?3, address), "
                                "country = CASE WHEN ?3 IS NULL THEN country ELSE ?4 END WHERE num = ?5"};
  sql::statement set_sign_in_{on_,
                              "UPDATE device SET last_sign_in_ms = ?1, last_seen_ms = ?1, "
                              "address = coalesce(?2, address), "
                              "country = CASE WHEN ?2 IS NULL THEN country ELSE ?3 END WHERE num = ?4"};
  sql::statement advance_horizon_{on_, "UPDATE device SET horizon_s = ?1 WHERE num = ?2 AND horizon_s < ?1"};
  sql::statement set_horizon_{on_, "UPDATE device SET horizon_s = ?1 WHERE num = ?2 AND horizon_s <> ?1"};
  sql::statement one_device_{on_, std::string("SELECT ") + rows::device_columns +
                                      " FROM device JOIN account ON account.num = device.account "
                                      "WHERE device.num = ?"};
};

}  // namespace obsync::store
