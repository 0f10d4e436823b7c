#include "client/remote/http_connection.hpp"

#include <openssl/ssl.h>
#include <sys/socket.h>

#include <atomic>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/version.hpp>
#include <charconv>
#include <chrono>

namespace obsync::client {

namespace net = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using tcp = net::ip::tcp;
using boost::system::error_code;
using steady = std::chrono::steady_clock;

namespace {

// Beast reads in steps of the buffer's spare room; a default buffer would make them 512 bytes.
constexpr std::size_t read_step_bytes = 64u << 10;
constexpr std::uint32_t answer_head_bytes_max = 64u << 10;

exchange_failure failure(exchange_failure::kind what, std::string detail) {
  return {what, std::move(detail)};
}

std::optional<std::int64_t> retry_after(std::string_view text) {
  std::int64_t seconds = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (failed != std::errc{} || end != text.data() + text.size() || seconds < 0) return std::nullopt;
  return seconds;
}

// The certificate must be for this very host. An address is no server name, so it is not announced as one.
void demand_name(SSL* secure, const std::string& host) {
  error_code not_numeric;
  net::ip::make_address(host, not_numeric);
  if (!not_numeric) {
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(secure), host.c_str());
    return;
  }
  SSL_set1_host(secure, host.c_str());
  SSL_set_tlsext_host_name(secure, host.c_str());
}

// Why a certificate was not believed, and what a person can do about it.
std::string distrust_text(const endpoint& server, long verdict) {
  const std::string whose = "the certificate of " + server.url();
  switch (verdict) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return whose + " has expired: the server's operator has to renew it (is this machine's clock right?)";
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return whose + " is not valid yet: is this machine's clock right?";
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return whose + " is for another name than " + server.host +
             ": use the name it was made for, or have it made for this one";
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
      return whose +
             " comes from an authority this machine does not trust: if it is your own, name its file with "
             "--ca "
             "(or install it); if not, somebody may be in between";
    default:
      return whose + " is not trusted: " + X509_verify_cert_error_string(verdict);
  }
}

}  // namespace

struct tls_trust {
  net::ssl::context context{net::ssl::context::tls_client};
};

result<std::shared_ptr<tls_trust>> load_tls_trust(const std::optional<std::string>& ca_file) {
  auto trust = std::make_shared<tls_trust>();
  error_code failed;
  SSL_CTX_set_min_proto_version(trust->context.native_handle(), TLS1_2_VERSION);
  if (ca_file) {
    trust->context.load_verify_file(*ca_file, failed);
  } else {
    trust->context.set_default_verify_paths(failed);
  }
  if (failed) {
    return error{errc::invalid, "cannot use " + ca_file.value_or("the system's") +
                                    " as list of trusted certificate authorities: " + failed.message()};
  }
  trust->context.set_verify_mode(net::ssl::verify_peer, failed);
  return trust;
}

struct http_connection::state {
  state(const endpoint& where, std::shared_ptr<tls_trust> whom, std::int64_t connect_max)
      : server(where), trust(std::move(whom)), connect_ms_max(connect_max) {
    if (trust) {
      secure.emplace(context, trust->context);
    } else {
      plain.emplace(context);
    }
  }

  tcp::socket& socket() { return secure ? secure->next_layer() : *plain; }

  // Runs one asynchronous operation to its end, or closes the socket when the time is over or we are told to
  // stop. The outcome lives on the heap because a name look-up cannot be cancelled and may report later.
  template <class Start>
  error_code run(steady::time_point until, Start start) {
    auto outcome = std::make_shared<std::optional<error_code>>();
    start([outcome](error_code code, auto&&...) { *outcome = code; });
    context.restart();
    while (!*outcome && !interrupted && context.run_one_until(until) != 0) {
    }
    if (*outcome) return **outcome;
    close();
    // Operations on a closed socket report at once; they hold pointers into this frame and must be done.
    while (!*outcome && context.poll_one() != 0) {
    }
    return interrupted ? net::error::operation_aborted : net::error::timed_out;
  }

  void close() {
    error_code ignored;
    socket().close(ignored);
    open = false;
  }

  std::optional<exchange_failure> connect(steady::time_point deadline);
  std::optional<exchange_failure> handshake(steady::time_point until);
  exchange_failure connect_failure(error_code code, const char* act) const;
  template <class Stream>
  exchange_result talk(Stream& stream, const http_request& request, const exchange_limits& limits,
                       steady::time_point deadline);
  exchange_failure read_failure(error_code code, bool heard_something, bool was_open) const;

  endpoint server;
  std::shared_ptr<tls_trust> trust;
  std::int64_t connect_ms_max;
  net::io_context context{1};
  tcp::resolver resolver{context};
  std::optional<tcp::socket> plain;
  std::optional<net::ssl::stream<tcp::socket>> secure;
  bool open = false;
  std::uint64_t exchanges = 0;
  std::atomic<bool> interrupted{false};
};

exchange_failure http_connection::state::connect_failure(error_code code, const char* act) const {
  if (interrupted) return failure(exchange_failure::kind::stopped, "stopped");
  return failure(exchange_failure::kind::no_connection,
                 "cannot " + std::string(act) + " " + server.url() + ": " + code.message());
}

std::optional<exchange_failure> http_connection::state::connect(steady::time_point deadline) {
  const auto until = std::min(deadline, steady::now() + std::chrono::milliseconds(connect_ms_max));
  auto found = std::make_shared<tcp::resolver::results_type>();
  error_code code;
  const auto address = net::ip::make_address(server.host, code);
  if (!code) {
    *found = tcp::resolver::results_type::create(tcp::endpoint(address, server.port), server.host, "");
  } else {
    code = run(until, [&](auto done) {
      resolver.async_resolve(server.host, std::to_string(server.port),
                             [done, found](error_code failed, tcp::resolver::results_type results) {
                               *found = std::move(results);
                               done(failed);
                             });
    });
    if (code) return connect_failure(code, "find");
  }
  code = run(until, [&](auto done) { net::async_connect(socket(), *found, done); });
  if (code) return connect_failure(code, "connect to");
  open = true;
  error_code ignored;
  socket().set_option(tcp::no_delay(true), ignored);
  return secure ? handshake(until) : std::nullopt;
}

std::optional<exchange_failure> http_connection::state::handshake(steady::time_point until) {
  demand_name(secure->native_handle(), server.host);
  const error_code code =
      run(until, [&](auto done) { secure->async_handshake(net::ssl::stream_base::client, done); });
  if (!code) return std::nullopt;
  close();
  if (const long verdict = SSL_get_verify_result(secure->native_handle()); verdict != X509_V_OK) {
    return failure(exchange_failure::kind::untrusted, distrust_text(server, verdict));
  }
  if (code.category() == net::error::get_ssl_category()) {
    return failure(exchange_failure::kind::not_http,
                   server.url() + " does not speak TLS (" + code.message() + "): is it an http:// address?");
  }
  return connect_failure(code, "talk TLS to");
}

exchange_failure http_connection::state::read_failure(error_code code, bool heard_something,
                                                      bool was_open) const {
  using kind = exchange_failure::kind;
  if (interrupted) return failure(kind::stopped, "stopped");
  if (code == net::error::timed_out)
    return failure(kind::timed_out, server.url() + " did not answer in time");
  if (code == http::error::body_limit) return failure(kind::too_large, "the answer is larger than agreed");
  const bool ended = code == http::error::end_of_stream || code == http::error::partial_message ||
                     code == net::error::eof || code == net::ssl::error::stream_truncated ||
                     code.category() == boost::system::system_category();
  if (!ended) {
    return failure(kind::not_http, "the answer of " + server.url() + " is not HTTP: " + code.message());
  }
  if (was_open && !heard_something) return failure(kind::stale, "the kept connection was closed");
  const bool hung_up_at_once = !heard_something && !server.tls;
  return failure(kind::broken, "the connection to " + server.url() + " broke: " + code.message() +
                                   (hung_up_at_once ? " (does the server want https://?)" : ""));
}

template <class Stream>
exchange_result http_connection::state::talk(Stream& stream, const http_request& request,
                                             const exchange_limits& limits, steady::time_point deadline) {
  const bool was_open = exchanges++ > 0;
  using body_type = http::span_body<const std::uint8_t>;
  http::request<body_type> message;
  message.method_string(request.method);
  message.target(request.target);
  message.set(http::field::host, server.host_header());
  for (const auto& [name, value] : request.headers) message.set(name, value);
  message.body() = {request.body.data(), request.body.size()};
  if (!request.body.empty() || request.method != "GET") message.content_length(request.body.size());

  // A server that refuses a body early may close before all of it is sent: what it said is still worth
  // reading.
  const error_code sent = run(deadline, [&](auto done) { http::async_write(stream, message, done); });
  if (sent == net::error::timed_out || interrupted) return read_failure(sent, false, false);

  beast::flat_buffer buffer;
  buffer.reserve(read_step_bytes);
  http::response_parser<http::vector_body<std::uint8_t>> parser;
  parser.header_limit(answer_head_bytes_max);
  parser.body_limit(limits.answer_bytes_max);
  const error_code got = run(deadline, [&](auto done) { http::async_read(stream, buffer, parser, done); });
  if (got) {
    close();
    return read_failure(got, parser.got_some() || buffer.size() > 0, was_open);
  }
  if (sent || !parser.keep_alive()) close();

  auto& reply = parser.get();
  http_answer answer;
  answer.status = static_cast<int>(reply.result_int());
  answer.content_type = std::string(reply[http::field::content_type]);
  answer.retry_after_s = retry_after(std::string_view(reply[http::field::retry_after]));
  answer.body = std::move(reply.body());
  return answer;
}

http_connection::http_connection(const endpoint& server, std::shared_ptr<tls_trust> trust,
                                 std::int64_t connect_ms_max)
    : state_(std::make_unique<state>(server, std::move(trust), connect_ms_max)) {}

http_connection::~http_connection() {
  state_->close();
}

exchange_result http_connection::exchange(const http_request& request, const exchange_limits& limits) {
  const auto deadline = steady::now() + std::chrono::milliseconds(limits.deadline_ms);
  if (state_->interrupted) return failure(exchange_failure::kind::stopped, "stopped");
  if (!state_->open) {
    if (auto failed = state_->connect(deadline)) return *failed;
  }
  return state_->secure ? state_->talk(*state_->secure, request, limits, deadline)
                        : state_->talk(*state_->plain, request, limits, deadline);
}

bool http_connection::reusable() {
  if (!state_->open || state_->interrupted) return false;
  // Nothing may be waiting between exchanges: bytes would belong to nobody, and an end means the server left.
  std::uint8_t byte = 0;
  const auto got = ::recv(state_->socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  const bool quiet = got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  // TLS 1.3 sends session tickets whenever it likes; an end would show as zero bytes.
  return quiet || (state_->secure && got > 0);
}

void http_connection::interrupt() {
  state_->interrupted = true;
  net::post(state_->context, [] {});
}

}  // namespace obsync::client
