// The dashboard of the real server, as a browser meets it.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/e2e/browser.hpp"
#include "tests/e2e/device.hpp"
#include "tests/e2e/raw_device.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::test {
namespace {

const std::string session_name = "__Host-obsync_session";
const std::string csrf_name = "__Host-obsync_csrf";

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class Dashboard : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(server_.start());
    device_ = std::make_unique<raw_device>(server_, "family");
    ASSERT_TRUE(device_->ok());
  }

  // A browser logged in by a link of that device.
  browser enter(raw_device& by) {
    browser made(server_);
    const raw_answer answer = made.get(by.login_link());
    EXPECT_EQ(answer.status, 302) << answer.body;
    return made;
  }

  std::size_t lines_of(const std::string& event) const {
    const std::string log = server_.log();
    std::size_t count = 0;
    for (std::size_t at = log.find(event); at != std::string::npos; at = log.find(event, at + 1)) ++count;
    return count;
  }

  scratch_folder scratch_;
  server_process server_{
      scratch_.path(), {"--server.dashboard_dir=" OBSYNC_SOURCE_DIR "/dashboard", "--store.blobs_class=ssd"}};
  std::unique_ptr<raw_device> device_;
};

TEST_F(Dashboard, TheSetupTokenLogsInAndShowsEveryView) {
  seeded_random random(3);
  const made_note note = make_note(random, 2'000);
  ASSERT_TRUE(device_->server().put_chunk(note.sid, note.sealed));
  ASSERT_TRUE(device_->server().post_version(note.file, note.post));
  browser owner(server_);
  const raw_answer login = owner.get("/login?token=" + server_.setup_token());
  EXPECT_EQ(login.status, 302);
  EXPECT_EQ(login.header("Location"), "/");
  EXPECT_FALSE(login.header("X-Obsync-Seq").empty());
  EXPECT_EQ(owner.cookie(session_name).size(), 64u);
  EXPECT_EQ(owner.cookie(csrf_name).size(), 64u);

  const raw_answer overview = owner.get("/v1/admin/overview");
  EXPECT_EQ(overview.status, 200);
  EXPECT_TRUE(has(overview.body, "\"name\":\"family\"")) << overview.body;
  EXPECT_TRUE(has(overview.body, "\"versions\":{\"total\":1,\"files\":1}")) << overview.body;
  EXPECT_TRUE(has(overview.body, "\"session\":{\"recovery\":true}")) << overview.body;
  EXPECT_FALSE(overview.header("X-Obsync-Seq").empty());
  const raw_answer devices = owner.get("/v1/admin/devices");
  EXPECT_TRUE(has(devices.body, device_->who().device.hex())) << devices.body;
  EXPECT_TRUE(has(devices.body, "\"event\":\"edit\"")) << devices.body;
  EXPECT_TRUE(has(devices.body, "\"event\":\"sign_in\"")) << devices.body;
  const raw_answer storage = owner.get("/v1/admin/storage");
  EXPECT_TRUE(has(storage.body, "\"role\":\"blobs\",\"path_class\":\"ssd\"")) << storage.body;
  EXPECT_TRUE(has(storage.body, "\"role\":\"journal\"")) << storage.body;
  const raw_answer logs = owner.get("/v1/admin/logs?limit=500");
  EXPECT_TRUE(has(logs.body, "\"path_class\":\"/v1/files/{id}/versions\",\"device\":\"" +
                                 device_->who().device.hex() + "\",\"status\":201"))
      << logs.body;
}

TEST_F(Dashboard, ALinkOfADeviceWorksOnce) {
  const std::string link = device_->login_link();
  browser first(server_);
  EXPECT_EQ(first.get(link).status, 302);
  EXPECT_EQ(first.get("/v1/admin/overview").status, 200);
  browser second(server_);
  const raw_answer again = second.get(link);
  EXPECT_EQ(again.status, 401);
  EXPECT_TRUE(has(again.body, "\"error\":\"bad_login_token\""));
  EXPECT_TRUE(again.header("X-Obsync-Seq").empty()) << "strangers learn no position";
  EXPECT_EQ(second.get("/v1/admin/overview").status, 401);
}

TEST_F(Dashboard, WithoutTheRightCsrfValueNothingChanges) {
  const auto other = device_->pair_another(server_);
  ASSERT_TRUE(other);
  browser owner = enter(*device_);
  const std::string target = "/v1/admin/devices/" + other->who().device.hex() + "/revoke";
  const std::string right = owner.cookie(csrf_name);
  const std::string wrong(64, '0');
  EXPECT_EQ(owner.send("POST", target, {}).status, 403);
  EXPECT_EQ(owner.send("POST", target, "X-Obsync-Csrf: " + wrong + "\r\n").status, 403);
  owner.set_cookie(csrf_name, wrong);
  EXPECT_EQ(owner.send("POST", target, "X-Obsync-Csrf: " + right + "\r\n").status, 403);
  const raw_answer forged = owner.send("POST", target, "X-Obsync-Csrf: " + wrong + "\r\n");
  EXPECT_EQ(forged.status, 403);
  EXPECT_TRUE(has(forged.body, "\"error\":\"csrf_failed\""));
  EXPECT_FALSE(forged.header("X-Obsync-Seq").empty());
  EXPECT_TRUE(other->server().account());
  owner.set_cookie(csrf_name, right);
  EXPECT_EQ(owner.post(target).status, 204);
  EXPECT_FALSE(other->server().account());
}

TEST_F(Dashboard, ADeviceRevokedThereIsRefusedAndItsOwnLoginsAreOver) {
  const auto other = device_->pair_another(server_);
  ASSERT_TRUE(other);
  browser owner = enter(*device_);
  browser gone = enter(*other);
  const std::string unspent = other->login_link();
  const std::string target = "/v1/admin/devices/" + other->who().device.hex();
  EXPECT_EQ(owner.post(target + "/archive").status, 409) << "only what is revoked is archived";
  EXPECT_EQ(owner.post(target + "/revoke").status, 204);
  EXPECT_EQ(owner.post(target + "/revoke").status, 204);
  EXPECT_EQ(other->server().account().error().refusal, wire::refusal::device_revoked);
  EXPECT_EQ(gone.get("/v1/admin/overview").status, 401);
  EXPECT_EQ(browser(server_).get(unspent).status, 401);
  EXPECT_EQ(owner.post(target + "/archive").status, 204);
  EXPECT_TRUE(has(owner.get("/v1/admin/devices").body, "\"archived\":true"));
  const std::string own = "/v1/admin/devices/" + device_->who().device.hex() + "/revoke";
  EXPECT_TRUE(has(owner.post(own).body, "\"error\":\"last_device\""));
}

TEST_F(Dashboard, ADeviceRevokedByADeviceHasNoLoginLeftWhenTheRevokerHasItsAnswer) {
  for (int i = 0; i < 10; ++i) {
    const auto other = device_->pair_another(server_);
    ASSERT_TRUE(other);
    browser gone = enter(*other);
    const std::string unspent = other->login_link();
    ASSERT_TRUE(device_->routes().revoke(other->who().device));
    EXPECT_EQ(gone.get("/v1/admin/overview").status, 401);
    EXPECT_EQ(browser(server_).get(unspent).status, 401);
    EXPECT_EQ(other->login_link(), "");
  }
}

TEST_F(Dashboard, LogoutEndsOneBrowserAndLogoutAllEveryOneAndEveryLink) {
  browser first = enter(*device_);
  browser second = enter(*device_);
  browser third = enter(*device_);
  const std::string unspent = device_->login_link();
  EXPECT_EQ(first.post("/v1/admin/logout").status, 204);
  EXPECT_EQ(first.cookie(session_name), "") << "the cookies were cleared";
  EXPECT_EQ(first.get("/v1/admin/overview").status, 401);
  EXPECT_EQ(second.get("/v1/admin/overview").status, 200);
  EXPECT_EQ(second.post("/v1/admin/logout-all").status, 204);
  EXPECT_EQ(third.get("/v1/admin/overview").status, 401);
  EXPECT_EQ(browser(server_).get(unspent).status, 401);
}

TEST_F(Dashboard, ARestartForgetsSessionsAndLinks) {
  browser owner = enter(*device_);
  const std::string link = device_->login_link();
  EXPECT_EQ(server_.stop(), 0);
  ASSERT_TRUE(server_.start());
  EXPECT_EQ(owner.get("/v1/admin/overview").status, 401);
  EXPECT_EQ(owner.get(link).status, 401);
}

TEST_F(Dashboard, ThePageTravelsWithItsPoliciesInTheProtocolsOrder) {
  browser anybody(server_);
  for (const auto& [target, type] : {std::pair<std::string, std::string>{"/", "text/html; charset=utf-8"},
                                     {"/index.html", "text/html; charset=utf-8"},
                                     {"/app.css", "text/css; charset=utf-8"},
                                     {"/app.js", "text/javascript; charset=utf-8"},
                                     {"/lib.js", "text/javascript; charset=utf-8"}}) {
    const raw_answer page = anybody.get(target);
    EXPECT_EQ(page.status, 200) << target;
    const std::vector<std::pair<std::string, std::string>> expected = {
        {"Content-Type", type},
        {"Content-Security-Policy",
         "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none'; "
         "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"},
        {"Cross-Origin-Opener-Policy", "same-origin"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cache-Control", "no-store"},
        {"X-Content-Type-Options", "nosniff"},
        {"X-Frame-Options", "DENY"},
        {"Referrer-Policy", "no-referrer"},
        {"Content-Length", std::to_string(page.body.size())},
        {"Connection", "close"}};
    EXPECT_EQ(page.headers, expected) << target;
  }
  EXPECT_TRUE(has(anybody.get("/README.md").body, "\"error\":\"not_found\""));
  EXPECT_EQ(anybody.send("HEAD", "/", {}).status, 404);
}

TEST_F(Dashboard, AFloodOfWrongTokensLeavesAShortLogWithoutAnyOfThem) {
  browser stranger(server_);
  const std::string wrong(64, '7');
  for (int i = 0; i < 500; ++i) EXPECT_EQ(stranger.get("/login?token=" + wrong).status, 401);
  EXPECT_TRUE(device_->server().account()) << "an honest device is served beside it";
  EXPECT_EQ(server_.stop(), 0);
  const std::string log = server_.log();
  EXPECT_FALSE(has(log, wrong));
  EXPECT_TRUE(has(log, "event=request_repeated of=request path_class=/login status=401"));
  EXPECT_TRUE(has(log, "event=request_repeated of=dashboard_login_refused"));
  // Ten of a kind in ten seconds, and this took far less than a minute.
  EXPECT_LE(lines_of("event=dashboard_login_refused"), 60u);
  EXPECT_LE(lines_of("path_class=/login"), 120u);
}

TEST(DashboardLink, TheClientPrintsOneThatLogsABrowserIn) {
  scratch_folder scratch;
  server_process server(scratch.path());
  ASSERT_TRUE(server.start());
  const device laptop(scratch.path(), "laptop");
  const finished made = laptop.init(server.url(), server.setup_token());
  ASSERT_EQ(made.status, 0) << made.output;
  const finished said = laptop.run({"dashboard", "--folder", laptop.root()});
  ASSERT_EQ(said.status, 0) << said.output;
  const std::size_t at = said.output.find(server.url() + "/login?token=");
  ASSERT_NE(at, std::string::npos) << said.output;
  browser anybody(server);
  const std::string target = said.output.substr(at + server.url().size(), 13 + 64);
  EXPECT_EQ(anybody.get(target).status, 302) << target;
  EXPECT_EQ(anybody.get("/v1/admin/overview").status, 200);
}

TEST(DashboardFiles, AServerWithoutThemSaysSoAndWorks) {
  scratch_folder scratch;
  server_process server(scratch.path(), {"--server.dashboard_dir=" + scratch.path() + "/none"});
  ASSERT_TRUE(server.start());
  browser anybody(server);
  const raw_answer page = anybody.get("/");
  EXPECT_EQ(page.status, 404);
  EXPECT_TRUE(has(page.body, "\"error\":\"dashboard_unavailable\""));
  EXPECT_TRUE(has(server.log(), "event=dashboard_file_missing file=index.html"));
}

}  // namespace
}  // namespace obsync::test
