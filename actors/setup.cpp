#include "actors/setup.hpp"

#include <caf/stateful_actor.hpp>

#include "actors/messages.hpp"
#include "actors/spawn.hpp"
#include "core/log.hpp"
#include "crypto/digest.hpp"
#include "wire/setup.hpp"

namespace obsync::actors {

namespace {

using wire::refusal;

bool same_secret(const std::string& given, const crypto::secret32& expected) {
  const std::string text = expected.hex();
  return crypto::equal_constant_time(as_bytes(given), as_bytes(text));
}

struct setup_state {
  static inline const char* name = "setup";
  using self_ptr = caf::stateful_actor<setup_state>*;

  setup_deps deps;
  bool creating = false;  // the account is on its way to the journal

  void on_setup(self_ptr self, const call_ptr& call);
  void create(self_ptr self, const call_ptr& call, const wire::setup_request& wish,
              const std::optional<digest>& verifier);
  void recover(self_ptr self, const call_ptr& call, const wire::setup_request& wish,
               const store::account_row& account);
  void enrol(self_ptr self, const call_ptr& call, store::operation operation, const new_device& device,
             bool recovered);
};

void setup_state::on_setup(self_ptr self, const call_ptr& call) {
  if (const auto failure = body_failure(call->req)) return call->answer(refuse(*failure));
  const auto wish = wire::from_json<wire::setup_request>(call->req.body);
  if (!wish) return call->answer(refuse(wish.error()));
  if (!same_secret(wish->setup_token, deps.setup_token)) {
    log::line(log::level::warn, "setup_refused").add("decision", "bad_setup_token");
    return call->answer(refuse(refusal::bad_setup_token, "the setup token is not this server's"));
  }
  call->proved = 0;
  std::optional<digest> verifier;
  if (wish->recovery_verifier) {
    verifier = digest::parse(*wish->recovery_verifier);
    if (!verifier)
      return call->answer(refuse(refusal::bad_request, "recovery_verifier is 64 lowercase hex digits"));
  }
  if (!deps.owner && !creating) return create(self, call, *wish, verifier);
  if (!deps.owner || !wish->recovery_proof)
    return call->answer(
        refuse(refusal::already_set_up, "the account exists; pair this device from another one"));
  self->request(deps.readers->next(), caf::infinite, account_lookup{*deps.owner})
      .then(
          [this, self, call, wish = *wish](const account_found& found) {
            guarded(name, call, [&] {
              if (!found.row) return call->answer(refuse(refusal::io_error, "the account could not be read"));
              recover(self, call, wish, *found.row);
            });
          },
          [call](const caf::error&) {
            call->answer(refuse(refusal::io_error, "the account could not be read"));
          });
}

void setup_state::create(self_ptr self, const call_ptr& call, const wire::setup_request& wish,
                         const std::optional<digest>& verifier) {
  creating = true;
  store::account_row account;
  account.id = random_id<account_id>(*deps.enrolment.random);
  account.name = wish.account_name;
  account.created_ms = deps.enrolment.time->now_ms();
  account.recovery_verifier = verifier;
  if (verifier) account.recovery_ms = account.created_ms;
  const new_device device = make_device(deps.enrolment, account.id, wish.device, wire::device_state::active);
  enrol(self, call, store::create_account{account, device.row}, device, false);
}

void setup_state::recover(self_ptr self, const call_ptr& call, const wire::setup_request& wish,
                          const store::account_row& account) {
  call->proved = account.head;
  call->proved_account = account.id;
  if (!account.recovery_verifier && !account.recovery_armed)
    return call->answer(
        refuse(refusal::recovery_unavailable, "no recovery key is registered for this account"));
  const auto proof = crypto::secret32::parse(*wish.recovery_proof);
  const auto verifier = proof ? std::optional(crypto::sha256(proof->view())) : std::nullopt;
  const bool fits =
      verifier && (!account.recovery_verifier ||
                   crypto::equal_constant_time(verifier->view(), account.recovery_verifier->view()));
  if (!fits)
    return call->answer(refuse(refusal::bad_recovery_proof, "the proof is not of this account's key"));
  store::recover_account operation;
  operation.account = account.id;
  if (!account.recovery_verifier) operation.register_verifier = verifier;
  operation.now_ms = deps.enrolment.time->now_ms();
  const new_device device = make_device(deps.enrolment, account.id, wish.device, wire::device_state::active);
  operation.device = device.row;
  enrol(self, call, std::move(operation), device, true);
}

void setup_state::enrol(self_ptr self, const call_ptr& call, store::operation operation,
                        const new_device& device, bool recovered) {
  auto wish = std::make_shared<commit_request>();
  wish->operations.push_back(std::move(operation));
  self->request(deps.journal, caf::infinite, std::move(wish))
      .then(
          [this, self, call, device, recovered](const commit_reply_ptr& reply) {
            creating = false;
            const store::commit_outcome& outcome = reply->outcomes.front();
            if (!outcome.ok()) return call->answer(refuse(outcome.error()));
            deps.owner = device.row.account;
            call->proved_account = device.row.account;
            deps.enrolment.directory->add(device.row.info.id);
            self->send(deps.front, device_added{device.row});
            self->send(deps.front, owner_known{device.row.account});
            log::line(log::level::info, recovered ? "account_recovered" : "account_created")
                .add("account", device.row.account.hex().substr(0, 8))
                .add("device", device.row.info.id.hex().substr(0, 8));
            call->answer(ok(wire::to_json(wire::setup_answer{device.row.account, recovered,
                                                             device.row.info.id, device.secret}),
                            201));
          },
          [this, call](const caf::error&) {
            creating = false;
            call->answer(refuse(refusal::journal_faulted, "the journal has stopped"));
          });
}

caf::behavior setup(caf::stateful_actor<setup_state>* self, const setup_deps& deps) {
  self->state.deps = deps;
  log_unexpected(self, setup_state::name);
  return {
      [self](const public_call& from) {
        guarded(setup_state::name, from.call, [&] { self->state.on_setup(self, from.call); });
      },
  };
}

}  // namespace

caf::actor spawn_setup(caf::actor_system& system, setup_deps deps) {
  return system.spawn(setup, std::move(deps));
}

}  // namespace obsync::actors
