// Rows of the catalog as structs: the column lists and their readers, shared by the writer and the readers so
// that both see a row the same way. Internal to store/.
#pragma once

#include <string>

#include "store/catalog.hpp"
#include "store/sqlite.hpp"

namespace obsync::store::rows {

// Each text is followed by the caller's FROM and WHERE; the reader takes columns from 0 in that order.

inline constexpr const char* account_columns =
    "id, name, created_ms, quota_bytes, recovery_verifier, recovery_ms, recovery_armed, head, disabled_ms, "
    "delete_after_ms, EXISTS (SELECT 1 FROM invitation WHERE invitation.account = account.num), "
    "(SELECT count(*) FROM device WHERE device.account = account.num AND device.state <> 2)";
account_row read_account(const sql::cursor& row);

// Over `device JOIN account ON account.num = device.account`.
inline constexpr const char* device_columns =
    "account.id, device.wrapped_secret, device.horizon_s, device.id, device.name, device.platform, "
    "device.app_version, device.created_ms, device.last_seen_ms, device.last_sign_in_ms, "
    "device.last_edit_ms, "
    "device.last_heartbeat_ms, device.address, device.country, device.per_file_max_bytes, "
    "device.total_budget_bytes, device.state, device.archived, device.role";
device_row read_device(sql::connection& on, const sql::cursor& row);

// Over `invitation LEFT JOIN account ON account.num = invitation.account`.
inline constexpr const char* invitation_columns =
    "invitation.token_hash, invitation.name, invitation.quota_bytes, invitation.created_ms, "
    "invitation.expires_ms, account.id";
invitation_row read_invitation(const sql::cursor& row);

inline constexpr const char* audit_columns = "num, ts_ms, event, account_id, operator_uid, device_id, detail";
audit_row read_audit(const sql::cursor& row);

// Over `version LEFT JOIN device ON device.num = version.device`.
inline constexpr const char* version_columns =
    "version.id, version.parents, version.sids, version.bytes, version.manifest_ct, version.manifest_nonce, "
    "device.id, version.ts_ms, version.deleted";
inline constexpr int version_column_count = 9;
wire::version_record read_version(sql::connection& on, const sql::cursor& row);

// Fails the connection as corrupt when the length is no multiple of an id.
std::vector<version_id> read_version_ids(sql::connection& on, const sql::cursor& row, int column);

std::int64_t number_of(wire::device_state state);

}  // namespace obsync::store::rows
