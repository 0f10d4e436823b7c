#include "actors/control.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <functional>

#include "actors/census.hpp"
#include "actors/commit_one.hpp"
#include "actors/messages.hpp"
#include "actors/spawn.hpp"
#include "core/log.hpp"
#include "crypto/digest.hpp"

namespace obsync::actors {

namespace {

using wire::control_verb;
using wire::refusal;

void refuse_control(const control_call_ptr& call, const wire::failure& failure) {
  call->answer(wire::to_json(failure));
}

wire::audit_entry audit_entry_of(const store::audit_row& row) {
  return {row.ts_ms, row.event, row.account, row.by.operator_uid, row.by.device, row.detail};
}

struct control_state {
  static inline const char* name = "control";
  using self_ptr = timed<control_state>*;

  control_limits limits;
  control_deps deps;

  void on_call(self_ptr self, const control_call_ptr& call);
  void with_census(self_ptr self, const control_call_ptr& call, std::function<void(const census&)> then);
  void act(self_ptr self, const control_call_ptr& call, const census& all);
  void act_on_account(self_ptr self, const control_call_ptr& call, const census& all,
                      const store::account_row& account);
  void act_on_device(self_ptr self, const control_call_ptr& call, const census& all);
  void invite(self_ptr self, const control_call_ptr& call);
  void show_audit(self_ptr self, const control_call_ptr& call, const std::optional<account_id>& account);
  // Commits, then lets everybody know, then answers with the account or the device as it is now.
  void commit(self_ptr self, const control_call_ptr& call, store::operation operation,
              std::function<void()> then);
  void answer_account(self_ptr self, const control_call_ptr& call, const account_id& account);
  void answer_device(self_ptr self, const control_call_ptr& call, const device_id& device);

  wire::account_entry entry_of(const census& all, const store::account_row& row) const;
  store::author operator_of(const control_call_ptr& call) const { return {call->operator_uid, {}}; }
};

void control_state::on_call(self_ptr self, const control_call_ptr& call) {
  const wire::control_request& wish = call->wish;
  if (wish.verb == control_verb::account_invite) return invite(self, call);
  if (wish.verb == control_verb::gc_run) self->send(deps.collector, collect_now{});
  if (wish.verb == control_verb::gc_run || wish.verb == control_verb::gc_status)
    return call->answer(wire::to_json(deps.board->collection()));
  if (wish.verb == control_verb::scrub_run) self->send(deps.scrubber, scrub_now{});
  if (wish.verb == control_verb::scrub_run || wish.verb == control_verb::scrub_status)
    return call->answer(wire::to_json(deps.board->scrub()));
  with_census(self, call, [this, self, call](const census& all) { act(self, call, all); });
}

void control_state::with_census(self_ptr self, const control_call_ptr& call,
                                std::function<void(const census&)> then) {
  self->request(deps.readers->next(), caf::infinite, census_lookup{})
      .then([then](const census_ptr& found) { then(*found); },
            [call](const caf::error&) {
              refuse_control(call, {refusal::io_error, "the accounts could not be read"});
            });
}

wire::account_entry control_state::entry_of(const census& all, const store::account_row& row) const {
  wire::account_entry out{row.id, row.name, row.created_ms, row.quota_bytes, deps.space->used(row.id)};
  out.device_count = std::count_if(all.devices.begin(), all.devices.end(), [&](const auto& device) {
    return device.account == row.id && device.info.state != wire::device_state::revoked;
  });
  out.delete_after_ms = row.delete_after_ms;
  out.state = row.delete_after_ms ? wire::account_state::deleted
              : row.disabled_ms   ? wire::account_state::disabled
                                  : wire::account_state::active;
  return out;
}

void control_state::act(self_ptr self, const control_call_ptr& call, const census& all) {
  const wire::control_request& wish = call->wish;
  if (wish.verb == control_verb::account_list) {
    wire::account_entries out;
    for (const store::account_row& row : all.accounts) out.accounts.push_back(entry_of(all, row));
    return call->answer(wire::to_json(out));
  }
  if (wish.verb == control_verb::device_revoke || wish.verb == control_verb::device_role)
    return act_on_device(self, call, all);
  if (!wish.account) {
    if (wish.verb == control_verb::audit) return show_audit(self, call, std::nullopt);
    if (wish.verb == control_verb::device_list) return call->answer(wire::to_json(devices_of(all, nullptr)));
    return refuse_control(call, {refusal::bad_request, "an account is to be named"});
  }
  const auto account = named_account(all, *wish.account);
  if (!account) return refuse_control(call, account.error());
  act_on_account(self, call, all, **account);
}

void control_state::act_on_account(self_ptr self, const control_call_ptr& call, const census& all,
                                   const store::account_row& account) {
  const wire::control_request& wish = call->wish;
  const account_id id = account.id;
  const std::int64_t now_ms = deps.time->now_ms();
  const store::author by = operator_of(call);
  const auto answer = [this, self, call, id] { answer_account(self, call, id); };
  const auto shut_out = [this, self, id, answer] {
    self->send(deps.front, account_disabled{id});
    answer();
  };
  switch (wish.verb) {
    case control_verb::device_list:
      return call->answer(wire::to_json(devices_of(all, &account)));
    case control_verb::audit:
      return show_audit(self, call, id);
    case control_verb::account_quota:
      return commit(self, call, store::set_quota{id, wish.quota_bytes, by, now_ms},
                    [this, id, quota = wish.quota_bytes, answer] {
                      deps.space->set_quota(id, quota);
                      answer();
                    });
    case control_verb::account_rename:
      if (!wish.name) return refuse_control(call, {refusal::bad_request, "a new name is needed"});
      return commit(self, call, store::rename_account{id, *wish.name, by, now_ms}, answer);
    case control_verb::account_disable:
      return commit(self, call, store::disable_account{id, by, now_ms}, shut_out);
    case control_verb::account_enable:
      return commit(self, call, store::enable_account{id, by, now_ms}, [this, self, id, answer] {
        self->send(deps.front, account_enabled{id});
        answer();
      });
    case control_verb::account_delete:
      return commit(self, call, store::delete_account{id, now_ms + limits.deletion_grace_ms, by, now_ms},
                    shut_out);
    default:
      return refuse_control(call, {refusal::bad_request, "no such verb"});
  }
}

void control_state::act_on_device(self_ptr self, const control_call_ptr& call, const census& all) {
  const wire::control_request& wish = call->wish;
  const auto found = named_device(all, wish.account, wish.device.value_or(""));
  if (!found) return refuse_control(call, found.error());
  const store::device_row& device = **found;
  const device_id id = device.info.id;
  const std::int64_t now_ms = deps.time->now_ms();
  if (wish.verb == control_verb::device_role) {
    const bool read_only = wish.read_only;
    return commit(self, call,
                  store::set_device_role{device.account, id, read_only, operator_of(call), now_ms},
                  [this, self, call, id, read_only] {
                    self->send(deps.front, device_role_changed{id, read_only});
                    answer_device(self, call, id);
                  });
  }
  commit(self, call, store::revoke_device{device.account, id, now_ms, operator_of(call), wish.force},
         [this, self, call, id] {
           self->send(deps.front, device_revoked{id});
           answer_device(self, call, id);
         });
}

void control_state::invite(self_ptr self, const control_call_ptr& call) {
  const wire::control_request& wish = call->wish;
  if (!wish.name) return refuse_control(call, {refusal::bad_request, "the account to come needs a name"});
  wire::invitation_answer made;
  deps.random->fill(made.token.raw);
  made.name = *wish.name;
  made.quota_bytes = wish.quota_bytes;
  store::invitation_row row;
  row.token_hash = crypto::sha256(as_bytes(made.token.hex()));
  row.name = made.name;
  row.quota_bytes = made.quota_bytes;
  row.created_ms = deps.time->now_ms();
  row.expires_ms = row.created_ms + wish.expires_in_ms.value_or(limits.invitation_life_ms);
  made.expires_ms = row.expires_ms;
  commit(self, call, store::create_invitation{row, operator_of(call)}, [this, self, call, row, made] {
    self->send(deps.setup, invitation_made{row});
    call->answer(wire::to_json(made));
  });
}

void control_state::show_audit(self_ptr self, const control_call_ptr& call,
                               const std::optional<account_id>& account) {
  constexpr std::int64_t shown = 100;
  const std::int64_t limit =
      std::clamp<std::int64_t>(call->wish.limit.value_or(shown), 1, wire::audit_rows_max);
  self->request(deps.readers->next(), caf::infinite, audit_lookup{account, limit})
      .then(
          [call](const audit_found& found) {
            wire::audit_entries out;
            for (const store::audit_row& row : found.rows) out.rows.push_back(audit_entry_of(row));
            call->answer(wire::to_json(out));
          },
          [call](const caf::error&) {
            refuse_control(call, {refusal::io_error, "the audit table could not be read"});
          });
}

void control_state::commit(self_ptr self, const control_call_ptr& call, store::operation operation,
                           std::function<void()> then) {
  commit_one(self, deps.journal, std::move(operation), [call, then](const store::commit_outcome& outcome) {
    if (!outcome.ok()) return refuse_control(call, outcome.error());
    log::line(log::level::info, "operator")
        .add("act", wire::name(call->wish.verb))
        .add("uid", call->operator_uid);
    then();
  });
}

void control_state::answer_account(self_ptr self, const control_call_ptr& call, const account_id& account) {
  with_census(self, call, [this, call, account](const census& all) {
    wire::account_entries out;
    for (const store::account_row& row : all.accounts)
      if (row.id == account) out.accounts.push_back(entry_of(all, row));
    call->answer(wire::to_json(out));
  });
}

void control_state::answer_device(self_ptr self, const control_call_ptr& call, const device_id& device) {
  with_census(self, call, [call, device](const census& all) {
    wire::device_entries every = devices_of(all, nullptr);
    std::erase_if(every.devices, [&](const wire::device_entry& one) { return one.id != device; });
    call->answer(wire::to_json(every));
  });
}

caf::behavior control(timed<control_state>* self, const control_limits& limits, const control_deps& deps) {
  self->state.limits = limits;
  self->state.deps = deps;
  log_unexpected(self, control_state::name);
  return {
      [self](const control_call_ptr& call) { self->state.on_call(self, call); },
  };
}

class front_control_door final : public control_door {
 public:
  explicit front_control_door(caf::actor control) : control_(std::move(control)) {}
  void submit(control_call_ptr incoming) override { caf::anon_send(control_, std::move(incoming)); }

 private:
  caf::actor control_;
};

}  // namespace

caf::actor spawn_control(caf::actor_system& system, const control_limits& limits, control_deps deps) {
  return system.spawn(control, limits, std::move(deps));
}

std::unique_ptr<control_door> make_control_door(const caf::actor& control) {
  return std::make_unique<front_control_door>(control);
}

}  // namespace obsync::actors
