#include "http/connection.hpp"

#include "tests/http/connection_world.hpp"

namespace obsync::http {
namespace {

class Connection : public connection_world {};

TEST_F(Connection, AnswersRequestAfterRequestOnOneConnection) {
  start();
  const std::string both = exchange(head("GET /livez") + head("GET /livez", last));
  EXPECT_EQ(both.find("HTTP/1.1 200 OK\r\n"), 0u);
  EXPECT_NE(both.rfind("HTTP/1.1 200 OK\r\n"), 0u);
  EXPECT_TRUE(both.ends_with("alive"));
}

TEST_F(Connection, HeadersComeInTheProtocolsOrderAndNoOthers) {
  start();
  EXPECT_EQ(exchange(head("GET /livez", last)),
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nCache-Control: no-store\r\n"
            "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n"
            "Content-Length: 5\r\nConnection: close\r\n\r\nalive");
}

TEST_F(Connection, AParserRefusalIsBareAndCloses) {
  start();
  EXPECT_EQ(exchange("GET / HTTP/1.1\nHost: a\n\n"),
            "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
}

TEST_F(Connection, UnknownPathsAndHeadRequestsAre404AndAHeadAnswerHasNoBody) {
  start();
  EXPECT_NE(exchange(head("GET /nothing", last)).find("\"error\":\"not_found\""), std::string::npos);
  const std::string bare = exchange(head("HEAD /livez", last));
  EXPECT_EQ(bare.find("HTTP/1.1 404"), 0u);
  EXPECT_TRUE(bare.ends_with("\r\n\r\n"));
}

TEST_F(Connection, ReadsChunkedBodiesAndSaysWhenTheyAreBroken) {
  start();
  const std::string line = head("POST /v1/devices/heartbeat", "Transfer-Encoding: chunked\r\n" + last);
  EXPECT_TRUE(exchange(line + "5\r\nhello\r\n0\r\n\r\n").ends_with("\r\n\r\n0:5"));
  const auto broken = static_cast<int>(actors::body_state::bad_framing);
  EXPECT_TRUE(exchange(line + "zz\r\n").ends_with("\r\n\r\n" + std::to_string(broken) + ":0"));
}

TEST_F(Connection, ABodyOverItsCeilingIsNotReadButReported) {
  start();
  const std::string answer =
      exchange(head("POST /v1/devices/heartbeat", "Content-Length: 4194305\r\n" + last));
  EXPECT_TRUE(answer.ends_with(std::to_string(static_cast<int>(actors::body_state::too_large)) + ":0"));
}

TEST_F(Connection, ContinueIsAnsweredBeforeTheBody) {
  start();
  tcp::socket socket = connect();
  net::write(socket, net::buffer(head("POST /v1/devices/heartbeat",
                                      "Content-Length: 2\r\nExpect: 100-continue\r\n" + last)));
  std::string first(25, ' ');
  net::read(socket, net::buffer(first));
  EXPECT_EQ(first, "HTTP/1.1 100 Continue\r\n\r\n");
  net::write(socket, net::buffer(std::string("{}")));
  EXPECT_TRUE(read_all(socket).ends_with("0:2"));
}

TEST_F(Connection, StreamsALargeChunkWholeAndInOrder) {
  start();
  std::string body(5u << 20, ' ');
  for (std::size_t i = 0; i < body.size(); ++i) body[i] = static_cast<char>(i * 31 + (i >> 12));
  const std::string answer = exchange(
      head("PUT " + chunk_path, "Content-Length: " + std::to_string(body.size()) + "\r\n" + last) + body);
  EXPECT_EQ(answer.find("HTTP/1.1 201"), 0u);
  EXPECT_NE(answer.find("X-Obsync-Seq: 7\r\n"), std::string::npos);
  EXPECT_TRUE(answer.ends_with(std::to_string(body.size()) + " " + crypto::sha256(as_bytes(body)).hex()));
}

TEST_F(Connection, ARefusedUploadIsDrainedSoThatTheConnectionLivesOn) {
  start();
  door_.refuse_after = 300'000;
  const std::string body(2u << 20, 'x');
  const std::string upload =
      head("PUT " + chunk_path, "Content-Length: " + std::to_string(body.size()) + "\r\n") + body;
  const std::string answer = exchange(upload + head("GET /livez", last));
  EXPECT_EQ(answer.find("HTTP/1.1 507"), 0u);
  EXPECT_TRUE(answer.ends_with("alive"));
}

TEST_F(Connection, ARangeOfAChunkIsItsBytesAndAWrongOneIs416) {
  start();
  const std::string part = exchange(head("GET " + chunk_path, "Range: bytes=1-3\r\n" + last));
  EXPECT_EQ(part.find("HTTP/1.1 206"), 0u);
  EXPECT_NE(part.find("Content-Range: bytes 1-3/5\r\n"), std::string::npos);
  EXPECT_TRUE(part.ends_with("\r\n\r\n123"));
  EXPECT_EQ(exchange(head("GET " + chunk_path, "Range: bytes=5-\r\n" + last)).find("HTTP/1.1 416"), 0u);
}

TEST_F(Connection, ACallThatEveryoneDropsIsAnswered503) {
  start();
  EXPECT_EQ(exchange(head("GET /v1/files", last)).find("HTTP/1.1 503"), 0u);
}

// Parks a poll that is answered by nobody.
TEST_F(Connection, OneTooManyIsRefusedWithABare503WhenAllOthersAreBusy) {
  http_options options;
  options.connections_max = 1;
  start(options);
  tcp::socket first = connect();
  net::write(first, net::buffer(head("GET /v1/changes?since=0&wait=55")));
  const auto parked = next_parked();
  ASSERT_TRUE(parked);
  EXPECT_EQ(
      exchange(""),
      "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
}

TEST_F(Connection, AtTheCeilingTheOldestSilentStrangerMakesRoom) {
  http_options options;
  options.connections_max = 2;
  start(options);
  tcp::socket silent = connect();
  tcp::socket half_a_head = connect();
  net::write(half_a_head, net::buffer(std::string("GET /li")));
  EXPECT_TRUE(exchange(head("GET /livez", last)).ends_with("alive"));
  EXPECT_EQ(read_all(silent), "") << "it came first, so it goes first";
}

TEST_F(Connection, AtTheCeilingABodyThatIsToHoldATokenMakesRoom) {
  http_options options;
  options.connections_max = 1;
  start(options);
  tcp::socket slow = connect();
  net::write(slow, net::buffer(head("POST /v1/setup", "Content-Length: 16384\r\nExpect: 100-continue\r\n")));
  std::string first(25, ' ');
  net::read(slow, net::buffer(first));
  EXPECT_TRUE(exchange(head("GET /livez", last)).ends_with("alive"));
}

TEST_F(Connection, AWaitingConnectionThatOnceProvedItselfIsNotCutForStrangers) {
  http_options options;
  options.connections_max = 2;
  start(options);
  tcp::socket proved = connect();
  net::write(proved, net::buffer(head("PUT " + chunk_path, "Content-Length: 1\r\n") + "x"));
  std::string status(12, ' ');
  net::read(proved, net::buffer(status));
  ASSERT_EQ(status, "HTTP/1.1 507") << "refused, but by a server that knew who asked";
  for (int i = 0; i < 5; ++i) {
    tcp::socket stranger = connect();
    net::write(stranger, net::buffer(std::string("GET /li")));
    EXPECT_TRUE(exchange(head("GET /livez", last)).ends_with("alive"));
  }
  net::write(proved, net::buffer(head("GET /livez", last)));
  EXPECT_TRUE(read_all(proved).ends_with("alive"));
}

TEST_F(Connection, ABodyOfAnUnknownDeviceIsAnsweredUnreadAndTakesNoMemory) {
  http_options options;
  options.preauth_bytes = 100;
  start(options);
  const auto unread = static_cast<int>(actors::body_state::unread);
  const std::string declared =
      "POST /v1/devices/heartbeat HTTP/1.1\r\nHost: a\r\nContent-Length: 4194304\r\n";
  EXPECT_TRUE(exchange(declared + "\r\n").ends_with(std::to_string(unread) + ":0"));
  EXPECT_TRUE(exchange(declared + "X-Obsync-Device: other\r\n\r\n").ends_with(std::to_string(unread) + ":0"));
}

TEST_F(Connection, APollWhosePeerHangsUpIsAbandonedAndItsSlotFreed) {
  start();
  {
    tcp::socket socket = connect();
    net::write(socket, net::buffer(head("GET /v1/changes?since=0&wait=55")));
    std::unique_lock lock(door_.mutex);
    ASSERT_TRUE(
        door_.changed.wait_for(lock, std::chrono::seconds(20), [&] { return !door_.parked.empty(); }));
  }
  EXPECT_TRUE(server_->wait_empty(std::chrono::seconds(20)));
  EXPECT_TRUE(door_.parked.front()->abandoned);
}

TEST_F(Connection, AFullPreauthenticationBudgetIsABare503WithSecurityHeaders) {
  http_options options;
  options.preauth_bytes = 100;
  start(options);
  const std::string answer = exchange(head("POST /v1/devices/heartbeat", "Content-Length: 101\r\n"));
  EXPECT_EQ(answer,
            "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nCache-Control: no-store\r\n"
            "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n"
            "Content-Length: 0\r\nConnection: close\r\n\r\n");
}

TEST_F(Connection, WindingDownLetsTheAnswerUnderWayFinish) {
  start();
  tcp::socket socket = connect();
  net::write(socket, net::buffer(head("GET /v1/changes?since=0&wait=55")));
  actors::call_ptr parked;
  {
    std::unique_lock lock(door_.mutex);
    ASSERT_TRUE(
        door_.changed.wait_for(lock, std::chrono::seconds(20), [&] { return !door_.parked.empty(); }));
    parked = door_.parked.front();
  }
  listener_->wind_down();
  parked->answer(actors::ok("late but whole"));
  EXPECT_TRUE(read_all(socket).ends_with("late but whole"));
}

TEST_F(Connection, AnIdleConnectionIsClosedWithoutAWord) {
  http_options options;
  options.idle_timeout = std::chrono::milliseconds(100);
  start(options);
  tcp::socket socket = connect();
  net::write(socket, net::buffer(head("GET /livez")));
  const std::string all = read_all(socket);
  EXPECT_TRUE(all.ends_with("\r\n\r\nalive"));
  EXPECT_EQ(all.find("HTTP/1.1"), all.rfind("HTTP/1.1"));
}

TEST_F(Connection, AHeadThatDoesNotComeIs408) {
  http_options options;
  options.head_timeout = std::chrono::milliseconds(100);
  start(options);
  tcp::socket socket = connect();
  net::write(socket, net::buffer(std::string("GET /livez HT")));
  EXPECT_EQ(read_all(socket),
            "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
}

TEST_F(Connection, AnHttp10ConnectionIsClosedAfterItsAnswer) {
  start();
  const std::string answer = exchange("GET /livez HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_NE(answer.find("Connection: close\r\n"), std::string::npos);
  EXPECT_TRUE(answer.ends_with("alive"));
}

TEST_F(Connection, UnreadBodyUpToAMebibyteIsDroppedAndTheConnectionLivesOn) {
  start();
  const std::string body(1u << 20, 'x');
  const std::string answer =
      exchange(head("POST /v1/nothing", "Content-Length: " + std::to_string(body.size()) + "\r\n") + body +
               head("GET /livez", last));
  EXPECT_EQ(answer.find("HTTP/1.1 404"), 0u);
  EXPECT_TRUE(answer.ends_with("alive"));
}

// The peer writes all of it before it reads: unread bytes at the close would reset the connection and take
// the answer with them.
TEST_F(Connection, TheAnswerToABodyTooLongToDropStillArrives) {
  start();
  const std::string body(12u << 20, 'x');
  for (const char* line : {"POST /v1/nothing", "POST /v1/devices/heartbeat"}) {
    tcp::socket socket = connect();
    boost::system::error_code sent;
    net::write(socket,
               net::buffer(head(line, "Content-Length: " + std::to_string(body.size()) + "\r\n") + body),
               sent);
    EXPECT_FALSE(sent) << line;
    const std::string answer = read_all(socket);
    EXPECT_EQ(answer.find("HTTP/1.1 "), 0u) << line;
    EXPECT_NE(answer.find("Connection: close\r\n"), std::string::npos) << line;
  }
  EXPECT_TRUE(server_->wait_empty(std::chrono::seconds(20)));
}

TEST_F(Connection, TheRefusalOfAHeadArrivesWhateverFollowsIt) {
  start();
  const std::string flood(4u << 20, 'x');
  tcp::socket socket = connect();
  boost::system::error_code sent;
  net::write(socket, net::buffer("GET /" + flood), sent);
  EXPECT_FALSE(sent);
  EXPECT_EQ(read_all(socket).find("HTTP/1.1 431 "), 0u);
}

TEST_F(Connection, OneTooManyGetsItsRefusalEvenWhenItSpokeFirst) {
  http_options options;
  options.connections_max = 1;
  start(options);
  tcp::socket first = connect();
  net::write(first, net::buffer(head("GET /v1/changes?since=0&wait=55")));
  const auto parked = next_parked();
  ASSERT_TRUE(parked);
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(exchange(head("PUT " + chunk_path, "Content-Length: 100000\r\n") + std::string(100'000, 'x'))
                  .find("HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\n"),
              0u);
}

TEST_F(Connection, APeerThatNeverHangsUpIsLetGoOf) {
  start();
  tcp::socket socket = connect();
  net::write(socket, net::buffer(head("GET /livez", last)));
  EXPECT_TRUE(read_all(socket).ends_with("alive"));
  // Still open on this side.
  EXPECT_TRUE(server_->wait_empty(std::chrono::seconds(20)));
}

TEST_F(Connection, AForwardingHeaderCountsForNothingWhereNobodyIsTrusted) {
  start();
  EXPECT_TRUE(exchange(head("GET /v1/account", "X-Forwarded-For: 203.0.113.9\r\n" + last))
                  .ends_with("\r\n\r\n127.0.0.1 -"));
}

TEST_F(Connection, TheClientIsWhoATrustedProxyNames) {
  http_options options;
  options.edge.trusted = private_networks();
  start(options);
  EXPECT_TRUE(exchange(head("GET /v1/account",
                            "X-Forwarded-For: 198.51.100.1\r\nX-Forwarded-For: 203.0.113.9\r\n" + last))
                  .ends_with("\r\n\r\n203.0.113.9 -"));
}

TEST_F(Connection, BehindCloudflareEveryoneElseIs421ButHealthAndUnknownPaths) {
  http_options options;
  options.edge = {true, private_networks()};
  start(options);
  const std::string refused = exchange(head("GET /v1/account", last));
  EXPECT_EQ(refused.find("HTTP/1.1 421 Misdirected Request\r\n"), 0u);
  EXPECT_NE(refused.find("X-Frame-Options: DENY\r\n"), std::string::npos);
  EXPECT_NE(refused.find("\"error\":\"edge_required\""), std::string::npos);
  EXPECT_EQ(exchange(head("GET /livez", last)).find("HTTP/1.1 200"), 0u);
  EXPECT_EQ(exchange(head("GET /v1/nothing", last)).find("HTTP/1.1 404"), 0u);
  // Before everything: not even the length of the body is looked at.
  EXPECT_EQ(exchange(head("PUT " + chunk_path, "Transfer-Encoding: chunked\r\n" + last) + "0\r\n\r\n")
                .find("HTTP/1.1 421"),
            0u);
  const std::string through = exchange(
      head("GET /v1/account", "CF-Connecting-IP: 203.0.113.9\r\nCF-Ray: 8f\r\nCF-IPCountry: de\r\n" + last));
  EXPECT_TRUE(through.ends_with("\r\n\r\n203.0.113.9 DE"));
}

TEST_F(Connection, AStrangerThatDoesNotHangUpMakesRoomAtTheCeiling) {
  http_options options;
  options.connections_max = 1;
  start(options);
  tcp::socket lingering = connect();
  net::write(lingering, net::buffer(head("GET /livez", last)));
  EXPECT_TRUE(read_all(lingering).ends_with("alive"));
  EXPECT_TRUE(exchange(head("GET /livez", last)).ends_with("alive"));
}

}  // namespace
}  // namespace obsync::http
