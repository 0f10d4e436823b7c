#include "tests/e2e/signed_call.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include "core/clock.hpp"
#include "core/random.hpp"
#include "crypto/digest.hpp"
#include "wire/failure.hpp"
#include "wire/signing.hpp"

namespace obsync::test {

namespace {

namespace net = boost::asio;

heard exchange(const server_process& server, const std::string& method, const std::string& target,
               const std::string& headers, const std::string& body) {
  net::io_context io;
  net::ip::tcp::socket socket(io);
  boost::system::error_code failed;
  socket.connect({net::ip::address_v4::loopback(), server.port()}, failed);
  const std::string sent = method + " " + target + " HTTP/1.1\r\nHost: test\r\nConnection: close\r\n" +
                           headers + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  if (!failed) net::write(socket, net::buffer(sent), failed);
  std::string got;
  if (!failed) net::read(socket, net::dynamic_buffer(got), failed);
  heard out;
  const std::size_t end = got.find("\r\n\r\n");
  if (end == std::string::npos) return out;
  out.head = got.substr(0, end + 2);
  out.body = got.substr(end + 4);
  out.status = std::stoi(out.head.substr(out.head.find(' ') + 1));
  return out;
}

}  // namespace

std::string heard::code() const {
  const auto refused = wire::parse_refusal_answer(body);
  return refused ? refused->word : "";
}

std::string heard::header(const std::string& name) const {
  const std::string sign = "\r\n" + name + ": ";
  const std::size_t at = head.find(sign);
  if (at == std::string::npos) return "";
  const std::size_t start = at + sign.size();
  return head.substr(start, head.find("\r\n", start) - start);
}

heard ask(const server_process& server, const client::credential& who, const std::string& method,
          const std::string& target, const std::string& body) {
  system_random random;
  const std::string at = std::to_string(system_clock().now_s());
  const std::string nonce = random_id<request_nonce>(random).hex();
  const std::string chunks = "/v1/chunks/";
  const bool is_upload = method == "PUT" && target.starts_with(chunks);
  const std::string hash = is_upload ? target.substr(chunks.size()) : crypto::sha256(as_bytes(body)).hex();
  const crypto::hmac_key key(who.secret.view());
  return exchange(
      server, method, target,
      "X-Obsync-Device: " + who.device.hex() + "\r\nX-Obsync-Ts: " + at + "\r\nX-Obsync-Nonce: " + nonce +
          "\r\nX-Obsync-Sig: " + wire::sign(key, {method, target, at, nonce, hash}).hex() + "\r\n",
      body);
}

heard ask_unsigned(const server_process& server, const std::string& method, const std::string& target,
                   const std::string& body) {
  return exchange(server, method, target, "", body);
}

}  // namespace obsync::test
