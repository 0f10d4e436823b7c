#include "actors/front.hpp"

#include <caf/response_promise.hpp>
#include <caf/send.hpp>

#include <atomic>
#include <unordered_map>
#include <unordered_set>

#include "actors/messages.hpp"
#include "actors/query.hpp"
#include "actors/spawn.hpp"
#include "core/log.hpp"
#include "store/secrets.hpp"
#include "wire/account.hpp"

namespace obsync::actors {

namespace {

using wire::refusal;

bool belongs_to_a_browser(route where) {
  switch (where) {
    case route::login:
    case route::admin_logout:
    case route::admin_logout_all:
    case route::admin_overview:
    case route::admin_devices:
    case route::admin_revoke:
    case route::admin_archive:
    case route::admin_storage:
    case route::admin_gc_run:
    case route::admin_scrub_run:
    case route::admin_logs:
      return true;
    default:
      return false;
  }
}

struct front_state {
  static inline const char* name = "front";
  using self_ptr = timed<front_state>*;

  struct entry {
    store::device_row row;
    std::int64_t floor_s = 0;  // what earlier sessions, also of a former process, may have accepted
    caf::actor session;        // empty while nobody is there
    std::uint64_t calls = 0;   // passed on to it
  };

  front_limits limits;
  front_deps deps;
  introduce enrolling;
  std::unordered_map<device_id, entry> devices;
  std::unordered_set<account_id> disabled;
  // One account's flood must not use up what another's devices need, so each has a count of its own.
  std::unordered_map<account_id, std::shared_ptr<std::atomic<std::size_t>>> nonces_in_use;
  std::size_t live = 0;  // sessions running
  bool sweeping = false;
  bool releasing = false;
  bool ended = false;  // sessions have settled: none is started any more

  void on_call(self_ptr self, const call_ptr& call);
  void answer_manifest(const call_ptr& call) const;
  void on_signed(self_ptr self, const call_ptr& call);
  caf::actor session_of(self_ptr self, entry& of);
  void on_added(const device_added& news);
  void on_activated(self_ptr self, const device_id& device);
  void on_revoked(self_ptr self, const device_id& device, bool removed);
  void on_login_link(self_ptr self, const login_link_call& from);
  void on_role(self_ptr self, const device_role_changed& news);
  void on_disabled(self_ptr self, const account_disabled& news);
  void on_enabled(self_ptr self, const account_enabled& news);
  void on_erased(self_ptr self, const account_id& account);
  template <class News>
  void tell_sessions(self_ptr self, const News& news);
  void on_tick(self_ptr self);
  void on_may_retire(self_ptr self, const may_retire& idle);
  void on_release(self_ptr self);
  caf::result<settled> on_settle(self_ptr self);
  void end_sessions(self_ptr self);
};

void front_state::on_call(self_ptr self, const call_ptr& call) {
  switch (call->req.where) {
    case route::livez: {
      reply alive;
      alive.body = text_body{"text/plain", "ok"};
      return call->answer(std::move(alive));
    }
    case route::readyz:
      return self->send(deps.readiness, readiness_call{call});
    case route::plugin_manifest:
      return answer_manifest(call);
    case route::dashboard_index:
      return call->answer(deps.pages->answer("index.html"));
    case route::dashboard_file:
      return call->answer(deps.pages->answer(call->req.params[0]));
    default:
      break;
  }
  if (ended) return call->answer(refuse(refusal::not_ready, "the server is shutting down"));
  if (const auto reason = deps.state->started() ? std::nullopt : deps.state->reason())
    return call->answer(refuse(refusal::not_ready, *reason));
  if (call->req.where == route::setup) return self->send(enrolling.setup, public_call{call});
  if (call->req.where == route::claim) return self->send(enrolling.pairing, public_call{call});
  if (belongs_to_a_browser(call->req.where)) return self->send(enrolling.dashboard, public_call{call});
  on_signed(self, call);
}

void front_state::answer_manifest(const call_ptr& call) const {
  if (!deps.plugin_manifest) return call->answer(refuse(refusal::plugin_unavailable, "no plugin is bundled"));
  call->answer(ok(*deps.plugin_manifest));
}

// Steps 1 to 4 of the protocol's order.
void front_state::on_signed(self_ptr self, const call_ptr& call) {
  const credentials& signer = call->req.signer;
  if (!signer.device || !signer.timestamp || !signer.nonce || !signer.signature)
    return call->answer(refuse(refusal::missing_auth, "the request is not signed"));
  const auto device = signed_by(signer);
  if (!device) return call->answer(refuse(refusal::bad_signature, "the signature headers are malformed"));
  const auto found = devices.find(*device);
  if (found == devices.end())
    return call->answer(refuse(refusal::bad_signature, "the signature does not fit"));
  if (found->second.row.info.state == wire::device_state::revoked)
    return call->answer(refuse(refusal::device_revoked, "this device was revoked"));
  if (disabled.contains(found->second.row.account)) return call->answer(refuse(wire::disabled_account()));
  ++found->second.calls;
  self->send(session_of(self, found->second), session_call{call});
}

caf::actor front_state::session_of(self_ptr self, entry& of) {
  if (of.session) return of.session;
  session_deps wired = deps.sessions;
  wired.front = self;
  wired.pairing = enrolling.pairing;
  auto& nonces = nonces_in_use[of.row.account];
  if (!nonces) nonces = std::make_shared<std::atomic<std::size_t>>(0);
  wired.nonces_in_use = nonces;
  const crypto::secret32 secret =
      store::unwrap_secret(deps.server_key, of.row.info.id, of.row.wrapped_secret);
  of.session = spawn_session(self->system(), limits.sessions, std::move(wired), of.row, secret, of.floor_s);
  if (releasing) self->send(of.session, release_polls{});
  ++live;
  if (!sweeping) {
    sweeping = true;
    self->delayed_send(self, std::chrono::seconds(limits.sweep_s), tick{});
  }
  return of.session;
}

void front_state::on_added(const device_added& news) {
  entry made;
  made.row = news.row;
  deps.directory->add(news.row.info.id);
  devices.insert_or_assign(news.row.info.id, std::move(made));
}

void front_state::on_activated(self_ptr self, const device_id& device) {
  const auto found = devices.find(device);
  if (found == devices.end()) return;
  found->second.row.info.state = wire::device_state::active;
  if (found->second.session) self->send(found->second.session, device_activated{device});
}

void front_state::on_revoked(self_ptr self, const device_id& device, bool removed) {
  const auto found = devices.find(device);
  if (found == devices.end()) return;
  deps.directory->remove(device);
  if (found->second.session) {
    self->send(found->second.session, device_revoked{device});
    found->second.session = nullptr;
    --live;
  }
  if (removed) {
    devices.erase(found);
    deps.sessions.seen->forget(device);
    self->send(enrolling.dashboard, device_removed{device});
  } else {
    found->second.row.info.state = wire::device_state::revoked;
    self->send(enrolling.dashboard, device_revoked{device});
  }
}

// A session may have passed this on just before it heard of its revocation.
void front_state::on_login_link(self_ptr self, const login_link_call& from) {
  const auto found = devices.find(from.device);
  if (found == devices.end() || found->second.row.info.state == wire::device_state::revoked)
    return from.call->answer(refuse(refusal::device_revoked, "this device was revoked"));
  self->send(enrolling.dashboard, from);
}

void front_state::on_role(self_ptr self, const device_role_changed& news) {
  const auto found = devices.find(news.device);
  if (found == devices.end()) return;
  found->second.row.read_only = news.read_only;
  self->send(enrolling.dashboard, news);
  if (found->second.session) self->send(found->second.session, news);
}

// Of the account the news are about.
template <class News>
void front_state::tell_sessions(self_ptr self, const News& news) {
  for (auto& [id, known] : devices)
    if (known.session && known.row.account == news.account) self->send(known.session, news);
}

// Sessions stay: their memory of nonces is what keeps an old request from passing once the account is
// enabled.
void front_state::on_disabled(self_ptr self, const account_disabled& news) {
  disabled.insert(news.account);
  tell_sessions(self, news);
  self->send(enrolling.pairing, news);
  self->send(enrolling.dashboard, news);
}

void front_state::on_enabled(self_ptr self, const account_enabled& news) {
  disabled.erase(news.account);
  tell_sessions(self, news);
  self->send(enrolling.dashboard, news);
}

void front_state::on_erased(self_ptr self, const account_id& account) {
  std::vector<device_id> theirs;
  for (const auto& [id, known] : devices)
    if (known.row.account == account) theirs.push_back(id);
  for (const device_id& id : theirs) on_revoked(self, id, true);
  nonces_in_use.erase(account);
  self->send(enrolling.dashboard, account_erased{account});
}

void front_state::on_tick(self_ptr self) {
  for (auto& [id, known] : devices)
    if (known.session) self->send(known.session, sweep{known.calls});
  sweeping = live > 0;
  if (sweeping) self->delayed_send(self, std::chrono::seconds(limits.sweep_s), tick{});
}

// What the session remembers of nonces goes with it, so from then on what it accepted is refused by its time.
void front_state::on_may_retire(self_ptr self, const may_retire& idle) {
  const auto found = devices.find(idle.device);
  if (found == devices.end() || !found->second.session || found->second.calls != idle.calls) return;
  found->second.floor_s = std::max(found->second.floor_s, idle.accepted_s);
  self->send_exit(found->second.session, caf::exit_reason::user_shutdown);
  found->second.session = nullptr;
  --live;
}

void front_state::on_release(self_ptr self) {
  releasing = true;
  for (auto& [id, known] : devices)
    if (known.session) self->send(known.session, release_polls{});
}

// A session that waits for a poll's timer would keep the whole system from ending until then.
void front_state::end_sessions(self_ptr self) {
  for (auto& [id, known] : devices) {
    if (!known.session) continue;
    self->send_exit(known.session, caf::exit_reason::user_shutdown);
    known.session = nullptr;
  }
  live = 0;
  ended = true;
}

caf::result<settled> front_state::on_settle(self_ptr self) {
  caf::response_promise done = self->make_response_promise();
  const auto left = std::make_shared<std::size_t>(1);  // one for this function itself
  const auto all_durable = std::make_shared<bool>(true);
  const auto one_less = [this, self, done, left, all_durable](bool durable) {
    *all_durable = *all_durable && durable;
    if (--*left > 0) return;
    end_sessions(self);
    caf::response_promise(done).deliver(settled{*all_durable});
  };
  for (auto& [id, known] : devices) {
    if (!known.session) continue;
    ++*left;
    self->request(known.session, caf::infinite, settle{})
        .then([one_less](const settled& session) { one_less(session.durable); },
              [one_less](const caf::error&) { one_less(false); });
  }
  one_less(true);
  return done;
}

caf::behavior front(timed<front_state>* self, const front_limits& limits, const front_deps& deps) {
  front_state& state = self->state;
  state.limits = limits;
  state.deps = deps;
  for (const store::device_row& row : state.deps.devices) {
    front_state::entry known;
    known.row = row;
    known.floor_s = row.horizon_s;
    if (row.info.state != wire::device_state::revoked) state.deps.directory->add(row.info.id);
    state.devices.emplace(row.info.id, std::move(known));
  }
  state.deps.devices.clear();
  state.disabled.insert(state.deps.disabled.begin(), state.deps.disabled.end());
  log_unexpected(self, front_state::name);
  return {
      [self](call_ptr& call) { guarded(front_state::name, call, [&] { self->state.on_call(self, call); }); },
      [self](const introduce& who) {
        self->state.enrolling = who;
        for (const account_id& account : self->state.disabled)
          self->send(who.dashboard, account_disabled{account});
      },
      [self](const device_added& news) { self->state.on_added(news); },
      [self](const device_activated& news) { self->state.on_activated(self, news.device); },
      [self](const device_revoked& news) { self->state.on_revoked(self, news.device, false); },
      [self](const device_removed& news) { self->state.on_revoked(self, news.device, true); },
      [self](const login_link_call& from) {
        guarded(front_state::name, from.call, [&] { self->state.on_login_link(self, from); });
      },
      [self](const owner_known& news) { self->send(self->state.enrolling.dashboard, news); },
      [self](const close_dashboard& wish) { self->send(self->state.enrolling.dashboard, wish); },
      [self](const device_role_changed& news) { self->state.on_role(self, news); },
      [self](const account_disabled& news) { self->state.on_disabled(self, news); },
      [self](const account_enabled& news) { self->state.on_enabled(self, news); },
      [self](const account_erased& news) { self->state.on_erased(self, news.account); },
      [self](const may_retire& wish) { self->state.on_may_retire(self, wish); },
      [self](tick) { self->state.on_tick(self); },
      [self](release_polls) { self->state.on_release(self); },
      [self](settle) { return self->state.on_settle(self); },
  };
}

class front_door final : public door {
 public:
  front_door(caf::actor front, std::shared_ptr<const device_directory> directory)
      : front_(std::move(front)), directory_(std::move(directory)) {}
  void submit(call_ptr incoming) override { caf::anon_send(front_, std::move(incoming)); }
  bool expects(const credentials& signer) const override { return directory_->expects(signer); }

 private:
  caf::actor front_;
  std::shared_ptr<const device_directory> directory_;
};

}  // namespace

caf::actor spawn_front(caf::actor_system& system, const front_limits& limits, front_deps deps) {
  return system.spawn(front, limits, std::move(deps));
}

std::unique_ptr<door> make_door(const caf::actor& front, std::shared_ptr<const device_directory> directory) {
  return std::make_unique<front_door>(front, std::move(directory));
}

}  // namespace obsync::actors
