#include "tests/e2e/browser.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

namespace obsync::test {

namespace {

namespace net = boost::asio;

std::string round_trip(std::uint16_t port, const std::string& text) {
  net::io_context io;
  net::ip::tcp::socket socket(io);
  boost::system::error_code failed;
  socket.connect({net::ip::address_v4::loopback(), port}, failed);
  if (!failed) net::write(socket, net::buffer(text), failed);
  std::string out;
  boost::system::error_code ended;
  if (!failed) net::read(socket, net::dynamic_buffer(out), ended);
  return out;
}

page_answer parse(const std::string& text) {
  page_answer out;
  const std::size_t end = text.find("\r\n\r\n");
  if (end == std::string::npos || text.size() < 12) return out;
  out.status = std::stoi(text.substr(9, 3));
  out.body = text.substr(end + 4);
  std::size_t at = text.find("\r\n") + 2;
  while (at < end + 2) {
    const std::size_t stop = text.find("\r\n", at);
    const std::string line = text.substr(at, stop - at);
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) out.headers.emplace_back(line.substr(0, colon), line.substr(colon + 2));
    at = stop + 2;
  }
  return out;
}

}  // namespace

std::string page_answer::header(const std::string& name) const {
  for (const auto& [key, value] : headers)
    if (key == name) return value;
  return {};
}

page_answer browser::get(const std::string& target) {
  return send("GET", target, {});
}

page_answer browser::post(const std::string& target) {
  return send("POST", target, "X-Obsync-Csrf: " + cookie("__Host-obsync_csrf") + "\r\n");
}

page_answer browser::send(const std::string& method, const std::string& target,
                          const std::string& header_lines) {
  std::string text = method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
  std::string jar;
  for (const auto& [name, value] : cookies_) jar += (jar.empty() ? "" : "; ") + name + "=" + value;
  if (!jar.empty()) text += "Cookie: " + jar + "\r\n";
  const page_answer answer = parse(round_trip(port_, text + header_lines + "\r\n"));
  keep_cookies(answer);
  return answer;
}

std::string browser::cookie(const std::string& name) const {
  const auto found = cookies_.find(name);
  return found == cookies_.end() ? "" : found->second;
}

void browser::keep_cookies(const page_answer& answer) {
  for (const auto& [name, line] : answer.headers) {
    if (name != "Set-Cookie") continue;
    const std::string pair = line.substr(0, line.find(';'));
    const std::size_t equals = pair.find('=');
    if (line.find("Max-Age=0;") != std::string::npos) {
      cookies_.erase(pair.substr(0, equals));
    } else {
      cookies_[pair.substr(0, equals)] = pair.substr(equals + 1);
    }
  }
}

}  // namespace obsync::test
