#include "http/connection.hpp"

#include <gtest/gtest.h>
#include <boost/asio/connect.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <thread>

#include "core/random.hpp"
#include "crypto/digest.hpp"
#include "http/listener.hpp"

namespace obsync::http {
namespace {

namespace net = boost::asio;
using net::ip::tcp;

// Swallows a large upload and answers with its length and hash.
class counting_upload final : public actors::upload {
 public:
  explicit counting_upload(std::size_t refuse_after) : refuse_after_(refuse_after) {}
  void write(bytes slice, std::function<void(wire::outcome<void>)> done) override {
    total_ += slice.size();
    if (total_ > refuse_after_) return done(wire::failure{wire::refusal::storage_full, "full"});
    hash_.update(slice);
    done({});
  }
  void finish(std::function<void(actors::reply)> done) override {
    done(actors::ok(std::to_string(total_) + " " + hash_.finish().hex(), 201));
  }

 private:
  std::size_t refuse_after_;
  std::size_t total_ = 0;
  crypto::sha256_stream hash_;
};

// Answers by route, on the caller's thread; keeps long polls until told.
class scripted_door final : public actors::door {
 public:
  void submit(actors::call_ptr incoming) override {
    switch (incoming->req.where) {
      case actors::route::livez:
        return incoming->answer(actors::ok("alive"));
      case actors::route::heartbeat:
        return incoming->answer(actors::ok(std::to_string(static_cast<int>(incoming->req.body_is)) + ":" +
                                           std::to_string(incoming->req.body.size())));
      case actors::route::chunk_put: {
        incoming->proved = 7;
        if (incoming->req.body_is != actors::body_state::streamed)
          return incoming->answer(actors::refuse(wire::refusal::volume_full, "full"));
        actors::reply go;
        go.body = std::make_shared<counting_upload>(refuse_after);
        return incoming->answer(std::move(go));
      }
      case actors::route::chunk_get: {
        actors::reply out;
        out.body = actors::chunk_body{bytes{'0', '1', '2', '3', '4'}, 5};
        return incoming->answer(std::move(out));
      }
      case actors::route::changes: {
        const std::lock_guard lock(mutex);
        parked.push_back(std::move(incoming));
        return changed.notify_all();
      }
      default:
        return;  // dropped: its destructor answers
    }
  }

  bool expects(const actors::credentials& signer) const override { return signer.device == "known"; }

  std::size_t refuse_after = SIZE_MAX;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<actors::call_ptr> parked;
};

class Connection : public testing::Test {
 protected:
  void start(http_options options = {}) {
    server_ = std::make_unique<server>(options, door_, random_);
    auto made = listen(io_, "127.0.0.1", 0, *server_);
    ASSERT_TRUE(made);
    listener_ = *made;
    listener_->start();
    thread_ = std::thread([this] { io_.run(); });
  }

  ~Connection() override {
    if (listener_) listener_->wind_down();
    if (listener_) listener_->cut();
    if (server_) server_->wait_empty(std::chrono::seconds(5));
    io_.stop();
    if (thread_.joinable()) thread_.join();
    door_.parked.clear();
  }

  tcp::socket connect() {
    tcp::socket socket(peer_io_);
    socket.connect({net::ip::address_v4::loopback(), listener_->port()});
    return socket;
  }

  // Everything the server says until it closes.
  static std::string read_all(tcp::socket& socket) {
    std::string out;
    boost::system::error_code ended;
    net::read(socket, net::dynamic_buffer(out), ended);
    return out;
  }

  std::string exchange(const std::string& text) {
    tcp::socket socket = connect();
    boost::system::error_code ignored;
    net::write(socket, net::buffer(text), ignored);
    return read_all(socket);
  }

  static std::string head(const std::string& line, const std::string& more = {}) {
    return line + " HTTP/1.1\r\nHost: a\r\nX-Obsync-Device: known\r\n" + more + "\r\n";
  }
  static inline const std::string last = "Connection: close\r\n";

  seeded_random random_{5};
  scripted_door door_;
  net::io_context io_;
  net::executor_work_guard<net::io_context::executor_type> work_{io_.get_executor()};
  net::io_context peer_io_;
  std::unique_ptr<server> server_;
  std::shared_ptr<listener> listener_;
  std::thread thread_;
};

const std::string chunk_path = "/v1/chunks/" + std::string(64, 'a');

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
  EXPECT_EQ(exchange(head("GET /v1/account", last)).find("HTTP/1.1 503"), 0u);
}

// Parks a poll that is answered by nobody.
TEST_F(Connection, OneTooManyIsRefusedWithABare503WhenAllOthersAreBusy) {
  http_options options;
  options.connections_max = 1;
  start(options);
  tcp::socket first = connect();
  net::write(first, net::buffer(head("GET /v1/changes?since=0&wait=55")));
  {
    std::unique_lock lock(door_.mutex);
    ASSERT_TRUE(
        door_.changed.wait_for(lock, std::chrono::seconds(20), [&] { return !door_.parked.empty(); }));
  }
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

}  // namespace
}  // namespace obsync::http
