// The audit table's pen: one row for each act, in the transaction of the act itself. Internal to store/.
#pragma once

#include <string>
#include <string_view>

#include "store/catalog.hpp"
#include "store/sqlite.hpp"

namespace obsync::store {

class audit_pen {
 public:
  explicit audit_pen(sql::connection& on) : on_(on) {}
  audit_pen(const audit_pen&) = delete;
  audit_pen& operator=(const audit_pen&) = delete;

  // `account` may be absent, for an act that concerns none yet. `detail`: see audit_row.
  void write(std::int64_t ts_ms, std::string_view event, const std::optional<account_id>& account,
             const author& by, const std::string& detail = {}) {
    insert_.run(account, ts_ms, by.device, event, detail, by.operator_uid);
  }

 private:
  sql::connection& on_;
  // The numbers are for those who look while both rows still exist; the ids stay.
  sql::statement insert_{on_,
                         "INSERT INTO audit (account, ts_ms, device, event, detail, account_id, device_id, "
                         "operator_uid) VALUES (coalesce((SELECT num FROM account WHERE id = ?1), 0), ?2, "
                         "(SELECT num FROM device WHERE id = ?3), ?4, ?5, ?1, ?3, ?6)"};
};

// `name=value`, for audit_row::detail. Values are our own words, ids, or texts of printable ASCII.
inline std::string audit_detail(std::string_view name, std::string_view value) {
  return std::string(name) + "=" + std::string(value);
}

}  // namespace obsync::store
