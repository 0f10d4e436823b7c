// The transport against a real socket on this machine; nothing here sleeps.
#include "client/remote/transport.hpp"

#include <gtest/gtest.h>

#include <future>

#include "tests/support/tiny_server.hpp"

namespace obsync::client {
namespace {

using failure_kind = exchange_failure::kind;
using test::http_text;
using test::tiny_request;
using test::tiny_server;

constexpr exchange_limits generous{1u << 20, 30'000};

std::unique_ptr<transport> connect_to(const std::string& url) {
  auto made = make_http_transport({.server = *parse_endpoint(url)});
  EXPECT_TRUE(made);
  return *std::move(made);
}

http_request get(const std::string& target) {
  http_request request;
  request.method = "GET";
  request.target = target;
  return request;
}

TEST(HttpTransport, SendsWhatItWasGivenAndBringsBackWhatWasAnswered) {
  tiny_request heard;
  tiny_server server([&](const tiny_request& request) {
    heard = request;
    return http_text(201, R"({"a":1})");
  });
  auto wire = connect_to(server.url());
  http_request request = get("/v1/chunks/abc?x=%20");
  request.method = "PUT";
  request.headers = {{"X-Obsync-Ts", "12"}};
  const bytes body(300'000, 0x5A);
  request.body = body;
  const auto answer = wire->exchange(request, generous);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 201);
  EXPECT_EQ(answer->content_type, "application/json");
  EXPECT_EQ(as_text(answer->body), R"({"a":1})");
  EXPECT_EQ(heard.method, "PUT");
  EXPECT_EQ(heard.target, "/v1/chunks/abc?x=%20");
  EXPECT_EQ(heard.headers["x-obsync-ts"], "12");
  EXPECT_EQ(heard.headers["host"], "127.0.0.1:" + std::to_string(server.port()));
  EXPECT_EQ(heard.body.size(), body.size());
}

TEST(HttpTransport, KeepsOneConnectionForCallsInTurn) {
  tiny_server server([](const tiny_request&) { return http_text(204, ""); });
  auto wire = connect_to(server.url());
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(wire->exchange(get("/"), generous));
  EXPECT_EQ(server.connections(), 1);
}

TEST(HttpTransport, OpensAFreshConnectionWhenAsked) {
  tiny_server server([](const tiny_request&) { return http_text(204, ""); });
  auto wire = connect_to(server.url());
  ASSERT_TRUE(wire->exchange(get("/"), generous));
  http_request once = get("/");
  once.fresh_connection = true;
  ASSERT_TRUE(wire->exchange(once, generous));
  EXPECT_EQ(server.connections(), 2);
}

TEST(HttpTransport, LeavesAKeptConnectionTheServerClosed) {
  tiny_server server([](const tiny_request&) { return http_text(204, ""); });
  auto wire = connect_to(server.url());
  ASSERT_TRUE(wire->exchange(get("/"), generous));
  server.drop_connections();
  // Either the end was seen before the request was sent, or the request comes back as stale: never as an
  // answer of nobody, and never as a broken exchange.
  auto second = wire->exchange(get("/"), generous);
  if (!second) {
    EXPECT_EQ(second.error().what, failure_kind::stale);
    second = wire->exchange(get("/"), generous);
  }
  ASSERT_TRUE(second);
  EXPECT_EQ(server.connections(), 2);
}

TEST(HttpTransport, ReportsNobodyListening) {
  std::uint16_t port = 0;
  {
    tiny_server gone([](const tiny_request&) { return std::string(); });
    port = gone.port();
  }
  auto wire = connect_to("http://127.0.0.1:" + std::to_string(port));
  const auto answer = wire->exchange(get("/"), generous);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().what, failure_kind::no_connection);
}

TEST(HttpTransport, ReportsAConnectionThatBreaksBeforeTheAnswer) {
  tiny_server server([](const tiny_request&) { return std::string(); });
  auto wire = connect_to(server.url());
  const auto answer = wire->exchange(get("/"), generous);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().what, failure_kind::broken);
}

TEST(HttpTransport, RefusesAnAnswerAboveItsLimitWithoutReadingIt) {
  tiny_server server([](const tiny_request&) { return http_text(200, std::string(2000, 'x')); });
  auto wire = connect_to(server.url());
  const auto answer = wire->exchange(get("/"), {1000, 30'000});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().what, failure_kind::too_large);
}

TEST(HttpTransport, KnowsWhatIsNotHttp) {
  tiny_server server([](const tiny_request&) { return std::string("SSH-2.0-OpenSSH_9.2\r\n\r\n"); });
  auto wire = connect_to(server.url());
  const auto answer = wire->exchange(get("/"), generous);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().what, failure_kind::not_http);
}

TEST(HttpTransport, KnowsAServerThatDoesNotSpeakTls) {
  tiny_server server([](const tiny_request&) { return std::string(); });
  auto wire = connect_to("https://127.0.0.1:" + std::to_string(server.port()));
  const auto answer = wire->exchange(get("/"), generous);
  ASSERT_FALSE(answer);
  EXPECT_TRUE(answer.error().what == failure_kind::not_http ||
              answer.error().what == failure_kind::no_connection);
}

TEST(HttpTransport, EndsAtItsDeadline) {
  std::promise<void> release;
  tiny_server server([held = release.get_future().share()](const tiny_request&) {
    held.wait();
    return http_text(204, "");
  });
  auto wire = connect_to(server.url());
  const auto answer = wire->exchange(get("/"), {1000, 50});
  release.set_value();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().what, failure_kind::timed_out);
}

TEST(HttpTransport, StopEndsWhatIsUnderWayAndRefusesWhatComes) {
  std::promise<void> arrived;
  std::promise<void> release;
  tiny_server server([&, held = release.get_future().share()](const tiny_request&) {
    arrived.set_value();
    held.wait();
    return http_text(204, "");
  });
  auto wire = connect_to(server.url());
  auto waiting = std::async(std::launch::async, [&] { return wire->exchange(get("/"), generous); });
  arrived.get_future().wait();
  wire->stop();
  const auto answer = waiting.get();
  release.set_value();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().what, failure_kind::stopped);
  const auto later = wire->exchange(get("/"), generous);
  ASSERT_FALSE(later);
  EXPECT_EQ(later.error().what, failure_kind::stopped);
}

TEST(HttpTransport, CarriesCallsOfSeveralThreadsAtOnce) {
  std::atomic<int> inside{0};
  std::promise<void> both;
  tiny_server server([&, together = both.get_future().share()](const tiny_request&) {
    if (++inside == 2) both.set_value();
    together.wait();
    return http_text(204, "");
  });
  auto wire = connect_to(server.url());
  auto first = std::async(std::launch::async, [&] { return wire->exchange(get("/"), generous).ok(); });
  EXPECT_TRUE(wire->exchange(get("/"), generous));
  EXPECT_TRUE(first.get());
}

TEST(HttpTransport, RefusesAnAuthoritiesFileThatIsNone) {
  transport_options options{.server = *parse_endpoint("https://localhost")};
  options.ca_file = "/nonexistent/ca.pem";
  EXPECT_FALSE(make_http_transport(options));
}

}  // namespace
}  // namespace obsync::client
