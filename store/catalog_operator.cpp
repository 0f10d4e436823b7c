#include "store/catalog_operator.hpp"

namespace obsync::store {

namespace {

using wire::failure;
using wire::refusal;

failure unknown_account() {
  return {refusal::unknown_account, "there is no such account"};
}

commit_outcome done() {
  return committed{std::monostate{}};
}

std::string quota_text(const std::optional<std::int64_t>& bytes) {
  return bytes ? std::to_string(*bytes) : "none";
}

}  // namespace

std::optional<operator_operations::account_state> operator_operations::find_account(const account_id& id) {
  sql::cursor row = account_by_id_.query(id);
  if (!row.next()) return std::nullopt;
  return account_state{row.integer(0), row.maybe_integer(1)};
}

wire::outcome<operator_operations::account_state> operator_operations::find_doomed(const account_id& id,
                                                                                   std::int64_t now_ms) {
  const auto account = find_account(id);
  if (!account) return unknown_account();
  if (!account->delete_after_ms || *account->delete_after_ms > now_ms) {
    return failure{refusal::account_disabled, "the account is not to be erased now"};
  }
  return *account;
}

commit_outcome operator_operations::run(const create_invitation& asked) {
  const invitation_row& made = asked.invitation;
  insert_invitation_.run(made.token_hash, made.name, made.quota_bytes, made.created_ms, made.expires_ms);
  audit_.write(made.created_ms, "account_invited", std::nullopt, asked.by,
               audit_detail("quota_bytes", quota_text(made.quota_bytes)) + " " +
                   audit_detail("expires_ms", std::to_string(made.expires_ms)) + " " +
                   audit_detail("name", made.name));
  return done();
}

commit_outcome operator_operations::run(const rename_account& asked) {
  const auto account = find_account(asked.account);
  if (!account) return unknown_account();
  set_name_.run(asked.name, account->num);
  audit_.write(asked.now_ms, "account_renamed", asked.account, asked.by, audit_detail("name", asked.name));
  return done();
}

commit_outcome operator_operations::run(const set_quota& asked) {
  const auto account = find_account(asked.account);
  if (!account) return unknown_account();
  set_quota_.run(asked.quota_bytes, account->num);
  audit_.write(asked.now_ms, "account_quota", asked.account, asked.by,
               audit_detail("quota_bytes", quota_text(asked.quota_bytes)));
  return done();
}

commit_outcome operator_operations::run(const disable_account& asked) {
  const auto account = find_account(asked.account);
  if (!account) return unknown_account();
  disable_.run(asked.now_ms, account->num);
  audit_.write(asked.now_ms, "account_disabled", asked.account, asked.by);
  return done();
}

commit_outcome operator_operations::run(const enable_account& asked) {
  const auto account = find_account(asked.account);
  if (!account) return unknown_account();
  if (account->delete_after_ms && *account->delete_after_ms <= asked.now_ms) {
    return failure{refusal::account_disabled, "the account's grace is over, its data is being removed"};
  }
  enable_.run(account->num);
  audit_.write(asked.now_ms, "account_enabled", asked.account, asked.by);
  return done();
}

commit_outcome operator_operations::run(const delete_account& asked) {
  const auto account = find_account(asked.account);
  if (!account) return unknown_account();
  doom_.run(asked.now_ms, asked.delete_after_ms, account->num);
  audit_.write(asked.now_ms, "account_deleted", asked.account, asked.by,
               audit_detail("delete_after_ms",
                            std::to_string(account->delete_after_ms.value_or(asked.delete_after_ms))));
  return done();
}

commit_outcome operator_operations::run(const set_device_role& asked) {
  const auto account = find_account(asked.account);
  if (!account) return unknown_account();
  {
    sql::cursor row = has_device_.query(asked.device, account->num);
    if (!row.next()) return failure{refusal::unknown_device, "there is no such device"};
  }
  set_role_.run(asked.read_only, asked.device, account->num);
  audit_.write(
      asked.now_ms, "device_role", asked.account, asked.by,
      audit_detail("device", asked.device.hex()) + " " + audit_detail("role", asked.read_only ? "ro" : "rw"));
  return done();
}

commit_outcome operator_operations::run(const erase_rows& asked) {
  const auto account = find_doomed(asked.account, asked.now_ms);
  if (!account.ok()) return account.error();
  // Versions before the files they refer to; a step that found one kind empty has room for the next.
  const std::int64_t before = on_.changes();
  erase_versions_.run(account->num, asked.rows_max);
  if (on_.changes() == before) erase_files_.run(account->num, asked.rows_max);
  const bool finished = on_.changes() == before;
  if (finished) erase_devices_.run(account->num);
  on_.run("PRAGMA incremental_vacuum");
  return committed{erasure_step{finished}};
}

commit_outcome operator_operations::run(const forget_account& asked) {
  const auto account = find_doomed(asked.account, asked.now_ms);
  if (!account.ok()) return account.error();
  audit_.write(asked.now_ms, "account_erased", asked.account, {});
  erase_invitation_.run(account->num);
  erase_account_.run(account->num);
  return done();
}

}  // namespace obsync::store
