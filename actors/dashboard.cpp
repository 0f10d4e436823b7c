#include "actors/dashboard.hpp"

#include <algorithm>
#include <unordered_set>

#include "actors/commit_one.hpp"
#include "actors/messages.hpp"
#include "actors/query.hpp"
#include "actors/spawn.hpp"
#include "core/log.hpp"
#include "crypto/digest.hpp"
#include "wire/account.hpp"

namespace obsync::actors {

namespace {

using wire::refusal;

constexpr std::size_t device_prefix_chars_max = 32;

bool changes_something(route where) {
  switch (where) {
    case route::admin_overview:
    case route::admin_devices:
    case route::admin_storage:
    case route::admin_logs:
      return false;
    default:
      return true;
  }
}

bool is_hex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

reply clearing_cookies() {
  reply out = no_content();
  out.headers = {{reply_header::set_cookie, wire::cleared_session_cookie()},
                 {reply_header::set_cookie, wire::cleared_csrf_cookie()}};
  return out;
}

struct dashboard_state {
  static inline const char* name = "dashboard";
  using self_ptr = timed<dashboard_state>*;

  dashboard_deps deps;
  std::unique_ptr<dashboard_book> book;
  std::unordered_set<account_id> shut;  // disabled accounts: nobody logs in to them

  std::int64_t now_s() const { return deps.time->now_s(); }
  bool is_owner(const std::optional<account_id>& account) const { return account == deps.owner; }

  void on_call(self_ptr self, const call_ptr& call);
  void prove(const call_ptr& call, const dashboard_visitor& who) const;
  void log_in(const call_ptr& call);
  std::optional<dashboard_visitor> admit(std::string_view token);
  void make_link(const login_link_call& from);
  void admin(self_ptr self, const call_ptr& call);
  void route_admin(self_ptr self, const call_ptr& call, const dashboard_session& session);
  void log_out(const call_ptr& call, const dashboard_session& session);
  void log_all_out(const call_ptr& call, const dashboard_visitor& who);
  void show_logs(const call_ptr& call, const dashboard_visitor& who) const;
  void revoke(self_ptr self, const call_ptr& call, const dashboard_visitor& who);
  void archive(self_ptr self, const call_ptr& call, const dashboard_visitor& who);
  std::optional<device_id> named_device(const call_ptr& call, const dashboard_visitor& who) const;
  void commit(self_ptr self, const call_ptr& call, store::operation operation,
              const std::optional<device_id>& revoked);
  void close_device(const device_id& device);
  void shut_account(const account_id& account);
  void forget_account(const account_id& account);
  void report_closed(std::size_t sessions, const char* decision) const;
};

void dashboard_state::on_call(self_ptr self, const call_ptr& call) {
  if (call->req.where == route::login) return log_in(call);
  admin(self, call);
}

void dashboard_state::prove(const call_ptr& call, const dashboard_visitor& who) const {
  call->proved = who.account ? deps.heads->of(*who.account)->load() : 0;
  call->proved_account = who.account;
}

// --- coming in

void dashboard_state::log_in(const call_ptr& call) {
  const auto token = call->req.query_value("token");
  const auto who = token ? admit(*token) : std::nullopt;
  if (!who) {
    deps.requests->note(log::level::warn, "dashboard_login_refused", "bad_login_token");
    return call->answer(refuse(refusal::bad_login_token, "the link was used, has expired or never existed"));
  }
  prove(call, *who);
  if (who->account && shut.contains(*who->account)) return call->answer(refuse(wire::disabled_account()));
  const dashboard_tokens tokens = book->open(*who, now_s());
  log::line line(log::level::info, "dashboard_login");
  line.add("decision", who->recovery ? "setup_token" : "link");
  if (who->device) line.add("device", who->device->hex().substr(0, 8));
  reply out;
  out.status = 302;
  out.headers = {{reply_header::location, "/"},
                 {reply_header::set_cookie, wire::session_cookie(tokens.session.hex())},
                 {reply_header::set_cookie, wire::csrf_cookie(tokens.csrf.hex())}};
  call->answer(std::move(out));
}

std::optional<dashboard_visitor> dashboard_state::admit(std::string_view token) {
  if (crypto::is_hex_of(token, deps.setup_token)) return dashboard_visitor{deps.owner, {}, true};
  return book->spend_link(token, now_s());
}

void dashboard_state::make_link(const login_link_call& from) {
  const std::int64_t now = now_s();
  const crypto::secret32 token = book->make_link(from.account, from.device, now);
  from.call->answer(ok(wire::to_json(
      wire::login_link{deps.public_url + "/login?token=" + token.hex(), now + wire::login_link_s_max})));
}

// --- what a session may do

void dashboard_state::admin(self_ptr self, const call_ptr& call) {
  const browser_credentials& shown = call->req.browser;
  dashboard_session* const session = shown.session ? book->find(*shown.session, now_s()) : nullptr;
  if (session == nullptr)
    return call->answer(refuse(refusal::no_session, "there is no such session; open a new login link"));
  prove(call, session->who);
  if (changes_something(call->req.where) &&
      !dashboard_book::csrf_fits(*session, shown.csrf_header, shown.csrf_cookie))
    return call->answer(refuse(refusal::csrf_failed, "the request did not come from the dashboard's page"));
  session->used_s = now_s();
  route_admin(self, call, *session);
}

void dashboard_state::route_admin(self_ptr self, const call_ptr& call, const dashboard_session& session) {
  const dashboard_visitor who = session.who;
  switch (call->req.where) {
    case route::admin_logout:
      return log_out(call, session);
    case route::admin_logout_all:
      return log_all_out(call, who);
    case route::admin_overview:
    case route::admin_devices:
    case route::admin_storage:
      return self->send(deps.readers->next(),
                        admin_view_call{call, who.account, is_owner(who.account), who.recovery});
    case route::admin_logs:
      return show_logs(call, who);
    case route::admin_revoke:
      return revoke(self, call, who);
    case route::admin_archive:
      return archive(self, call, who);
    case route::admin_gc_run:
      self->send(deps.collector, collect_now{});
      return call->answer(ok(wire::queued_text, 202));
    case route::admin_scrub_run:
      self->send(deps.scrubber, scrub_now{});
      return call->answer(ok(wire::queued_text, 202));
    default:
      return call->answer(refuse(refusal::not_found, "no such route"));
  }
}

void dashboard_state::log_out(const call_ptr& call, const dashboard_session& session) {
  book->close(session);
  report_closed(1, "logout");
  call->answer(clearing_cookies());
}

void dashboard_state::log_all_out(const call_ptr& call, const dashboard_visitor& who) {
  report_closed(book->close_all(who.account), "logout_all");
  call->answer(clearing_cookies());
}

void dashboard_state::show_logs(const call_ptr& call, const dashboard_visitor& who) const {
  request_log_view view;
  view.account = who.account;
  view.shows_nobodys = is_owner(who.account);
  view.device_prefix = call->req.query_value("device").value_or("");
  if (view.device_prefix.size() > device_prefix_chars_max || !is_hex(view.device_prefix))
    return call->answer(refuse(refusal::bad_request, "device is up to 32 lowercase hex digits"));
  const auto limit = number_of(call->req, "limit", wire::log_lines_default);
  if (!limit) return call->answer(refuse(refusal::bad_request, "limit is a number"));
  view.lines_max = static_cast<std::size_t>(std::clamp<std::int64_t>(*limit, 1, wire::log_lines_max));
  call->answer(ok(wire::to_json(deps.requests->newest(view))));
}

// Answers the call itself where it returns nothing.
std::optional<device_id> dashboard_state::named_device(const call_ptr& call,
                                                       const dashboard_visitor& who) const {
  const auto target = device_id::parse(call->req.params[0]);
  if (!target) {
    call->answer(refuse(refusal::bad_request, "a device is named by 32 lowercase hex digits"));
    return std::nullopt;
  }
  if (!who.account) {
    call->answer(refuse(refusal::unknown_device, "there is no such device"));
    return std::nullopt;
  }
  return target;
}

void dashboard_state::revoke(self_ptr self, const call_ptr& call, const dashboard_visitor& who) {
  const auto target = named_device(call, who);
  if (!target) return;
  commit(self, call, store::revoke_device{*who.account, *target, deps.time->now_ms(), {{}, who.device}},
         target);
}

void dashboard_state::archive(self_ptr self, const call_ptr& call, const dashboard_visitor& who) {
  const auto target = named_device(call, who);
  if (!target) return;
  commit(self, call, store::archive_device{*who.account, *target}, std::nullopt);
}

void dashboard_state::commit(self_ptr self, const call_ptr& call, store::operation operation,
                             const std::optional<device_id>& revoked) {
  commit_one(self, deps.journal, std::move(operation),
             [this, self, call, revoked](const store::commit_outcome& outcome) {
               guarded(name, call, [&] {
                 if (!outcome.ok()) return call->answer(refuse(outcome.error()));
                 if (revoked) {
                   self->send(deps.front, device_revoked{*revoked});
                   log::line(log::level::info, "device_revoked").add("device", revoked->hex().substr(0, 8));
                   close_device(*revoked);
                 }
                 call->answer(no_content());
               });
             });
}

// --- going out

void dashboard_state::close_device(const device_id& device) {
  report_closed(book->close_device(device), "device_revoked");
}

void dashboard_state::shut_account(const account_id& account) {
  shut.insert(account);
  report_closed(book->close_all(account), "account_disabled");
}

void dashboard_state::forget_account(const account_id& account) {
  report_closed(book->close_all(account), "account_erased");
  shut.erase(account);
  if (deps.owner == account) deps.owner.reset();
}

void dashboard_state::report_closed(std::size_t sessions, const char* decision) const {
  if (sessions == 0) return;
  log::line(log::level::info, "dashboard_sessions_closed")
      .add("decision", decision)
      .add("count", static_cast<std::int64_t>(sessions));
}

caf::behavior dashboard(timed<dashboard_state>* self, const dashboard_limits& limits,
                        const dashboard_deps& deps) {
  dashboard_state& state = self->state;
  state.deps = deps;
  state.book = std::make_unique<dashboard_book>(limits, *state.deps.random);
  log_unexpected(self, dashboard_state::name);
  return {
      [self](const public_call& from) {
        guarded(dashboard_state::name, from.call, [&] { self->state.on_call(self, from.call); });
      },
      [self](const login_link_call& from) {
        guarded(dashboard_state::name, from.call, [&] { self->state.make_link(from); });
      },
      [self](const device_revoked& news) { self->state.close_device(news.device); },
      [self](const device_removed& news) { self->state.close_device(news.device); },
      [self](const owner_known& news) {
        self->state.deps.owner = news.account;
        self->state.book->adopt(news.account);
      },
      [self](const device_role_changed& news) {
        if (news.read_only) self->state.close_device(news.device);
      },
      [self](const account_disabled& news) { self->state.shut_account(news.account); },
      [self](const account_enabled& news) { self->state.shut.erase(news.account); },
      [self](const account_erased& news) { self->state.forget_account(news.account); },
      [self](const close_dashboard& wish) {
        self->state.report_closed(self->state.book->close_all(wish.account), "account_closed");
      },
  };
}

}  // namespace

caf::actor spawn_dashboard(caf::actor_system& system, const dashboard_limits& limits, dashboard_deps deps) {
  return system.spawn(dashboard, limits, std::move(deps));
}

}  // namespace obsync::actors
