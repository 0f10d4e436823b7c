#include "http/listener.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>

#include <chrono>

#include "core/log.hpp"
#include "http/connection.hpp"

namespace obsync::http {

namespace {

namespace net = boost::asio;
using boost::system::error_code;
using net::ip::tcp;

constexpr std::chrono::milliseconds round_every{1000};
constexpr std::chrono::milliseconds accept_pause{100};

class tcp_listener final : public listener, public std::enable_shared_from_this<tcp_listener> {
 public:
  tcp_listener(net::io_context& io, tcp::acceptor acceptor, server& shared,
               std::shared_ptr<tls_identity> identity)
      : io_(io),
        strand_(net::make_strand(io)),
        acceptor_(std::move(acceptor)),
        round_timer_(strand_),
        pause_timer_(strand_),
        shared_(shared),
        identity_(std::move(identity)) {}

  std::uint16_t port() const override {
    error_code ignored;
    return acceptor_.local_endpoint(ignored).port();
  }

  void start() override {
    net::post(strand_, [self = shared_from_this()] { self->accept(); });
  }

  void wind_down() override {
    net::post(strand_, [self = shared_from_this()] {
      self->stopped_ = true;
      self->shared_.set_stopping();
      error_code ignored;
      self->acceptor_.close(ignored);
      self->pause_timer_.cancel();
      for (const auto& one : self->shared_.alive()) one->wind_down();
    });
  }

  void cut() override {
    net::post(strand_, [self = shared_from_this()] {
      for (const auto& one : self->shared_.alive()) one->cut();
    });
  }

 private:
  void accept() {
    acceptor_.async_accept(
        net::make_strand(io_), [self = shared_from_this()](const error_code& failed, tcp::socket socket) {
          net::post(self->strand_, [self, failed, kept = std::make_shared<tcp::socket>(std::move(socket))] {
            self->on_accept(failed, std::move(*kept));
          });
        });
  }

  void on_accept(const error_code& failed, tcp::socket socket) {
    if (stopped_) return;
    if (failed) {
      // Out of descriptors, most likely: trying again at once would spin.
      log::line(log::level::warn, "accept_failed").add("reason", failed.message());
      pause_timer_.expires_after(accept_pause);
      pause_timer_.async_wait([self = shared_from_this()](const error_code& cancelled) {
        if (!cancelled) self->accept();
      });
      return;
    }
    welcome(std::move(socket));
    accept();
  }

  void welcome(tcp::socket socket) {
    error_code failed;
    socket.set_option(tcp::no_delay(true), failed);
    const auto peer = socket.remote_endpoint(failed);
    if (failed) return;
    const auto made =
        std::make_shared<connection>(stream_over(std::move(socket)), shared_, peer.address().to_string());
    if (shared_.enter(made)) {
      made->run();
    } else if (!identity_) {
      made->run_refused(shared_.enter_refused(made));
    }
    // One too many over TLS is let go unheard: a handshake costs more than the answer would be worth.
    keep_rounds();
  }

  std::unique_ptr<stream> stream_over(tcp::socket socket) {
    if (!identity_) return make_plain_stream(std::move(socket));
    identity_->reload_when_changed(std::chrono::steady_clock::now());
    return make_tls_stream(std::move(socket), identity_->current());
  }

  // Runs only while there is a connection or a summed log line to be told, so that an idle server sleeps.
  void keep_rounds() {
    if (rounding_) return;
    rounding_ = true;
    round_timer_.expires_after(round_every);
    round_timer_.async_wait([self = shared_from_this()](const error_code& cancelled) {
      self->rounding_ = false;
      if (cancelled) return;
      const auto now = std::chrono::steady_clock::now();
      const auto alive = self->shared_.alive();
      for (const auto& one : alive) one->check_deadline(now);
      const bool sums_wait = self->shared_.requests().close_windows();
      if (!alive.empty() || (sums_wait && !self->stopped_)) self->keep_rounds();
    });
  }

  net::io_context& io_;
  net::strand<net::io_context::executor_type> strand_;
  tcp::acceptor acceptor_;
  net::steady_timer round_timer_;
  net::steady_timer pause_timer_;
  server& shared_;
  const std::shared_ptr<tls_identity> identity_;  // none: plain HTTP
  bool stopped_ = false;
  bool rounding_ = false;
};

errc errc_of(const error_code& failed) {
  if (failed == net::error::address_in_use) return errc::exists;
  if (failed == net::error::access_denied) return errc::denied;
  return errc::invalid;
}

}  // namespace

result<std::shared_ptr<listener>> listen(net::io_context& io, const std::string& host, std::uint16_t port,
                                         server& shared, std::shared_ptr<tls_identity> identity) {
  error_code failed;
  auto address = net::ip::make_address(host, failed);
  if (failed) return error{errc::invalid, "'" + host + "' is not an address"};
  tcp::acceptor acceptor(io);
  acceptor.open(address.is_v6() ? tcp::v6() : tcp::v4(), failed);
  if (failed && address.is_v6() && address.is_unspecified()) {
    // A machine without IPv6 asked for "everywhere" means everywhere it has.
    log::line(log::level::warn, "listen_ipv4_only");
    address = net::ip::address_v4::any();
    acceptor.open(tcp::v4(), failed);
  }
  if (!failed) acceptor.set_option(tcp::acceptor::reuse_address(true), failed);
  if (!failed) acceptor.bind({address, port}, failed);
  if (!failed) acceptor.listen(net::socket_base::max_listen_connections, failed);
  if (failed) return error{errc_of(failed), failed.message()};
  return std::shared_ptr<listener>(
      std::make_shared<tcp_listener>(io, std::move(acceptor), shared, std::move(identity)));
}

}  // namespace obsync::http
