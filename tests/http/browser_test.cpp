// What a browser sends and gets, and what is written of a request: a connection over loopback with a door
// that answers by route.
#include <gtest/gtest.h>
#include <boost/asio/connect.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <thread>

#include "core/random.hpp"
#include "http/connection.hpp"
#include "http/listener.hpp"
#include "tests/support/catalog_fixture.hpp"

namespace obsync::http {
namespace {

namespace net = boost::asio;
using net::ip::tcp;

const std::string device(32, 'd');

class browser_door final : public actors::door {
 public:
  bool expects(const actors::credentials&) const override { return true; }
  void submit(actors::call_ptr incoming) override {
    const auto& shown = incoming->req.browser;
    switch (incoming->req.where) {
      case actors::route::login: {
        incoming->proved = 3;
        actors::reply out;
        out.status = 302;
        out.headers = {{actors::reply_header::location, "/"},
                       {actors::reply_header::set_cookie, "a=1"},
                       {actors::reply_header::set_cookie, "b=2"}};
        return incoming->answer(std::move(out));
      }
      case actors::route::admin_overview:
        incoming->proved = 3;
        incoming->proved_account = test::id_of<account_id>(1);
        return incoming->answer(actors::ok(shown.session.value_or("-") + "|" +
                                           shown.csrf_cookie.value_or("-") + "|" +
                                           shown.csrf_header.value_or("-")));
      case actors::route::devices:
        incoming->proved = 3;
        incoming->proved_account = test::id_of<account_id>(1);
        incoming->proved_device = *device_id::parse(device);
        return incoming->answer(actors::ok("{}"));
      case actors::route::dashboard_index:
        return incoming->answer(actors::ok("page"));
      case actors::route::admin_devices:
        return incoming->answer(actors::ok("forgot to check"));
      default:
        return incoming->answer(actors::refuse(wire::refusal::bad_signature, "no"));
    }
  }
};

class Browser : public testing::Test {
 protected:
  void SetUp() override {
    log::set_sink([this](std::string_view line) {
      const std::lock_guard lock(mutex_);
      written_.emplace_back(line);
    });
    auto made = listen(io_, "127.0.0.1", 0, server_);
    ASSERT_TRUE(made);
    listener_ = *made;
    listener_->start();
    thread_ = std::thread([this] { io_.run(); });
  }

  ~Browser() override {
    end();
    log::set_sink({});
  }

  // Everything the server still has to write is written after this.
  void end() {
    if (!thread_.joinable()) return;
    listener_->wind_down();
    listener_->cut();
    server_.wait_empty(std::chrono::seconds(5));
    io_.stop();
    thread_.join();
  }

  std::string exchange(const std::string& line, const std::string& more = {}) {
    net::io_context peer;
    tcp::socket socket(peer);
    socket.connect({net::ip::address_v4::loopback(), listener_->port()});
    net::write(socket, net::buffer(line + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + more + "\r\n"));
    std::string out;
    boost::system::error_code ended;
    net::read(socket, net::dynamic_buffer(out), ended);
    return out;
  }

  std::vector<request_line> lines() { return requests_->newest({test::id_of<account_id>(1), true, {}, 100}); }

  std::string written() {
    end();
    std::string out;
    for (const std::string& line : written_) out += line + "\n";
    return out;
  }

  std::mutex mutex_;
  std::vector<std::string> written_;
  seeded_random random_{5};
  browser_door door_;
  std::shared_ptr<request_log> requests_ =
      std::make_shared<request_log>(std::make_shared<manual_clock>(1'000'000));
  net::io_context io_;
  net::executor_work_guard<net::io_context::executor_type> work_{io_.get_executor()};
  server server_{{}, door_, random_, requests_};
  std::shared_ptr<listener> listener_;
  std::thread thread_;
};

TEST_F(Browser, ARedirectCarriesLocationAndBothCookiesBeforeTheFixedHeaders) {
  EXPECT_EQ(exchange("GET /login?token=x"),
            "HTTP/1.1 302 Found\r\nLocation: /\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n"
            "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n"
            "Referrer-Policy: no-referrer\r\nX-Obsync-Seq: 3\r\nContent-Length: 0\r\n"
            "Connection: close\r\n\r\n");
}

TEST_F(Browser, CookiesAndTheCsrfHeaderReachTheActors) {
  const std::string answer =
      exchange("GET /v1/admin/overview",
               "Cookie: x=y; __Host-obsync_csrf=c; __Host-obsync_session=s\r\nX-Obsync-Csrf: h\r\n");
  EXPECT_TRUE(answer.ends_with("\r\n\r\ns|c|h")) << answer;
  EXPECT_TRUE(exchange("GET /v1/admin/overview", "Cookie: obsync_session=s\r\n").ends_with("-|-|-"));
}

TEST_F(Browser, ARequestsLineNamesTheDeviceThatSignedAndOnlyEightDigitsOfOneThatClaims) {
  exchange("GET /v1/devices", "X-Obsync-Device: " + device + "\r\n");
  exchange("GET /v1/account", "X-Obsync-Device: " + device + "\r\n");
  exchange("GET /v1/admin/overview", "X-Obsync-Device: " + device + "\r\n");
  end();
  const auto seen = lines();
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen[0].device, "") << "a session is no device, whatever a header says";
  EXPECT_EQ(seen[1].device, device.substr(0, 8));
  EXPECT_FALSE(seen[1].proved);
  EXPECT_EQ(seen[2].device, device);
  EXPECT_EQ(seen[2].account, test::id_of<account_id>(1));
}

TEST_F(Browser, NoLineHoldsATokenAQueryOrACookie) {
  exchange("GET /login?token=sesame", "Cookie: __Host-obsync_session=sesame\r\n");
  exchange("GET /sesame?sesame");
  const std::string text = written();
  EXPECT_EQ(text.find("sesame"), std::string::npos) << text;
  EXPECT_NE(text.find("path_class=/login"), std::string::npos);
  EXPECT_NE(text.find("path_class=/unknown"), std::string::npos);
}

TEST_F(Browser, SuccessWithoutAProvedCredentialIsSaidAloudUnlessTheRouteIsOpenToAll) {
  exchange("GET /");
  exchange("GET /v1/admin/devices");
  const std::string text = written();
  EXPECT_NE(text.find("level=error event=provenance path_class=/v1/admin/devices "
                      "decision=unverified_success"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("event=provenance path_class=/ "), std::string::npos);
}

TEST_F(Browser, AFloodOfGarbageIsAFewLines) {
  for (int i = 0; i < 50; ++i) exchange("GET nonsense");
  const std::string text = written();
  std::size_t count = 0;
  for (std::size_t at = text.find("event=http_refused"); at != std::string::npos;
       at = text.find("event=http_refused", at + 1))
    ++count;
  EXPECT_EQ(count, 10u);
}

}  // namespace
}  // namespace obsync::http
