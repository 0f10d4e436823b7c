#include "store/catalog_accounts.hpp"

#include <algorithm>

#include "store/catalog_rows.hpp"
#include "wire/account.hpp"
#include "wire/limits.hpp"

namespace obsync::store {

namespace {

using wire::device_state;
using wire::failure;
using wire::refusal;

const std::int64_t pending = rows::number_of(device_state::pending);
const std::int64_t active = rows::number_of(device_state::active);
const std::int64_t revoked = rows::number_of(device_state::revoked);

failure not_set_up() {
  return {refusal::not_set_up, "there is no such account"};
}
// Ids are 16 random bytes: a taken one means a broken source of randomness, and must not fail the neighbours.
failure id_taken() {
  return {refusal::io_error, "the device's id is taken"};
}
failure unknown_device() {
  return {refusal::unknown_device, "there is no such device"};
}

// What a device is called in its account's history.
std::string card_text(const device_row& device) {
  return audit_detail("device", device.info.id.hex()) + " " +
         audit_detail("platform", device.info.card.platform) + " " +
         audit_detail("name", device.info.card.name);
}

commit_outcome done() {
  return committed{std::monostate{}};
}

}  // namespace

std::optional<account_operations::account_state> account_operations::find_account(const account_id& id) {
  sql::cursor row = account_by_id_.query(id);
  if (!row.next()) return std::nullopt;
  account_state out;
  out.num = row.integer(0);
  if (!row.is_null(1)) out.verifier = row.id<digest>(1);
  out.verifier_ms = row.maybe_integer(2);
  out.armed = row.integer(3) != 0;
  out.disabled = !row.is_null(4);
  return out;
}

std::optional<account_operations::device_key> account_operations::find_device(const device_id& id) {
  sql::cursor row = device_by_id_.query(id);
  if (!row.next()) return std::nullopt;
  return device_key{row.integer(0), row.integer(1), row.integer(2), row.id<account_id>(3)};
}

std::optional<account_operations::device_key> account_operations::find_device(const account_id& account,
                                                                              const device_id& id) {
  const auto owner = find_account(account);
  if (!owner) return std::nullopt;
  auto device = find_device(id);
  if (device && device->account != owner->num) return std::nullopt;
  return device;
}

void account_operations::insert_account(const account_row& account) {
  insert_account_.run(account.id, account.name, account.created_ms, account.quota_bytes,
                      account.recovery_verifier, account.recovery_ms, account.recovery_armed, account.head);
}

commit_outcome account_operations::insert_device(std::int64_t account, const device_row& device) {
  const wire::device_info& info = device.info;
  insert_device_.run(account, info.id, device.wrapped_secret, rows::number_of(info.state), info.archived,
                     device.horizon_s, info.card.name, info.card.platform, info.card.app_version,
                     info.created_ms, info.last_seen_ms, info.last_sign_in_ms, info.last_edit_ms,
                     info.last_heartbeat_ms, info.address, info.country, info.policy.per_file_max_bytes,
                     info.policy.total_budget_bytes);
  return done();
}

void account_operations::set_verifier(std::int64_t account, const digest& verifier, std::int64_t now_ms) {
  set_verifier_.run(verifier, now_ms, account);
}

commit_outcome account_operations::run(const create_account& asked) {
  const account_row& account = asked.account;
  if (find_account(account.id)) return failure{refusal::already_set_up, "the account exists already"};
  if (find_device(asked.first_device.info.id)) return id_taken();
  insert_account(account);
  auto enrolled = insert_device(on_.last_row(), asked.first_device);
  audit_.write(account.created_ms, "account_created", account.id, {{}, asked.first_device.info.id},
               card_text(asked.first_device));
  return enrolled;
}

commit_outcome account_operations::run(const redeem_invitation& asked) {
  std::int64_t invitation = 0;
  account_row account = asked.account;
  {
    sql::cursor row = invitation_by_hash_.query(asked.token_hash);
    if (!row.next()) return failure{refusal::bad_setup_token, "there is no such invitation"};
    if (!row.is_null(4)) return failure{refusal::already_set_up, "the invitation was used"};
    if (row.integer(3) <= asked.now_ms) return failure{refusal::bad_setup_token, "the invitation is over"};
    invitation = row.integer(0);
    account.name = row.text(1);
    account.quota_bytes = row.maybe_integer(2);
  }
  const auto made = run(create_account{std::move(account), asked.first_device});
  if (!made.ok()) return made;
  const auto owner = find_account(asked.account.id);
  if (owner) use_invitation_.run(owner->num, invitation);
  return made;
}

commit_outcome account_operations::run(const enrol_device& asked) {
  const auto account = find_account(asked.device.account);
  if (!account) return not_set_up();
  if (account->disabled) return wire::disabled_account();
  const device_row& device = asked.device;
  if (find_device(device.info.id)) return id_taken();
  auto enrolled = insert_device(account->num, device);
  audit_.write(device.info.created_ms, "device_enrolled", device.account, {{}, device.info.id},
               card_text(device));
  return enrolled;
}

commit_outcome account_operations::run(const recover_account& asked) {
  const auto account = find_account(asked.account);
  if (!account) return not_set_up();
  if (account->disabled) return wire::disabled_account();
  if (find_device(asked.device.info.id)) return id_taken();
  if (asked.register_verifier) {
    // Whoever asked saw an armed account; another recovery may have spent the arm meanwhile.
    if (account->verifier && *account->verifier != *asked.register_verifier) {
      return failure{refusal::bad_recovery_proof, "the account has another recovery verifier by now"};
    }
    if (!account->verifier && !account->armed) {
      return failure{refusal::recovery_unavailable, "no recovery is armed for this account"};
    }
    if (!account->verifier) set_verifier(account->num, *asked.register_verifier, asked.now_ms);
  }
  auto enrolled = insert_device(account->num, asked.device);
  audit_.write(asked.now_ms, "account_recovered", asked.account, {{}, asked.device.info.id},
               card_text(asked.device));
  return enrolled;
}

commit_outcome account_operations::run(const activate_device& asked) {
  const auto device = find_device(asked.device);
  if (!device) return unknown_device();
  if (device->state != pending) return failure{refusal::device_not_pending, "the device is not pending"};
  set_state_.run(active, device->num);
  audit_.write(asked.now_ms, "device_activated", device->owner, {{}, asked.device},
               audit_detail("device", asked.device.hex()));
  return done();
}

commit_outcome account_operations::run(const delete_pending_device& asked) {
  const auto device = find_device(asked.device);
  if (!device) return unknown_device();
  if (device->state != pending) return failure{refusal::device_not_pending, "the device is not pending"};
  delete_device_.run(device->num);
  return done();
}

commit_outcome account_operations::run(const delete_all_pending&) {
  delete_pending_.run();
  return done();
}

commit_outcome account_operations::run(const patch_device& asked) {
  const auto device = find_device(asked.account, asked.device);
  if (!device) return unknown_device();
  if (asked.patch.name) set_name_.run(*asked.patch.name, device->num);
  if (asked.patch.policy) {
    set_policy_.run(asked.patch.policy->per_file_max_bytes, asked.patch.policy->total_budget_bytes,
                    device->num);
  }
  sql::cursor row = one_device_.query(device->num);
  if (!row.next()) return unknown_device();
  return committed{rows::read_device(on_, row).info};
}

std::optional<failure> account_operations::refuse_last_device(const account_state& account,
                                                              const device_key& device, std::int64_t now_ms) {
  if (device.state != active) return std::nullopt;
  sql::cursor row = count_active_.query(account.num);
  if (!row.next() || row.integer(0) > 1) return std::nullopt;
  if (!account.verifier) {
    return failure{refusal::last_device,
                   "the last active device cannot go before a recovery key is registered"};
  }
  // A clock set back makes the key look younger than nothing; a key without a date is older than the rule.
  const bool too_new = account.verifier_ms &&
                       std::max<std::int64_t>(0, now_ms - *account.verifier_ms) < wire::recovery_hold_ms;
  if (too_new)
    return failure{refusal::recovery_too_new, "the recovery key was registered less than 7 days ago"};
  return std::nullopt;
}

commit_outcome account_operations::run(const revoke_device& asked) {
  const auto account = find_account(asked.account);
  if (!account) return unknown_device();
  const auto device = find_device(asked.device);
  if (!device || device->account != account->num) return unknown_device();
  if (device->state == revoked) return done();
  if (!asked.force) {
    if (auto refused = refuse_last_device(*account, *device, asked.now_ms)) return *refused;
  }
  set_state_.run(revoked, device->num);
  audit_.write(asked.now_ms, "device_revoked", asked.account, asked.by,
               audit_detail("device", asked.device.hex()));
  return done();
}

commit_outcome account_operations::run(const archive_device& asked) {
  const auto device = find_device(asked.account, asked.device);
  if (!device) return unknown_device();
  if (device->state != revoked)
    return failure{refusal::device_not_revoked, "only a revoked device is archived"};
  set_archived_.run(device->num);
  return done();
}

commit_outcome account_operations::run(const register_recovery& asked) {
  const auto account = find_account(asked.account);
  if (!account) return not_set_up();
  if (account->verifier && *account->verifier != asked.verifier) {
    return failure{refusal::recovery_mismatch, "another recovery key owns this account"};
  }
  if (account->verifier) return done();
  set_verifier(account->num, asked.verifier, asked.now_ms);
  audit_.write(asked.now_ms, "recovery_registered", asked.account, asked.by);
  return done();
}

commit_outcome account_operations::run(const record_heartbeat& asked) {
  const auto device = find_device(asked.device);
  if (!device) return unknown_device();
  set_heartbeat_.run(asked.request.app_version, wire::whole_seconds(asked.now_ms), asked.address,
                     asked.country, device->num);
  if (const auto& policy = asked.request.policy) {
    set_policy_.run(policy->per_file_max_bytes, policy->total_budget_bytes, device->num);
  }
  return done();
}

commit_outcome account_operations::run(const advance_horizon& asked) {
  const auto device = find_device(asked.device);
  if (!device) return unknown_device();
  advance_horizon_.run(asked.horizon_s, device->num);
  if (asked.sign_in_ms)
    set_sign_in_.run(wire::whole_seconds(*asked.sign_in_ms), asked.address, asked.country, device->num);
  return done();
}

commit_outcome account_operations::run(const settle_horizon& asked) {
  const auto device = find_device(asked.device);
  if (!device) return unknown_device();
  set_horizon_.run(asked.horizon_s, device->num);
  return done();
}

}  // namespace obsync::store
