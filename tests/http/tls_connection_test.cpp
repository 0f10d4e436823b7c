// The listener behind TLS: what a connection does is told in connection_test; this is what TLS adds and what
// it could break.
#include <fstream>

#include "http/listener.hpp"
#include "tests/http/connection_world.hpp"
#include "tests/http/tls_folder.hpp"
#include "tests/support/process.hpp"

namespace obsync::http {
namespace {

class TlsConnection : public connection_world {
 protected:
  void start_secure(http_options options = {}) {
    auto identity = tls_identity::load(folder_.files());
    ASSERT_TRUE(identity) << identity.error().detail;
    start(options, *identity);
  }

  std::string exchange_secure(const std::string& text, boost::system::error_code* ended = nullptr) {
    tls_peer peer(listener_->port(), folder_.authority());
    EXPECT_FALSE(peer.greet());
    peer.say(text);
    return peer.read_all(ended);
  }

  tls_folder folder_;
};

TEST_F(TlsConnection, AnswersAndSaysFarewell) {
  start_secure();
  boost::system::error_code ended;
  const std::string answer = exchange_secure(head("GET /livez") + head("GET /livez", last), &ended);
  EXPECT_EQ(answer.find("HTTP/1.1 200 OK\r\n"), 0u);
  EXPECT_TRUE(answer.ends_with("alive"));
  EXPECT_EQ(ended, net::error::eof);
}

TEST_F(TlsConnection, IsNotBelievedByWhoExpectsAnotherNameOrAuthority) {
  start_secure();
  tls_peer other_name(listener_->port(), folder_.authority());
  EXPECT_TRUE(other_name.greet("elsewhere"));
  tls_peer other_authority(listener_->port(), tls_folder().authority());
  EXPECT_TRUE(other_authority.greet());
}

TEST_F(TlsConnection, SpeaksNothingOlderThanTls12) {
  start_secure();
  for (const auto& [version, works] :
       {std::pair{TLS1_1_VERSION, false}, {TLS1_2_VERSION, true}, {TLS1_3_VERSION, true}}) {
    tls_peer peer(listener_->port(), folder_.authority());
    SSL_set_min_proto_version(peer.wire().native_handle(), 0);
    SSL_set_security_level(peer.wire().native_handle(), 0);
    SSL_set_max_proto_version(peer.wire().native_handle(), version);
    EXPECT_EQ(!peer.greet(), works) << version;
  }
}

TEST_F(TlsConnection, AgreesOnHttp11AndOnNoOtherProtocol) {
  start_secure();
  const std::string both("\x02h2\x08http/1.1");
  const auto offer = [&](tls_peer& peer, const std::string& names) {
    SSL_set_alpn_protos(peer.wire().native_handle(), reinterpret_cast<const unsigned char*>(names.data()),
                        static_cast<unsigned>(names.size()));
    return !peer.greet();
  };
  tls_peer modern(listener_->port(), folder_.authority());
  EXPECT_TRUE(offer(modern, both));
  const unsigned char* chosen = nullptr;
  unsigned length = 0;
  SSL_get0_alpn_selected(modern.wire().native_handle(), &chosen, &length);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(chosen), length), "http/1.1");
  tls_peer stranger(listener_->port(), folder_.authority());
  EXPECT_FALSE(offer(stranger, both.substr(0, 3)));
}

TEST_F(TlsConnection, StreamsALargeChunkUpWholeAndInOrder) {
  start_secure();
  std::string body(5u << 20, ' ');
  for (std::size_t i = 0; i < body.size(); ++i) body[i] = static_cast<char>(i * 31 + (i >> 12));
  const std::string answer = exchange_secure(
      head("PUT " + chunk_path, "Content-Length: " + std::to_string(body.size()) + "\r\n" + last) + body);
  EXPECT_EQ(answer.find("HTTP/1.1 201"), 0u);
  EXPECT_TRUE(answer.ends_with(std::to_string(body.size()) + " " + crypto::sha256(as_bytes(body)).hex()));
}

TEST_F(TlsConnection, SendsAFileWholeAndAPartOfIt) {
  start_secure();
  test::scratch_folder scratch;
  std::string content(1'000'003, ' ');
  for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<char>(i * 7 + (i >> 10));
  std::ofstream(scratch / "chunk", std::ios::binary) << content;
  door_.file = std::shared_ptr<disk_file>(*make_posix_disk()->open(scratch / "chunk"));
  door_.file_size = content.size();
  EXPECT_TRUE(exchange_secure(head("GET " + chunk_path, last)).ends_with("\r\n\r\n" + content));
  EXPECT_TRUE(exchange_secure(head("GET " + chunk_path, "Range: bytes=131000-400000\r\n" + last))
                  .ends_with("\r\n\r\n" + content.substr(131'000, 269'001)));
}

TEST_F(TlsConnection, ARefusedUploadIsDrainedSoThatTheConnectionLivesOn) {
  start_secure();
  door_.refuse_after = 300'000;
  const std::string body(2u << 20, 'x');
  const std::string answer =
      exchange_secure(head("PUT " + chunk_path, "Content-Length: " + std::to_string(body.size()) + "\r\n") +
                      body + head("GET /livez", last));
  EXPECT_EQ(answer.find("HTTP/1.1 507"), 0u);
  EXPECT_TRUE(answer.ends_with("alive"));
}

TEST_F(TlsConnection, APollWhosePeerHangsUpIsAbandonedAndItsSlotFreed) {
  start_secure();
  for (const bool says_farewell : {true, false}) {
    auto peer = std::make_unique<tls_peer>(listener_->port(), folder_.authority());
    ASSERT_FALSE(peer->greet());
    peer->say(head("GET /v1/changes?since=0&wait=55"));
    const actors::call_ptr parked = next_parked();
    ASSERT_NE(parked, nullptr);
    if (says_farewell) SSL_shutdown(peer->wire().native_handle());
    peer.reset();
    EXPECT_TRUE(server_->wait_empty(std::chrono::seconds(20)));
    EXPECT_TRUE(parked->abandoned);
  }
}

TEST_F(TlsConnection, ARequestSentDuringAPollIsAnsweredAfterIt) {
  start_secure();
  tls_peer peer(listener_->port(), folder_.authority());
  ASSERT_FALSE(peer.greet());
  peer.say(head("GET /v1/changes?since=0&wait=55"));
  const actors::call_ptr parked = next_parked();
  ASSERT_NE(parked, nullptr);
  // Longer than what the watch keeps.
  peer.say(head("GET /livez", "X-Filler: " + std::string(2000, 'f') + "\r\n" + last));
  parked->answer(actors::ok("woken"));
  const std::string answers = peer.read_all();
  EXPECT_NE(answers.find("woken"), std::string::npos);
  EXPECT_TRUE(answers.ends_with("alive"));
}

TEST_F(TlsConnection, APollIsAnsweredAndTheConnectionGoesOn) {
  start_secure();
  tls_peer peer(listener_->port(), folder_.authority());
  ASSERT_FALSE(peer.greet());
  for (int i = 0; i < 3; ++i) {
    peer.say(head("GET /v1/changes?since=0&wait=55"));
    const actors::call_ptr parked = next_parked();
    ASSERT_NE(parked, nullptr);
    parked->answer(actors::ok("woken"));
    std::string answer;
    while (!answer.ends_with("woken")) answer += peer.read(1);
  }
  peer.say(head("GET /livez", last));
  EXPECT_TRUE(peer.read_all().ends_with("alive"));
}

TEST_F(TlsConnection, AHandshakeThatNeverComesMeetsTheHeadsDeadline) {
  http_options options;
  options.head_timeout = std::chrono::milliseconds(100);
  start_secure(options);
  tcp::socket silent = connect();
  EXPECT_EQ(read_all(silent), "");
}

TEST_F(TlsConnection, PlainHttpIsHungUpOn) {
  start_secure();
  EXPECT_EQ(exchange(head("GET /livez", last)).find("HTTP"), std::string::npos);
  EXPECT_TRUE(server_->wait_empty(std::chrono::seconds(20)));
}

TEST_F(TlsConnection, OneTooManyCostsNoHandshake) {
  http_options options;
  options.connections_max = 1;
  start_secure(options);
  tls_peer first(listener_->port(), folder_.authority());
  ASSERT_FALSE(first.greet());
  first.say(head("GET /v1/changes?since=0&wait=55", last));
  const auto parked = next_parked();  // busy, so it cannot be cut for a newcomer
  ASSERT_TRUE(parked);
  tls_peer second(listener_->port(), folder_.authority());
  EXPECT_TRUE(second.greet());
  parked->answer(actors::ok("alive"));
  EXPECT_TRUE(first.read_all().ends_with("alive"));
}

TEST_F(TlsConnection, ANewCertificateIsShownToTheNextPeerWhileTheOldOneIsServed) {
  start_secure();
  tls_peer before(listener_->port(), folder_.authority());
  ASSERT_FALSE(before.greet());
  folder_.renew("elsewhere");
  // Files are looked at once a second, whenever somebody connects.
  EXPECT_TRUE(
      test::eventually([&] { return !tls_peer(listener_->port(), folder_.authority()).greet("elsewhere"); }));
  before.say(head("GET /livez", last));
  EXPECT_TRUE(before.read_all().ends_with("alive"));
}

}  // namespace
}  // namespace obsync::http
