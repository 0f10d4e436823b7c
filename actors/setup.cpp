#include "actors/setup.hpp"

#include <functional>
#include <unordered_map>

#include "actors/commit_one.hpp"
#include "actors/messages.hpp"
#include "actors/spawn.hpp"
#include "core/log.hpp"
#include "crypto/digest.hpp"
#include "wire/account.hpp"
#include "wire/setup.hpp"

namespace obsync::actors {

namespace {

using wire::refusal;

struct setup_state {
  static inline const char* name = "setup";
  using self_ptr = timed<setup_state>*;

  // What a right token stands for: an account that is there, or one that is to be made.
  struct standing {
    std::optional<account_id> account = {};
    std::optional<store::invitation_row> invitation = {};  // nothing: the setup token
    bool creating = false;                                 // the account is on its way to the journal
  };

  setup_deps deps;
  standing owner;
  std::unordered_map<digest, standing> invited;  // by the hash of the token

  void on_setup(self_ptr self, const call_ptr& call);
  standing* find_standing(const std::string& token);
  void create(self_ptr self, const call_ptr& call, const wire::setup_request& wish,
              const std::optional<digest>& verifier, standing& by);
  void recover(self_ptr self, const call_ptr& call, const wire::setup_request& wish,
               const store::account_row& account);
  void enrol(self_ptr self, const call_ptr& call, store::operation operation, const new_device& device,
             std::function<void(bool)> then, bool recovered);
  void on_invitation(const invitation_made& news);
  void on_erased(const account_id& account);
};

// The hash is looked up whatever the token looks like, and tells nothing of how near a wrong one came.
setup_state::standing* setup_state::find_standing(const std::string& token) {
  const bool is_owners = crypto::is_hex_of(token, deps.setup_token);
  const auto found = invited.find(crypto::sha256(as_bytes(token)));
  if (is_owners) return &owner;
  if (found == invited.end()) return nullptr;
  const standing& by = found->second;
  const bool over = by.invitation->expires_ms <= deps.enrolment.time->now_ms();
  if (over && !by.account && !by.creating) return nullptr;
  return &found->second;
}

void setup_state::on_setup(self_ptr self, const call_ptr& call) {
  if (const auto failure = body_failure(call->req)) return call->answer(refuse(*failure));
  const auto wish = wire::from_json<wire::setup_request>(call->req.body);
  if (!wish) return call->answer(refuse(wish.error()));
  standing* const by = find_standing(wish->setup_token);
  if (by == nullptr) {
    deps.requests->note(log::level::warn, "setup_refused", "bad_setup_token");
    return call->answer(refuse(refusal::bad_setup_token, "the setup token is not this server's"));
  }
  call->proved = by->account ? deps.heads->of(*by->account)->load() : 0;
  std::optional<digest> verifier;
  if (wish->recovery_verifier) {
    verifier = digest::parse(*wish->recovery_verifier);
    if (!verifier)
      return call->answer(refuse(refusal::bad_request, "recovery_verifier is 64 lowercase hex digits"));
  }
  if (!by->account && !by->creating) return create(self, call, *wish, verifier, *by);
  if (!by->account || !wish->recovery_proof)
    return call->answer(
        refuse(refusal::already_set_up, "the account exists; pair this device from another one"));
  self->request(deps.readers->next(), caf::infinite, account_lookup{*by->account})
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
                         const std::optional<digest>& verifier, standing& by) {
  by.creating = true;
  store::account_row account;
  account.id = random_id<account_id>(*deps.enrolment.random);
  // The operator tells accounts apart by the names they were invited under; a guest cannot take another's.
  account.name = by.invitation ? by.invitation->name : wish.account_name;
  if (by.invitation) account.quota_bytes = by.invitation->quota_bytes;
  account.created_ms = deps.enrolment.time->now_ms();
  account.recovery_verifier = verifier;
  if (verifier) account.recovery_ms = account.created_ms;
  const new_device device = make_device(deps.enrolment, account.id, wish.device, wire::device_state::active);
  store::operation operation = store::create_account{account, device.row};
  if (by.invitation)
    operation = store::redeem_invitation{by.invitation->token_hash, account, device.row, account.created_ms};
  // Entries of the map stay where they are, and none is removed while its account is being made.
  enrol(
      self, call, std::move(operation), device,
      [this, self, &by, account](bool made) {
        by.creating = false;
        if (!made) return;
        by.account = account.id;
        if (!by.invitation) self->send(deps.front, owner_known{account.id});
        if (account.quota_bytes) deps.space->set_quota(account.id, account.quota_bytes);
      },
      false);
}

void setup_state::recover(self_ptr self, const call_ptr& call, const wire::setup_request& wish,
                          const store::account_row& account) {
  call->proved = account.head;
  call->proved_account = account.id;
  if (account.disabled_ms) return call->answer(refuse(wire::disabled_account()));
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
  enrol(
      self, call, std::move(operation), device, [](bool) {}, true);
}

// `then` hears whether it succeeded, before the device does.
void setup_state::enrol(self_ptr self, const call_ptr& call, store::operation operation,
                        const new_device& device, std::function<void(bool)> then, bool recovered) {
  commit_one(self, deps.journal, std::move(operation),
             [this, self, call, device, then, recovered](const store::commit_outcome& outcome) {
               then(outcome.ok());
               if (!outcome.ok()) return call->answer(refuse(outcome.error()));
               call->proved_account = device.row.account;
               deps.enrolment.directory->add(device.row.info.id);
               self->send(deps.front, device_added{device.row});
               log::line(log::level::info, recovered ? "account_recovered" : "account_created")
                   .add("account", device.row.account.hex().substr(0, 8))
                   .add("device", device.row.info.id.hex().substr(0, 8));
               call->answer(ok(wire::to_json(wire::setup_answer{device.row.account, recovered,
                                                                device.row.info.id, device.secret}),
                               201));
             });
}

void setup_state::on_invitation(const invitation_made& news) {
  standing made;
  made.account = news.row.account;
  made.invitation = news.row;
  invited.insert_or_assign(news.row.token_hash, std::move(made));
}

// Its token is worth nothing any more; the setup token makes a new account.
void setup_state::on_erased(const account_id& account) {
  if (owner.account == account) owner.account.reset();
  std::erase_if(invited, [&](const auto& entry) { return entry.second.account == account; });
}

caf::behavior setup(timed<setup_state>* self, const setup_deps& deps) {
  self->state.deps = deps;
  self->state.owner.account = deps.owner;
  for (const store::invitation_row& row : deps.invitations) self->state.on_invitation(invitation_made{row});
  log_unexpected(self, setup_state::name);
  return {
      [self](const public_call& from) {
        guarded(setup_state::name, from.call, [&] { self->state.on_setup(self, from.call); });
      },
      [self](const invitation_made& news) { self->state.on_invitation(news); },
      [self](const account_erased& news) { self->state.on_erased(news.account); },
  };
}

}  // namespace

caf::actor spawn_setup(caf::actor_system& system, setup_deps deps) {
  return system.spawn(setup, std::move(deps));
}

}  // namespace obsync::actors
