#include "store/catalog_rows.hpp"

#include "store/id_list.hpp"

namespace obsync::store::rows {

namespace {

template <class Id>
std::vector<Id> read_ids(sql::connection& on, byte_view joined) {
  if (auto ids = split_ids<Id>(joined)) return std::move(*ids);
  on.fail({errc::corrupt, "a list of ids in the catalog has a broken length"});
  return {};
}

wire::device_state read_state(sql::connection& on, std::int64_t number) {
  switch (number) {
    case 0:
      return wire::device_state::pending;
    case 1:
      return wire::device_state::active;
    case 2:
      return wire::device_state::revoked;
    default:
      on.fail({errc::corrupt, "a device in the catalog has an unknown state"});
  }
  return wire::device_state::revoked;
}

}  // namespace

account_row read_account(const sql::cursor& row) {
  account_row out;
  out.id = row.id<account_id>(0);
  out.name = row.text(1);
  out.created_ms = row.integer(2);
  out.quota_bytes = row.maybe_integer(3);
  if (!row.is_null(4)) out.recovery_verifier = row.id<digest>(4);
  out.recovery_ms = row.maybe_integer(5);
  out.recovery_armed = row.integer(6) != 0;
  out.head = row.integer(7);
  out.disabled_ms = row.maybe_integer(8);
  out.delete_after_ms = row.maybe_integer(9);
  out.invited = row.integer(10) != 0;
  out.device_count = row.integer(11);
  return out;
}

device_row read_device(sql::connection& on, const sql::cursor& row) {
  device_row out;
  out.account = row.id<account_id>(0);
  out.wrapped_secret = row.id<digest>(1);
  out.horizon_s = row.integer(2);
  out.info.id = row.id<device_id>(3);
  out.info.card = {row.text(4), row.text(5), row.text(6)};
  out.info.created_ms = row.integer(7);
  out.info.last_seen_ms = row.maybe_integer(8);
  out.info.last_sign_in_ms = row.maybe_integer(9);
  out.info.last_edit_ms = row.maybe_integer(10);
  out.info.last_heartbeat_ms = row.maybe_integer(11);
  out.info.address = row.maybe_text(12);
  out.info.country = row.maybe_text(13);
  out.info.policy = {row.integer(14), row.integer(15)};
  out.info.state = read_state(on, row.integer(16));
  out.info.archived = row.integer(17) != 0;
  out.read_only = row.integer(18) != 0;
  return out;
}

invitation_row read_invitation(const sql::cursor& row) {
  invitation_row out;
  out.token_hash = row.id<digest>(0);
  out.name = row.text(1);
  out.quota_bytes = row.maybe_integer(2);
  out.created_ms = row.integer(3);
  out.expires_ms = row.integer(4);
  if (!row.is_null(5)) out.account = row.id<account_id>(5);
  return out;
}

audit_row read_audit(const sql::cursor& row) {
  audit_row out;
  out.num = row.integer(0);
  out.ts_ms = row.integer(1);
  out.event = row.text(2);
  if (!row.is_null(3)) out.account = row.id<account_id>(3);
  out.by.operator_uid = row.maybe_integer(4);
  if (!row.is_null(5)) out.by.device = row.id<device_id>(5);
  out.detail = row.text(6);
  return out;
}

wire::version_record read_version(sql::connection& on, const sql::cursor& row) {
  wire::version_record out;
  out.id = row.id<version_id>(0);
  out.parents = read_ids<version_id>(on, row.blob(1));
  out.sids = read_ids<chunk_sid>(on, row.blob(2));
  out.bytes = row.integer(3);
  const byte_view manifest = row.blob(4);
  out.manifest_ct.assign(manifest.begin(), manifest.end());
  out.manifest_nonce = row.id<seal_nonce>(5);
  out.device = row.id<device_id>(6);
  out.ts_ms = row.integer(7);
  out.deleted = row.integer(8) != 0;
  return out;
}

std::vector<version_id> read_version_ids(sql::connection& on, const sql::cursor& row, int column) {
  return read_ids<version_id>(on, row.blob(column));
}

std::int64_t number_of(wire::device_state state) {
  switch (state) {
    case wire::device_state::pending:
      return 0;
    case wire::device_state::active:
      return 1;
    case wire::device_state::revoked:
      return 2;
  }
  return 2;
}

}  // namespace obsync::store::rows
