#include "http/probe.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>

#include <chrono>

namespace obsync::http {

namespace {

namespace net = boost::asio;
namespace beast = boost::beast;

constexpr std::chrono::seconds patience{10};

struct exchange {
  beast::http::request<beast::http::empty_body> question;
  beast::http::response<beast::http::string_body> answer;
  beast::flat_buffer buffer;
  beast::error_code failed = net::error::timed_out;

  template <class Stream>
  void talk(Stream& over) {
    beast::http::async_write(over, question, [this, &over](beast::error_code written, std::size_t) {
      failed = written;
      if (failed) return;
      beast::http::async_read(over, buffer, answer,
                              [this](beast::error_code read, std::size_t) { failed = read; });
    });
  }
};

void ask_plain(net::io_context& io, const net::ip::tcp::endpoint& where, exchange& with) {
  beast::tcp_stream wire(io);
  wire.expires_after(patience);
  wire.async_connect(where, [&](beast::error_code connected) {
    with.failed = connected;
    if (!connected) with.talk(wire);
  });
  io.run();
}

void ask_tls(net::io_context& io, const net::ip::tcp::endpoint& where, exchange& with) {
  net::ssl::context context(net::ssl::context::tls_client);
  context.set_verify_mode(net::ssl::verify_none);
  beast::ssl_stream<beast::tcp_stream> wire(io, context);
  beast::get_lowest_layer(wire).expires_after(patience);
  beast::get_lowest_layer(wire).async_connect(where, [&](beast::error_code connected) {
    with.failed = connected;
    if (connected) return;
    wire.async_handshake(net::ssl::stream_base::client, [&](beast::error_code greeted) {
      with.failed = greeted;
      if (!greeted) with.talk(wire);
    });
  });
  io.run();
}

}  // namespace

result<probe_answer> probe(const std::string& host, std::uint16_t port, const std::string& target, bool tls) {
  beast::error_code failed;
  const auto address = net::ip::make_address(host, failed);
  if (failed) return error{errc::invalid, "'" + host + "' is not an address"};
  net::io_context io;
  exchange with;
  with.question = {beast::http::verb::get, target, 11};
  with.question.set(beast::http::field::host, "localhost");
  with.question.keep_alive(false);
  if (tls) {
    ask_tls(io, {address, port}, with);
  } else {
    ask_plain(io, {address, port}, with);
  }
  if (with.failed) return error{errc::unavailable, with.failed.message()};
  return probe_answer{static_cast<int>(with.answer.result_int()), std::move(with.answer.body())};
}

}  // namespace obsync::http
