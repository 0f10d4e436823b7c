#include "tests/e2e/raw_http.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "core/clock.hpp"
#include "core/random.hpp"
#include "crypto/digest.hpp"
#include "wire/failure.hpp"
#include "wire/signing.hpp"

namespace obsync::test {

namespace {

constexpr timeval patience{20, 0};

bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  });
}

raw_answer read_head(std::string_view head) {
  raw_answer out;
  out.head = head;
  std::size_t end = head.find("\r\n");
  const std::string_view line = head.substr(0, end);
  if (line.size() > 12) std::from_chars(line.data() + 9, line.data() + 12, out.status);
  while (end != std::string_view::npos && end + 2 < head.size()) {
    const std::size_t from = end + 2;
    end = head.find("\r\n", from);
    const std::string_view field = head.substr(from, end == std::string_view::npos ? end : end - from);
    const std::size_t colon = field.find(": ");
    if (colon != std::string_view::npos)
      out.headers.emplace_back(std::string(field.substr(0, colon)), std::string(field.substr(colon + 2)));
  }
  return out;
}

}  // namespace

std::string raw_answer::header(std::string_view name) const {
  for (const auto& [known, value] : headers)
    if (same_name(known, name)) return value;
  return {};
}

std::string raw_answer::code() const {
  const auto refused = wire::parse_refusal_answer(body);
  return refused ? refused->word : "";
}

raw_connection::raw_connection(std::uint16_t port) {
  descriptor_ = ::socket(AF_INET, SOCK_STREAM, 0);
  ::setsockopt(descriptor_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(descriptor_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(descriptor_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0) return;
  ::close(descriptor_);
  descriptor_ = -1;
}

raw_connection::~raw_connection() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool raw_connection::send(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::send(descriptor_, text.data(), text.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool raw_connection::fill() {
  char buffer[16384];
  const ssize_t count = ::recv(descriptor_, buffer, sizeof buffer, 0);
  if (count <= 0) return false;
  arrived_.append(buffer, static_cast<std::size_t>(count));
  return true;
}

raw_answer raw_connection::receive(bool to_head) {
  std::size_t end = 0;
  while ((end = arrived_.find("\r\n\r\n")) == std::string::npos)
    if (!fill()) return {};
  raw_answer out = read_head(std::string_view(arrived_).substr(0, end + 2));
  arrived_.erase(0, end + 4);
  if (out.status == 100) return receive(to_head);
  std::size_t length = 0;
  const std::string declared = out.header("Content-Length");
  std::from_chars(declared.data(), declared.data() + declared.size(), length);
  if (to_head) length = 0;
  while (arrived_.size() < length)
    if (!fill()) return {};
  out.body = arrived_.substr(0, length);
  arrived_.erase(0, length);
  return out;
}

void raw_connection::end_sending() {
  ::shutdown(descriptor_, SHUT_WR);
}

bool raw_connection::is_closed() {
  return arrived_.empty() && !fill() && arrived_.empty();
}

raw_request& raw_request::with(std::string name, std::string value) {
  headers.emplace_back(std::move(name), std::move(value));
  return *this;
}

std::string raw_request::text() const {
  std::string out = method + " " + target + " HTTP/1.1\r\nHost: obsync\r\n";
  for (const auto& [name, value] : headers) out += name + ": " + value + "\r\n";
  if (declares_length && !body.empty()) out += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  return out + "\r\n" + body;
}

raw_request signed_by(const client::credential& who, std::string method, std::string target, std::string body,
                      std::int64_t age_s) {
  system_random random;
  const std::string timestamp = std::to_string(system_clock().now_s() - age_s);
  const std::string nonce = random_id<request_nonce>(random).hex();
  constexpr std::string_view chunks = "/v1/chunks/";
  const std::string hash = method == "PUT" && target.starts_with(chunks)
                               ? target.substr(chunks.size())
                               : crypto::sha256(as_bytes(body)).hex();
  const crypto::hmac_key key(who.secret.view());
  const std::string signature = wire::sign(key, {method, target, timestamp, nonce, hash}).hex();
  raw_request out{std::move(method), std::move(target), {}, std::move(body)};
  out.with(std::string(wire::header_device), who.device.hex())
      .with(std::string(wire::header_timestamp), timestamp)
      .with(std::string(wire::header_nonce), nonce)
      .with(std::string(wire::header_signature), signature);
  return out;
}

raw_answer exchange(std::uint16_t port, const raw_request& request) {
  raw_connection connection(port);
  connection.send(request.text());
  return connection.receive(request.method == "HEAD");
}

raw_answer exchange(std::uint16_t port, const std::string& text) {
  raw_connection connection(port);
  connection.send(text);
  return connection.receive(text.starts_with("HEAD "));
}

raw_answer ask(const server_process& server, const client::credential& who, const std::string& method,
               const std::string& target, const std::string& body) {
  return exchange(server.port(), signed_by(who, method, target, body));
}

raw_answer ask_unsigned(const server_process& server, const std::string& method, const std::string& target,
                        const std::string& body) {
  return exchange(server.port(), raw_request{method, target, {}, body});
}

}  // namespace obsync::test
