// Posting a version inside the writer's open transaction. Internal to store/.
#pragma once

#include "store/catalog.hpp"
#include "store/sqlite.hpp"

namespace obsync::store {

// As account_operations: decides first, then writes; the database's failures stay on the connection.
class post_operations {
 public:
  post_operations(sql::connection& on, chunk_presence& presence) : on_(on), presence_(presence) {}
  post_operations(const post_operations&) = delete;
  post_operations& operator=(const post_operations&) = delete;

  commit_outcome run(const post_version& asked);

 private:
  struct poster {
    std::int64_t account = 0;
    std::int64_t device = 0;
    sequence head = 0;
  };
  struct file_state {
    std::int64_t num = 0;
    domain_id domain;
    std::vector<version_id> heads;
  };

  wire::outcome<poster> admit(const post_version& asked);
  std::optional<file_state> find_file(std::int64_t account, const file_id& file);
  std::optional<wire::version_answer> find_stored(const file_state& file, const wire::version_post& post);
  std::optional<wire::version_answer> find_twin(const file_state& file, const wire::version_post& post);
  std::optional<wire::failure> refuse_missing(const account_id& account, const std::vector<chunk_sid>& sids);
  sequence write(const poster& by, const std::optional<file_state>& file,
                 const std::vector<version_id>& heads, const post_version& asked);

  sql::connection& on_;
  chunk_presence& presence_;
  sql::statement account_by_id_{on_, "SELECT num, head, disabled_ms FROM account WHERE id = ?"};
  sql::statement device_by_id_{on_, "SELECT num, state, role FROM device WHERE id = ? AND account = ?"};
  sql::statement advance_horizon_{on_, "UPDATE device SET horizon_s = ?1 WHERE num = ?2 AND horizon_s < ?1"};
  sql::statement file_by_id_{on_, "SELECT num, domain, heads FROM file WHERE account = ? AND id = ?"};
  sql::statement version_by_id_{on_, "SELECT seq FROM version WHERE file = ? AND id = ?"};
  sql::statement twins_{on_,
                        "SELECT seq, id, parents, sids, deleted FROM version WHERE file = ? AND twin = ? "
                        "ORDER BY num"};
  sql::statement insert_file_{on_,
                              "INSERT INTO file (account, id, domain, latest_ms, heads) "
                              "VALUES (?, ?, ?, ?, ?)"};
  sql::statement update_file_{on_, "UPDATE file SET latest_ms = ?, heads = ? WHERE num = ?"};
  sql::statement insert_version_{on_,
                                 "INSERT INTO version (account, seq, file, id, twin, device, ts_ms, bytes, "
                                 "deleted, manifest_nonce, parents, manifest_ct, sids) "
                                 "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"};
  sql::statement set_head_{on_, "UPDATE account SET head = ? WHERE num = ?"};
  sql::statement set_edit_{on_, "UPDATE device SET last_edit_ms = ?1, last_seen_ms = ?1 WHERE num = ?2"};
};

}  // namespace obsync::store
