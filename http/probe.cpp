#include "http/probe.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>

#include <charconv>
#include <chrono>

namespace obsync::http {

namespace {

namespace net = boost::asio;
namespace beast = boost::beast;
using endpoints = net::ip::tcp::resolver::results_type;

constexpr std::chrono::seconds patience{10};
constexpr std::uint64_t answer_bytes_max = 64 << 10;

struct exchange {
  beast::http::request<beast::http::empty_body> question;
  beast::http::response_parser<beast::http::string_body> answer;
  beast::flat_buffer buffer;
  beast::error_code failed = net::error::timed_out;
  bool distrusted = false;

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

void ask_plain(net::io_context& io, const endpoints& where, exchange& with) {
  beast::tcp_stream wire(io);
  wire.expires_after(patience);
  wire.async_connect(where, [&](beast::error_code connected, const auto&) {
    with.failed = connected;
    if (!connected) with.talk(wire);
  });
  io.run();
}

void ask_tls(net::io_context& io, const endpoints& where, const probe_target& at, exchange& with) {
  net::ssl::context context(net::ssl::context::tls_client);
  beast::ssl_stream<beast::tcp_stream> wire(io, context);
  if (at.verified) {
    beast::error_code ignored;  // without authorities nothing is trusted, which is said below
    context.set_default_verify_paths(ignored);
    wire.set_verify_mode(net::ssl::verify_peer);
    wire.set_verify_callback([&, names = net::ssl::host_name_verification(at.host)](
                                 bool vouched_for, net::ssl::verify_context& chain) {
      const bool trusted = names(vouched_for, chain);
      with.distrusted = with.distrusted || !trusted;
      return trusted;
    });
  } else {
    wire.set_verify_mode(net::ssl::verify_none);
  }
  SSL_set_tlsext_host_name(wire.native_handle(), at.host.c_str());
  beast::get_lowest_layer(wire).expires_after(patience);
  beast::get_lowest_layer(wire).async_connect(where, [&](beast::error_code connected, const auto&) {
    with.failed = connected;
    if (connected) return;
    wire.async_handshake(net::ssl::stream_base::client, [&](beast::error_code greeted) {
      with.failed = greeted;
      if (!greeted) with.talk(wire);
    });
  });
  io.run();
}

std::string host_field(const probe_target& at) {
  const std::string host = at.host.find(':') == std::string::npos ? at.host : "[" + at.host + "]";
  return at.port == (at.tls ? 443 : 80) ? host : host + ":" + std::to_string(at.port);
}

}  // namespace

std::optional<probe_target> probe_target_of(std::string_view url) {
  probe_target out;
  if (url.starts_with("https://")) {
    out.tls = true;
  } else if (!url.starts_with("http://")) {
    return std::nullopt;
  }
  url.remove_prefix(out.tls ? 8 : 7);
  const std::size_t slash = std::min(url.find('/'), url.size());
  out.path = url.substr(slash);
  while (out.path.ends_with('/')) out.path.pop_back();
  std::string_view authority = url.substr(0, slash);
  std::string_view port;
  if (authority.starts_with('[')) {
    const std::size_t end = authority.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    port = authority.substr(end + 1);
    authority = authority.substr(1, end - 1);
  } else {
    const std::size_t colon = std::min(authority.find(':'), authority.size());
    port = authority.substr(colon);
    authority = authority.substr(0, colon);
  }
  out.host = authority;
  out.port = out.tls ? 443 : 80;
  if (!port.empty()) {
    const char* const end = port.data() + port.size();
    const auto [read, failed] = std::from_chars(port.data() + 1, end, out.port);
    if (!port.starts_with(':') || failed != std::errc{} || read != end || out.port == 0) return std::nullopt;
  }
  if (out.host.empty()) return std::nullopt;
  return out;
}

result<probe_answer> probe(const probe_target& at, const std::string& path) {
  net::io_context io;
  beast::error_code unknown;
  const endpoints where = net::ip::tcp::resolver(io).resolve(at.host, std::to_string(at.port), unknown);
  if (unknown) return error{errc::not_found, "'" + at.host + "' has no address: " + unknown.message()};
  exchange with;
  with.answer.body_limit(answer_bytes_max);
  with.question = {beast::http::verb::get, at.path + path, 11};
  with.question.set(beast::http::field::host, host_field(at));
  with.question.keep_alive(false);
  if (at.tls) {
    ask_tls(io, where, at, with);
  } else {
    ask_plain(io, where, with);
  }
  if (with.distrusted) return error{errc::denied, with.failed.message()};
  if (with.failed) return error{errc::unavailable, with.failed.message()};
  auto& got = with.answer.get();
  return probe_answer{static_cast<int>(got.result_int()), std::move(got.body())};
}

}  // namespace obsync::http
