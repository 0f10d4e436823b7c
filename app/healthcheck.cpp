#include "app/healthcheck.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

#include <chrono>
#include <iostream>

namespace obsync::app {

namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;

// The listener's own address; "everywhere" is reached through loopback.
net::ip::tcp::endpoint endpoint_of(const config::endpoint& listen) {
  const auto address = net::ip::make_address(listen.host);
  if (!address.is_unspecified()) return {address, listen.port};
  if (address.is_v6()) return {net::ip::address_v6::loopback(), listen.port};
  return {net::ip::address_v4::loopback(), listen.port};
}

}  // namespace

int healthcheck(const config::settings& settings) {
  net::io_context io;
  beast::tcp_stream stream(io);
  http::request<http::empty_body> ask{http::verb::get, "/readyz", 11};
  ask.set(http::field::host, "localhost");
  ask.keep_alive(false);
  http::response<http::string_body> answer;
  beast::flat_buffer buffer;
  beast::error_code failed;
  stream.expires_after(std::chrono::seconds(10));
  stream.async_connect(endpoint_of(settings.server.listen), [&](beast::error_code connected) {
    failed = connected;
    if (failed) return;
    http::async_write(stream, ask, [&](beast::error_code written, std::size_t) {
      failed = written;
      if (failed) return;
      http::async_read(stream, buffer, answer, [&](beast::error_code read, std::size_t) { failed = read; });
    });
  });
  io.run();
  if (failed) {
    std::cerr << "obsyncd: no answer on " << settings.server.listen.host << ":" << settings.server.listen.port
              << ": " << failed.message() << "\n";
    return 1;
  }
  if (answer.result() == http::status::ok) return 0;
  std::cerr << "obsyncd: not ready: " << answer.body() << "\n";
  return 1;
}

}  // namespace obsync::app
