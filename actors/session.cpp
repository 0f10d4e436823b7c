#include "actors/session.hpp"

#include <caf/response_promise.hpp>

#include <cstdlib>

#include "actors/commit_one.hpp"
#include "actors/messages.hpp"
#include "actors/parked_polls.hpp"
#include "actors/query.hpp"
#include "actors/reader_role.hpp"
#include "actors/replay_horizon.hpp"
#include "actors/session_routes.hpp"
#include "actors/spawn.hpp"
#include "crypto/digest.hpp"
#include "wire/account.hpp"
#include "wire/limits.hpp"
#include "wire/signing.hpp"

namespace obsync::actors {

namespace {

using wire::refusal;

struct session_state {
  static inline const char* name = "session";
  using self_ptr = timed<session_state>*;

  session_limits limits;
  session_deps deps;
  store::device_row device;
  account_heads::head head;
  std::unique_ptr<crypto::hmac_key> secret;
  std::unique_ptr<nonce_memory> nonces;
  std::unique_ptr<session_routes> routes;
  parked_polls polls;

  std::unique_ptr<replay_horizon> horizon;
  std::vector<std::pair<std::int64_t, call_ptr>> beyond_horizon;  // signed at; waiting for the horizon
  std::int64_t last_call_ms = 0;
  bool awaiting = false;   // the feed knows that this session wants to hear of news
  bool releasing = false;  // the server is stopping: polls are answered, not parked
  bool has_settled = false;
  bool disabled = false;  // the account is; the front refuses what comes after it heard of that

  void on_call(self_ptr self, const call_ptr& call);
  wire::outcome<std::int64_t> check_signer(const request& req) const;
  bool signature_fits(const request& req) const;
  void pass_horizon(self_ptr self, std::int64_t timestamp_s, const call_ptr& call);
  void advance_horizon(self_ptr self, std::int64_t to_s);
  void on_horizon(self_ptr self, std::int64_t to_s, const store::commit_outcome& outcome);
  void proceed(self_ptr self, const call_ptr& call);
  void poll(self_ptr self, const call_ptr& call);
  void arm(self_ptr self);
  void on_advanced(self_ptr self, sequence to);
  void on_poll_due(self_ptr self);
  void on_revoked(self_ptr self);
  void on_disabled();
  void on_sweep(self_ptr self, const sweep& asked);
  void await_news(self_ptr self, sequence since);
  void on_release(self_ptr self);
  caf::result<settled> on_settle(self_ptr self);
};

void session_state::on_call(self_ptr self, const call_ptr& call) {
  last_call_ms = deps.time->now_ms();
  const request& req = call->req;
  if (has_settled) return call->answer(refuse(refusal::not_ready, "the server is shutting down"));
  if (disabled) return call->answer(refuse(wire::disabled_account()));
  const auto timestamp = check_signer(req);
  if (!timestamp) return call->answer(refuse(timestamp.error()));
  const auto nonce = request_nonce::parse(*req.signer.nonce);
  const auto fresh = nonces->use(*nonce, last_call_ms / 1000);
  if (!fresh) return call->answer(refuse(fresh.error()));
  pass_horizon(self, *timestamp, call);
}

// Steps 5 to 7 of the protocol's order; the front made the ones before. The value is the timestamp.
wire::outcome<std::int64_t> session_state::check_signer(const request& req) const {
  const auto timestamp = decimal(*req.signer.timestamp);
  if (!timestamp) return wire::failure{refusal::bad_signature, "the timestamp is no number"};
  if (std::llabs(deps.time->now_s() - *timestamp) > wire::clock_skew_s_max)
    return wire::failure{refusal::stale_timestamp,
                         "the timestamp is more than 300 seconds off this server's clock"};
  if (horizon->may_be_replay(*timestamp))
    return wire::failure{refusal::stale_timestamp,
                         "the timestamp lies before this server's restart; sign anew"};
  if (const auto failure = body_failure(req)) return *failure;
  if (!signature_fits(req)) return wire::failure{refusal::bad_signature, "the signature does not fit"};
  return *timestamp;
}

bool session_state::signature_fits(const request& req) const {
  const std::string body_hash =
      req.where == route::chunk_put ? req.params[0] : crypto::sha256(as_bytes(req.body)).hex();
  const digest expected =
      wire::sign(*secret, {req.method, req.target, *req.signer.timestamp, *req.signer.nonce, body_hash});
  const auto given = digest::parse(*req.signer.signature);
  return given && crypto::equal_constant_time(expected.view(), given->view());
}

void session_state::pass_horizon(self_ptr self, std::int64_t timestamp_s, const call_ptr& call) {
  horizon->accept(timestamp_s);
  if (horizon->covers(timestamp_s)) return proceed(self, call);
  beyond_horizon.emplace_back(timestamp_s, call);
  if (!horizon->will_cover(timestamp_s)) advance_horizon(self, horizon->ask(timestamp_s));
}

void session_state::advance_horizon(self_ptr self, std::int64_t to_s) {
  store::advance_horizon step{device.info.id, to_s, {}, {}, {}};
  const std::int64_t now_ms = deps.time->now_ms();
  if (now_ms - device.info.last_sign_in_ms.value_or(0) >= wire::sign_in_sighting_s * 1000) {
    const request& req = beyond_horizon.back().second->req;
    step.sign_in_ms = wire::whole_seconds(now_ms);
    step.address = req.address;
    step.country = req.country;
    deps.seen->note(device.info.id, {now_ms, wire::sighting_kind::sign_in, req.address, req.country});
    device.info.last_sign_in_ms = step.sign_in_ms;
  }
  commit_one(self, deps.journal, std::move(step),
             [this, self, to_s](const store::commit_outcome& outcome) { on_horizon(self, to_s, outcome); });
}

void session_state::on_horizon(self_ptr self, std::int64_t to_s, const store::commit_outcome& outcome) {
  if (outcome.ok()) {
    horizon->landed(to_s);
  } else {
    horizon->failed(to_s);
  }
  std::vector<std::pair<std::int64_t, call_ptr>> waiting;
  waiting.swap(beyond_horizon);
  for (auto& [timestamp_s, call] : waiting) {
    if (horizon->covers(timestamp_s)) {
      proceed(self, call);
    } else if (horizon->will_cover(timestamp_s)) {
      beyond_horizon.emplace_back(timestamp_s, call);
    } else {
      // Not accepted, so its nonce is not spent: the device may sign the same request again.
      nonces->give_back(*request_nonce::parse(*call->req.signer.nonce));
      const bool full = !outcome.ok() && outcome.error().code == refusal::storage_full;
      call->answer(
          full ? refuse(refusal::storage_full, "no room left on the journal volume")
               : refuse(refusal::nonce_log_faulted, "replay protection is not writable; restart the server"));
    }
  }
}

// The credential is proved and its horizon durable.
void session_state::proceed(self_ptr self, const call_ptr& call) {
  call->proved = head->load();
  call->proved_account = device.account;
  call->proved_device = device.info.id;
  guarded(name, call, [&] {
    if (device.info.state == wire::device_state::pending && call->req.where != route::envelope)
      return call->answer(refuse(refusal::device_pending, "this device has not been approved yet"));
    // Again, for a request that waited for its horizon meanwhile.
    if (disabled) return call->answer(refuse(wire::disabled_account()));
    if (device.read_only && !is_open_to_readers(call->req, device.info.id))
      return call->answer(refuse(refusal::read_only, "this device may only read"));
    if (call->req.where == route::changes) return poll(self, call);
    routes->handle(call);
  });
}

void session_state::poll(self_ptr self, const call_ptr& call) {
  const auto since = number_of(call->req, "since", 0);
  const auto wait = number_of(call->req, "wait", 0);
  const auto limit = number_of(call->req, "limit", wire::page_items_max);
  if (!since || !wait || !limit)
    return call->answer(refuse(refusal::bad_request, "since, wait and limit are numbers"));
  if (*wait == 0 || *since != head->load() || releasing) return routes->read(call);
  await_news(self, *since);
  const std::int64_t deadline_ms =
      deps.time->now_ms() + 1000 * std::min<std::int64_t>(*wait, wire::poll_wait_s_max);
  if (const call_ptr pushed_out = polls.park(call, *since, deadline_ms, limits.parked_polls_max))
    routes->read(pushed_out);
  arm(self);
}

// The feed is told once; it tells back once, of whatever news comes first.
void session_state::await_news(self_ptr self, sequence since) {
  if (awaiting) return;
  awaiting = true;
  self->send(deps.feed, await_account{device.account, since, self});
}

// One timer at a time, for the earliest deadline: a delayed message cannot be taken back.
void session_state::arm(self_ptr self) {
  const auto delay_ms = polls.delay_to_arm(deps.time->now_ms());
  if (delay_ms) self->delayed_send(self, std::chrono::milliseconds(*delay_ms), poll_due{});
}

void session_state::on_advanced(self_ptr self, sequence to) {
  awaiting = false;
  for (const call_ptr& call : polls.take_before(to)) {
    call->proved = to;
    routes->read(call);
  }
  if (!polls.empty()) await_news(self, to);
}

void session_state::on_poll_due(self_ptr self) {
  polls.disarm();
  for (const call_ptr& call : polls.take_due(deps.time->now_ms())) {
    call->proved = head->load();
    routes->read(call);
  }
  arm(self);
}

void session_state::on_revoked(self_ptr self) {
  for (const call_ptr& call : polls.take_all())
    call->answer(refuse(refusal::device_revoked, "this device was revoked"));
  self->quit();
}

void session_state::on_disabled() {
  disabled = true;
  for (const call_ptr& call : polls.take_all()) call->answer(refuse(wire::disabled_account()));
}

void session_state::on_sweep(self_ptr self, const sweep& asked) {
  const std::int64_t idle_ms = deps.time->now_ms() - last_call_ms;
  if (polls.empty() && beyond_horizon.empty() && idle_ms >= limits.idle_s_min * 1000)
    self->send(deps.front, may_retire{device.info.id, asked.calls, horizon->last_accepted()});
}

void session_state::on_release(self_ptr) {
  releasing = true;
  for (const call_ptr& call : polls.take_all()) routes->read(call);
}

caf::result<settled> session_state::on_settle(self_ptr self) {
  has_settled = true;
  caf::response_promise done = self->make_response_promise();
  const auto exact_s = horizon->exact();
  if (!exact_s) {
    done.deliver(settled{});
    return done;
  }
  commit_one(self, deps.journal, store::settle_horizon{device.info.id, *exact_s},
             [done](const store::commit_outcome& outcome) {
               caf::response_promise(done).deliver(settled{outcome.ok()});
             });
  return done;
}

caf::behavior session(timed<session_state>* self, const session_limits& limits, const session_deps& deps,
                      const store::device_row& device, const crypto::secret32& secret, std::int64_t floor_s) {
  session_state& state = self->state;
  state.limits = limits;
  state.deps = deps;
  state.device = device;
  state.head = deps.heads->of(device.account);
  state.secret = std::make_unique<crypto::hmac_key>(secret.view());
  state.nonces = std::make_unique<nonce_memory>(limits.nonces, deps.nonces_in_use);
  state.horizon = std::make_unique<replay_horizon>(floor_s, device.horizon_s, limits.horizon_lead_s);
  state.routes =
      std::make_unique<session_routes>(self, state.deps, *state.horizon, device.account, device.info.id);
  state.last_call_ms = deps.time->now_ms();
  log_unexpected(self, session_state::name);
  return {
      [self](const session_call& from) {
        guarded(session_state::name, from.call, [&] { self->state.on_call(self, from.call); });
      },
      [self](const account_advanced& news) { self->state.on_advanced(self, news.head); },
      [self](const device_activated&) { self->state.device.info.state = wire::device_state::active; },
      [self](const device_revoked&) { self->state.on_revoked(self); },
      [self](const device_role_changed& news) { self->state.device.read_only = news.read_only; },
      [self](const account_disabled&) { self->state.on_disabled(); },
      [self](const account_enabled&) { self->state.disabled = false; },
      [self](poll_due) { self->state.on_poll_due(self); },
      [self](const sweep& asked) { self->state.on_sweep(self, asked); },
      [self](release_polls) { self->state.on_release(self); },
      [self](settle) { return self->state.on_settle(self); },
  };
}

}  // namespace

caf::actor spawn_session(caf::actor_system& system, const session_limits& limits, session_deps deps,
                         const store::device_row& device, const crypto::secret32& secret,
                         std::int64_t floor_s) {
  return system.spawn(session, limits, std::move(deps), device, secret, floor_s);
}

}  // namespace obsync::actors
