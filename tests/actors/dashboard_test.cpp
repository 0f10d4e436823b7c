#include "actors/dashboard.hpp"

#include "actors/dashboard_pages.hpp"
#include "tests/actors/actor_world.hpp"
#include "tests/support/catalog_fixture.hpp"

namespace obsync::actors {
namespace {

using test::id_of;

// What a browser keeps: both cookies.
struct browser {
  std::string session;
  std::string csrf;
};

// A dashboard between a front, a journal and a reader that only take notes.
class Dashboard : public actor_world {
 protected:
  Dashboard() { random_->fill(setup_token_.raw); }

  void start(std::optional<account_id> owner = id_of<account_id>(1)) {
    dashboard_deps deps;
    deps.time = time_;
    deps.random = random_;
    deps.heads = heads_;
    deps.requests = requests_;
    deps.setup_token = setup_token_;
    deps.owner = owner;
    deps.public_url = "https://notes.example";
    deps.front = keep(system_->spawn([this](caf::event_based_actor*) -> caf::behavior {
      return {[this](const device_revoked& news) { revoked_.push_back(news.device); }};
    }));
    deps.collector = keep(system_->spawn([this](caf::event_based_actor*) -> caf::behavior {
      return {[this](collect_now) { ++collections_; }, [this](scrub_now) { ++scrubs_; }};
    }));
    deps.scrubber = deps.collector;
    deps.journal = keep(system_->spawn([this](caf::event_based_actor*) -> caf::behavior {
      return {[this](const commit_request_ptr& wish) {
        committed_.push_back(*wish);
        auto reply = std::make_shared<commit_reply>();
        reply->outcomes.push_back(refusal_ ? store::commit_outcome(*refusal_)
                                           : store::commit_outcome(store::committed{}));
        return reply;
      }};
    }));
    deps.readers = std::make_shared<worker_pool>(
        std::vector{keep(system_->spawn([this](caf::event_based_actor*) -> caf::behavior {
          return {[this](const admin_view_call& task) {
            viewed_.push_back(task);
            task.call->answer(ok("{}"));
          }};
        }))});
    dashboard_ = keep(spawn_dashboard(*system_, {}, std::move(deps)));
    run();
  }

  recorded_call_ptr send(recorded_call_ptr call) {
    caf::anon_send(dashboard_, public_call{call});
    run();
    return call;
  }

  recorded_call_ptr log_in(const std::string& token) {
    auto call = make_call(route::login);
    call->req.query.emplace_back("token", token);
    return send(call);
  }

  std::string make_link(std::uint64_t account, std::uint64_t device) {
    auto call = make_call(route::login_link);
    caf::anon_send(dashboard_, login_link_call{call, id_of<account_id>(account), id_of<device_id>(device)});
    run();
    const std::string text = call->text();
    const std::string sign = "/login?token=";
    return text.substr(text.find(sign) + sign.size(), 64);
  }

  static browser browser_of(const recorded_call& logged_in) {
    const auto& headers = logged_in.got().headers;
    EXPECT_EQ(headers.size(), 3u);
    const auto value = [](const std::string& text) { return text.substr(text.find('=') + 1, 64); };
    return {value(headers.at(1).second), value(headers.at(2).second)};
  }

  browser enter(std::uint64_t account, std::uint64_t device) {
    return browser_of(*log_in(make_link(account, device)));
  }

  recorded_call_ptr ask(const browser& who, route where, std::vector<std::string> params = {}) {
    auto call = make_call(where, std::move(params));
    call->req.browser = {who.session, who.csrf, who.csrf};
    return send(call);
  }

  std::shared_ptr<random_source> random_ = std::make_shared<seeded_random>(9);
  crypto::secret32 setup_token_;
  std::shared_ptr<account_heads> heads_ = std::make_shared<account_heads>();
  std::shared_ptr<request_log> requests_ = std::make_shared<request_log>(time_);
  caf::actor dashboard_;
  std::vector<device_id> revoked_;
  int collections_ = 0;
  int scrubs_ = 0;
  std::vector<commit_request> committed_;
  std::vector<admin_view_call> viewed_;
  std::optional<wire::failure> refusal_;
};

const std::string some_device(32, 'a');

TEST_F(Dashboard, ALinkSetsBothCookiesAndLeadsToThePage) {
  start();
  const auto call = log_in(make_link(1, 5));
  EXPECT_EQ(call->status(), 302);
  const auto& headers = call->got().headers;
  ASSERT_EQ(headers.size(), 3u);
  EXPECT_EQ(headers[0], (std::pair<reply_header, std::string>{reply_header::location, "/"}));
  const browser who = browser_of(*call);
  EXPECT_EQ(headers[1].second, "__Host-obsync_session=" + who.session +
                                   "; Path=/; Max-Age=43200; Secure; HttpOnly; SameSite=Strict");
  EXPECT_EQ(headers[2].second,
            "__Host-obsync_csrf=" + who.csrf + "; Path=/; Max-Age=43200; Secure; SameSite=Strict");
}

TEST_F(Dashboard, ALinkIsAnnouncedUnderThePublicAddressWithItsEnd) {
  start();
  auto call = make_call(route::login_link);
  caf::anon_send(dashboard_, login_link_call{call, id_of<account_id>(1), id_of<device_id>(5)});
  run();
  EXPECT_EQ(call->status(), 200);
  EXPECT_EQ(call->text().find("{\"url\":\"https://notes.example/login?token="), 0u);
  EXPECT_TRUE(call->text().ends_with("\"expires\":" + std::to_string(time_->now_s() + 300) + "}"));
}

TEST_F(Dashboard, AWrongMissingOrSpentTokenIsRefusedAlike) {
  start();
  const std::string link = make_link(1, 5);
  EXPECT_EQ(log_in(link)->status(), 302);
  const auto spent = log_in(link);
  EXPECT_EQ(spent->decision(), "bad_login_token");
  EXPECT_EQ(spent->text(), log_in(std::string(64, '0'))->text());
  EXPECT_EQ(spent->text(), send(make_call(route::login))->text());
  EXPECT_FALSE(spent->proved) << "no position of any feed for strangers";
}

TEST_F(Dashboard, TheSetupTokenOpensTheOwnersAccountAgainAndAgainAsRecovery) {
  start();
  for (int i = 0; i < 2; ++i) {
    const browser who = browser_of(*log_in(setup_token_.hex()));
    EXPECT_EQ(ask(who, route::admin_overview)->status(), 200);
    EXPECT_EQ(viewed_.back().account, id_of<account_id>(1));
    EXPECT_TRUE(viewed_.back().recovery);
    EXPECT_TRUE(viewed_.back().is_owner);
  }
}

TEST_F(Dashboard, BeforeThereIsAnAccountTheSetupTokenShowsNoneAndLaterTheOwners) {
  start(std::nullopt);
  const browser who = browser_of(*log_in(setup_token_.hex()));
  ask(who, route::admin_overview);
  EXPECT_EQ(viewed_.back().account, std::nullopt);
  EXPECT_EQ(ask(who, route::admin_revoke, {some_device})->decision(), "unknown_device");
  caf::anon_send(dashboard_, owner_known{id_of<account_id>(3)});
  ask(who, route::admin_overview);
  EXPECT_EQ(viewed_.back().account, id_of<account_id>(3));
}

TEST_F(Dashboard, WithoutASessionEveryAdminRouteIsNoSession) {
  start();
  for (const route where :
       {route::admin_logout, route::admin_logout_all, route::admin_overview, route::admin_devices,
        route::admin_revoke, route::admin_archive, route::admin_storage, route::admin_gc_run,
        route::admin_scrub_run, route::admin_logs}) {
    auto call = make_call(where, {"nonsense"});
    call->req.browser.session = std::string(64, '0');
    EXPECT_EQ(send(call)->decision(), "no_session");
    EXPECT_FALSE(call->proved);
  }
}

TEST_F(Dashboard, WhatChangesSomethingNeedsTheCsrfValueAndWhatOnlyLooksDoesNot) {
  start();
  const browser who = enter(1, 5);
  for (const route where : {route::admin_logout, route::admin_logout_all, route::admin_revoke,
                            route::admin_archive, route::admin_gc_run, route::admin_scrub_run}) {
    auto call = make_call(where, {"nonsense"});
    call->req.browser = {who.session, who.csrf, std::nullopt};
    EXPECT_EQ(send(call)->decision(), "csrf_failed");
    EXPECT_TRUE(call->proved) << "the session is proved all the same";
  }
  for (const route where :
       {route::admin_overview, route::admin_devices, route::admin_storage, route::admin_logs}) {
    auto call = make_call(where);
    call->req.browser.session = who.session;
    EXPECT_EQ(send(call)->status(), 200);
  }
  EXPECT_TRUE(committed_.empty());
}

TEST_F(Dashboard, ARefusedRequestDoesNotKeepASessionAlive) {
  start();
  const browser who = enter(1, 5);
  time_->advance_ms(3'599'000);
  EXPECT_EQ(ask({who.session, std::string(64, '0')}, route::admin_logout_all)->decision(), "csrf_failed");
  time_->advance_ms(1'000);
  EXPECT_EQ(ask(who, route::admin_overview)->decision(), "no_session");
}

TEST_F(Dashboard, AnAcceptedRequestKeepsASessionAliveForAnotherHour) {
  start();
  const browser who = enter(1, 5);
  for (int i = 0; i < 11; ++i) {
    time_->advance_ms(3'599'000);
    EXPECT_EQ(ask(who, route::admin_overview)->status(), 200) << i;
  }
  time_->advance_ms(1'800'000);
  EXPECT_EQ(ask(who, route::admin_overview)->status(), 200);
  time_->advance_ms(1'811'000);
  EXPECT_EQ(ask(who, route::admin_overview)->decision(), "no_session") << "twelve hours are over";
}

TEST_F(Dashboard, TheSequenceShownIsTheAccountsOwn) {
  start();
  heads_->advance(id_of<account_id>(1), 41);
  heads_->advance(id_of<account_id>(2), 7);
  EXPECT_EQ(ask(enter(2, 6), route::admin_overview)->proved, 7);
  const auto login = log_in(make_link(1, 5));
  EXPECT_EQ(login->proved, 41);
  EXPECT_EQ(login->proved_account, id_of<account_id>(1));
}

TEST_F(Dashboard, ASessionSeesAndRevokesWithinItsOwnAccountOnly) {
  start();
  const browser who = enter(2, 6);
  ask(who, route::admin_devices);
  EXPECT_EQ(viewed_.back().account, id_of<account_id>(2));
  EXPECT_FALSE(viewed_.back().is_owner);
  refusal_ = wire::failure{wire::refusal::unknown_device, "there is no such device"};
  EXPECT_EQ(ask(who, route::admin_revoke, {some_device})->decision(), "unknown_device");
  const auto& asked = std::get<store::revoke_device>(committed_.back().operations.front());
  EXPECT_EQ(asked.account, id_of<account_id>(2));
  EXPECT_TRUE(revoked_.empty());
}

TEST_F(Dashboard, LogsShowAnAccountItsOwnRequestsAndTheOwnerAlsoNobodys) {
  start();
  const auto note = [this](std::uint64_t account, const std::string& decision) {
    request_line line{0, "GET", "/v1/account", some_device, 200, 0, 0, decision};
    line.proved = true;
    line.account = id_of<account_id>(account);
    requests_->add(std::move(line), log::level::debug);
  };
  note(1, "first");
  note(2, "second");
  requests_->add({0, "GET", "/v1/account", "", 401, 0, 0, "missing_auth"}, log::level::debug);
  const std::string owner = ask(enter(1, 5), route::admin_logs)->text();
  const std::string other = ask(enter(2, 6), route::admin_logs)->text();
  EXPECT_NE(owner.find("first"), std::string::npos);
  EXPECT_NE(owner.find("missing_auth"), std::string::npos);
  EXPECT_EQ(owner.find("second"), std::string::npos);
  EXPECT_NE(other.find("second"), std::string::npos);
  EXPECT_EQ(other.find("first"), std::string::npos);
  EXPECT_EQ(other.find("missing_auth"), std::string::npos);
}

TEST_F(Dashboard, LogFiltersAreCheckedAndTheLimitIsMovedIntoItsRange) {
  start();
  const browser who = enter(1, 5);
  const auto logs = [&](const std::string& name, const std::string& value) {
    auto call = make_call(route::admin_logs);
    call->req.browser.session = who.session;
    call->req.query.emplace_back(name, value);
    return send(call)->status();
  };
  EXPECT_EQ(logs("device", std::string(32, 'a')), 200);
  EXPECT_EQ(logs("device", std::string(33, 'a')), 400);
  EXPECT_EQ(logs("device", "AB"), 400);
  EXPECT_EQ(logs("limit", "0"), 200);
  EXPECT_EQ(logs("limit", "99999"), 200);
  EXPECT_EQ(logs("limit", "-1"), 400);
  EXPECT_EQ(logs("limit", "many"), 400);
}

TEST_F(Dashboard, RevokingTellsTheFrontAndClosesTheDevicesSessionsAtOnce) {
  start();
  const browser revoker = enter(1, 5);
  const browser gone = enter(1, 6);
  const std::string link = make_link(1, 6);
  EXPECT_EQ(ask(revoker, route::admin_revoke, {id_of<device_id>(6).hex()})->status(), 204);
  EXPECT_EQ(revoked_, (std::vector{id_of<device_id>(6)}));
  EXPECT_EQ(ask(gone, route::admin_overview)->decision(), "no_session");
  EXPECT_EQ(log_in(link)->decision(), "bad_login_token");
  EXPECT_EQ(ask(revoker, route::admin_overview)->status(), 200);
}

TEST_F(Dashboard, ARefusedRevocationClosesNothing) {
  start();
  const browser who = enter(1, 5);
  refusal_ = wire::failure{wire::refusal::last_device, "the last one"};
  EXPECT_EQ(ask(who, route::admin_revoke, {id_of<device_id>(5).hex()})->decision(), "last_device");
  EXPECT_EQ(ask(who, route::admin_overview)->status(), 200);
  EXPECT_TRUE(revoked_.empty());
}

TEST_F(Dashboard, NewsOfARevocationFromElsewhereClosesToo) {
  start();
  const browser who = enter(1, 6);
  caf::anon_send(dashboard_, device_revoked{id_of<device_id>(6)});
  EXPECT_EQ(ask(who, route::admin_overview)->decision(), "no_session");
}

TEST_F(Dashboard, ArchivingIsCommittedForTheSessionsAccount) {
  start();
  EXPECT_EQ(ask(enter(2, 6), route::admin_archive, {some_device})->status(), 204);
  EXPECT_EQ(std::get<store::archive_device>(committed_.back().operations.front()).account,
            id_of<account_id>(2));
  EXPECT_EQ(ask(enter(2, 6), route::admin_archive, {"A"})->decision(), "bad_request");
}

TEST_F(Dashboard, LogoutEndsThisSessionAndClearsBothCookies) {
  start();
  const browser who = enter(1, 5);
  const browser other = enter(1, 5);
  const auto call = ask(who, route::admin_logout);
  EXPECT_EQ(call->status(), 204);
  ASSERT_EQ(call->got().headers.size(), 2u);
  EXPECT_EQ(call->got().headers[0].second,
            "__Host-obsync_session=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=Strict");
  EXPECT_EQ(call->got().headers[1].second, "__Host-obsync_csrf=; Path=/; Max-Age=0; Secure; SameSite=Strict");
  EXPECT_EQ(ask(who, route::admin_overview)->decision(), "no_session");
  EXPECT_EQ(ask(other, route::admin_overview)->status(), 200);
}

TEST_F(Dashboard, LogoutAllEndsTheAccountsSessionsAndUnspentLinksAndNoOtherAccounts) {
  start();
  const browser who = enter(1, 5);
  const browser other = enter(1, 6);
  const browser foreign = enter(2, 7);
  const std::string link = make_link(1, 5);
  const std::string foreign_link = make_link(2, 7);
  EXPECT_EQ(ask(who, route::admin_logout_all)->status(), 204);
  EXPECT_EQ(ask(who, route::admin_overview)->decision(), "no_session");
  EXPECT_EQ(ask(other, route::admin_overview)->decision(), "no_session");
  EXPECT_EQ(log_in(link)->decision(), "bad_login_token");
  EXPECT_EQ(ask(foreign, route::admin_overview)->status(), 200);
  EXPECT_EQ(log_in(foreign_link)->status(), 302);
}

TEST_F(Dashboard, AnAccountThatIsShutHasNoSessionLeft) {
  start();
  const browser who = enter(2, 7);
  caf::anon_send(dashboard_, close_dashboard{id_of<account_id>(2)});
  EXPECT_EQ(ask(who, route::admin_overview)->decision(), "no_session");
}

TEST_F(Dashboard, ACollectionAndAScrubAreQueued) {
  start();
  const browser who = enter(1, 5);
  EXPECT_EQ(ask(who, route::admin_gc_run)->text(), R"({"queued":true})");
  EXPECT_EQ(collections_, 1);
  EXPECT_EQ(ask(who, route::admin_scrub_run)->status(), 202);
  EXPECT_EQ(scrubs_, 1);
}

TEST_F(Dashboard, ABodyIsOfNoInterest) {
  start();
  const browser who = enter(1, 5);
  auto call = make_call(route::admin_logout);
  call->req.body_is = body_state::unread;
  call->req.browser = {who.session, who.csrf, who.csrf};
  EXPECT_EQ(send(call)->status(), 204);
}

}  // namespace
}  // namespace obsync::actors
