#include "actors/pairing.hpp"

#include "actors/commit_one.hpp"
#include "actors/messages.hpp"
#include "actors/pairing_book.hpp"
#include "actors/spawn.hpp"
#include "core/log.hpp"
#include "wire/pairing.hpp"

namespace obsync::actors {

namespace {

using wire::refusal;

struct pairing_actor_state {
  static inline const char* name = "pairing";
  using self_ptr = timed<pairing_actor_state>*;

  pairing_limits limits;
  pairing_deps deps;
  pairing_book book{1024};
  bool ticking = false;

  std::int64_t now_s() const { return deps.enrolment.time->now_s(); }

  void on_call(self_ptr self, const pairing_call& from);
  void create(self_ptr self, const pairing_call& from);
  void status(const pairing_call& from);
  void reveal(const pairing_call& from);
  void approve(const pairing_call& from);
  void reject(self_ptr self, const pairing_call& from);
  void collect(self_ptr self, const pairing_call& from);
  void on_claim(self_ptr self, const call_ptr& call);
  void claimed(self_ptr self, const call_ptr& call, const pairing_id& id, const wire::claim_request& claim,
               const new_device& device, const store::commit_outcome& outcome);
  void on_disabled(self_ptr self, const account_id& account);
  void on_tick(self_ptr self);
  void drop_pending(self_ptr self, const device_id& device);
};

std::optional<pairing_id> id_of(const call_ptr& call) {
  return pairing_id::parse(call->req.params[0]);
}

void pairing_actor_state::on_call(self_ptr self, const pairing_call& from) {
  switch (from.call->req.where) {
    case route::create_pairing:
      return create(self, from);
    case route::pairing_status:
      return status(from);
    case route::reveal:
      return reveal(from);
    case route::approve:
      return approve(from);
    case route::reject:
      return reject(self, from);
    case route::envelope:
      return collect(self, from);
    default:
      return from.call->answer(refuse(refusal::not_found, "no such route"));
  }
}

void pairing_actor_state::create(self_ptr self, const pairing_call& from) {
  crypto::secret32 token;
  deps.enrolment.random->fill(token.raw);
  const auto made =
      book.open(random_id<pairing_id>(*deps.enrolment.random), from.account, from.device, token, now_s());
  if (!made) return from.call->answer(refuse(made.error()));
  if (!ticking) {
    ticking = true;
    self->delayed_send(self, std::chrono::seconds(limits.sweep_s), tick{});
  }
  from.call->answer(ok(wire::to_json(wire::pairing_created{(*made)->id, token, (*made)->expires_s}), 201));
}

void pairing_actor_state::status(const pairing_call& from) {
  const auto found = book.status(id_of(from.call), from.device, now_s());
  from.call->answer(found ? ok(wire::to_json(*found)) : refuse(found.error()));
}

void pairing_actor_state::reveal(const pairing_call& from) {
  const auto body = wire::from_json<wire::reveal_request>(from.call->req.body);
  if (!body) return from.call->answer(refuse(body.error()));
  const auto done = book.reveal(id_of(from.call), from.device, body->creator_pub, now_s());
  if (done) log::line(log::level::info, "pairing_revealed").add("device", from.device.hex().substr(0, 8));
  from.call->answer(done ? no_content() : refuse(done.error()));
}

void pairing_actor_state::approve(const pairing_call& from) {
  const auto body = wire::from_json<wire::approve_request>(from.call->req.body);
  if (!body) return from.call->answer(refuse(body.error()));
  const auto done = book.approve(id_of(from.call), from.device, *body, now_s());
  if (done) log::line(log::level::info, "pairing_approved").add("device", from.device.hex().substr(0, 8));
  from.call->answer(done ? no_content() : refuse(done.error()));
}

void pairing_actor_state::reject(self_ptr self, const pairing_call& from) {
  const auto found = book.to_reject(id_of(from.call), from.device);
  if (!found) return from.call->answer(refuse(found.error()));
  const device_id device = (*found)->claimant->device;
  const pairing_id id = (*found)->id;
  (*found)->busy = true;
  commit_one(self, deps.journal, store::delete_pending_device{device},
             [this, self, call = from.call, id, device](const store::commit_outcome& outcome) {
               if (pairing* item = book.find(id)) item->busy = false;
               if (!outcome.ok()) return call->answer(refuse(outcome.error()));
               book.erase(id);
               self->send(deps.front, device_removed{device});
               log::line(log::level::info, "pairing_rejected").add("device", device.hex().substr(0, 8));
               call->answer(no_content());
             });
}

void pairing_actor_state::collect(self_ptr self, const pairing_call& from) {
  const auto found = book.to_collect(id_of(from.call), from.device, now_s());
  if (!found) return from.call->answer(refuse(found.error()));
  const pairing_id id = (*found)->id;
  (*found)->busy = true;
  commit_one(self, deps.journal, store::activate_device{from.device, deps.enrolment.time->now_ms()},
             [this, self, from, id](const store::commit_outcome& outcome) {
               pairing* item = book.find(id);
               if (item != nullptr) item->busy = false;
               if (!outcome.ok()) return from.call->answer(refuse(outcome.error()));
               if (item == nullptr)
                 return from.call->answer(refuse(refusal::unknown_pairing, "no such pairing"));
               item->state = wire::pairing_state::consumed;
               self->send(deps.front, device_activated{from.device});
               log::line(log::level::info, "pairing_collected").add("device", from.device.hex().substr(0, 8));
               from.call->answer(ok(wire::to_json(
                   wire::envelope_answer{item->envelope, item->envelope_nonce, item->creator_pub})));
               item->envelope.clear();
             });
}

void pairing_actor_state::on_claim(self_ptr self, const call_ptr& call) {
  if (const auto failure = body_failure(call->req)) return call->answer(refuse(*failure));
  const auto claim = wire::from_json<wire::claim_request>(call->req.body);
  if (!claim) return call->answer(refuse(claim.error()));
  const auto found = book.to_claim(id_of(call), claim->enroll_token, now_s());
  if (!found) return call->answer(refuse(found.error()));
  pairing& item = **found;
  item.busy = true;
  const new_device device =
      make_device(deps.enrolment, item.account, claim->device, wire::device_state::pending);
  commit_one(self, deps.journal, store::enrol_device{device.row},
             [this, self, call, id = item.id, claim = *claim, device](const store::commit_outcome& outcome) {
               claimed(self, call, id, claim, device, outcome);
             });
}

void pairing_actor_state::claimed(self_ptr self, const call_ptr& call, const pairing_id& id,
                                  const wire::claim_request& claim, const new_device& device,
                                  const store::commit_outcome& outcome) {
  pairing* item = book.find(id);
  if (item != nullptr) item->busy = false;
  if (!outcome.ok()) return call->answer(refuse(outcome.error()));
  if (item == nullptr) return call->answer(refuse(refusal::unknown_pairing, "no such pairing"));
  item->state = wire::pairing_state::claimed;
  item->claimant = wire::claimant_info{device.row.info.id, claim.device, claim.vault, claim.claimant_pub};
  deps.enrolment.directory->add(device.row.info.id);
  self->send(deps.front, device_added{device.row});
  log::line(log::level::info, "device_created").add("device", device.row.info.id.hex().substr(0, 8));
  call->answer(ok(wire::to_json(wire::claim_answer{device.row.info.id, device.secret}), 201));
}

void pairing_actor_state::on_disabled(self_ptr self, const account_id& account) {
  for (const device_id& device : book.drop(account, now_s())) drop_pending(self, device);
}

void pairing_actor_state::on_tick(self_ptr self) {
  for (const device_id& device : book.sweep(now_s())) drop_pending(self, device);
  ticking = !book.empty();
  if (ticking) self->delayed_send(self, std::chrono::seconds(limits.sweep_s), tick{});
}

void pairing_actor_state::drop_pending(self_ptr self, const device_id& device) {
  commit_one(self, deps.journal, store::delete_pending_device{device},
             [this, self, device](const store::commit_outcome& outcome) {
               if (!outcome.ok()) return;
               self->send(deps.front, device_removed{device});
               log::line(log::level::info, "pairing_expired").add("device", device.hex().substr(0, 8));
             });
}

caf::behavior pairing_behavior(timed<pairing_actor_state>* self, const pairing_limits& limits,
                               const pairing_deps& deps) {
  self->state.limits = limits;
  self->state.deps = deps;
  self->state.book = pairing_book(limits.live_max, limits.life_s);
  log_unexpected(self, pairing_actor_state::name);
  return {
      [self](const pairing_call& from) {
        guarded(pairing_actor_state::name, from.call, [&] { self->state.on_call(self, from); });
      },
      [self](const public_call& from) {
        guarded(pairing_actor_state::name, from.call, [&] { self->state.on_claim(self, from.call); });
      },
      [self](const account_disabled& news) { self->state.on_disabled(self, news.account); },
      [self](tick) { self->state.on_tick(self); },
  };
}

}  // namespace

caf::actor spawn_pairing(caf::actor_system& system, const pairing_limits& limits, pairing_deps deps) {
  return system.spawn(pairing_behavior, limits, std::move(deps));
}

}  // namespace obsync::actors
