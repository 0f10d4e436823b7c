#include "tests/support/tiny_server.hpp"

#include <algorithm>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>

namespace obsync::test {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using tcp = net::ip::tcp;

tiny_server::tiny_server(handler answer)
    : answer_(std::move(answer)),
      acceptor_(context_, tcp::endpoint(net::ip::make_address("127.0.0.1"), 0)),
      port_(acceptor_.local_endpoint().port()),
      acceptor_thread_([this] { accept_loop(); }) {}

tiny_server::~tiny_server() {
  closing_ = true;
  // A blocking accept only wakes for a connection.
  boost::system::error_code ignored;
  tcp::socket knock(context_);
  knock.connect(tcp::endpoint(net::ip::make_address("127.0.0.1"), port_), ignored);
  acceptor_thread_.join();
  drop_connections();
  for (std::thread& each : threads_) each.join();
}

void tiny_server::drop_connections() {
  const std::lock_guard lock(mutex_);
  boost::system::error_code ignored;
  for (const auto& socket : sockets_) socket->shutdown(tcp::socket::shutdown_both, ignored);
}

void tiny_server::accept_loop() {
  for (;;) {
    auto socket = std::make_shared<tcp::socket>(context_);
    boost::system::error_code failed;
    acceptor_.accept(*socket, failed);
    if (failed || closing_) return;
    ++connections_;
    const std::lock_guard lock(mutex_);
    sockets_.push_back(socket);
    threads_.emplace_back([this, socket] { serve(socket); });
  }
}

void tiny_server::serve(std::shared_ptr<tcp::socket> socket) {
  beast::flat_buffer buffer;
  boost::system::error_code failed;
  while (!failed) {
    http::request_parser<http::string_body> parser;
    parser.body_limit(64u << 20);
    http::read(*socket, buffer, parser, failed);
    if (failed) break;
    const auto& message = parser.get();
    tiny_request request{
        std::string(message.method_string()), std::string(message.target()), {}, message.body()};
    for (const auto& field : message) {
      std::string name(field.name_string());
      std::transform(name.begin(), name.end(), name.begin(),
                     [](char c) { return static_cast<char>(std::tolower(c)); });
      request.headers[name] = std::string(field.value());
    }
    const std::string reply = answer_(request);
    if (reply.empty()) break;
    net::write(*socket, net::buffer(reply), failed);
  }
  socket->shutdown(tcp::socket::shutdown_both, failed);
}

std::string http_text(int status, const std::string& body, const std::string& content_type) {
  std::string text = "HTTP/1.1 " + std::to_string(status) + " Word\r\n";
  if (!body.empty()) text += "Content-Type: " + content_type + "\r\n";
  if (status != 204) text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  return text + "\r\n" + body;
}

}  // namespace obsync::test
