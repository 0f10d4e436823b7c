#include <sys/sendfile.h>

#include <boost/asio/write.hpp>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "http/socket_parting.hpp"
#include "http/stream.hpp"

namespace obsync::http {

namespace {

namespace net = boost::asio;
using boost::system::error_code;

constexpr std::uint64_t send_step_bytes = 1u << 20;

class plain_stream final : public stream {
 public:
  explicit plain_stream(net::ip::tcp::socket socket) : socket_(std::move(socket)) {}

  void greet(handler done) override { done({}, 0); }

  void read_some(std::span<std::uint8_t> into, handler done) override {
    socket_.async_read_some(net::buffer(into.data(), into.size()), std::move(done));
  }

  void write(std::vector<net::const_buffer> pieces, handler done) override {
    net::async_write(socket_, pieces, std::move(done));
  }

  void send_file(int descriptor, std::uint64_t offset, std::uint64_t length, handler done) override {
    error_code failed;
    socket_.native_non_blocking(true, failed);
    if (failed) return done(failed, 0);
    send_on(descriptor, offset, length, std::move(done));
  }

  void watch_close(std::function<void()> closed) override {
    // The wait cannot be told apart from a read's cancellation later, so a generation marks the one meant.
    const std::uint64_t watch = ++watch_;
    socket_.async_wait(net::ip::tcp::socket::wait_read,
                       [this, watch, closed = std::move(closed)](const error_code& failed) {
                         if (failed || watch != watch_) return;
                         error_code unknown;
                         if (socket_.available(unknown) == 0 || unknown) closed();
                       });
  }

  void stop_watching() override {
    ++watch_;
    cancel();
  }

  void part(std::function<void()> done) override { part_from(socket_, std::move(done)); }

  void cancel() override {
    error_code ignored;
    socket_.cancel(ignored);
  }

  void close() override {
    error_code ignored;
    socket_.shutdown(net::ip::tcp::socket::shutdown_both, ignored);
    socket_.close(ignored);
  }

  net::any_io_executor executor() override { return socket_.get_executor(); }

 private:
  // Sends until the socket is full, then waits for room: no byte of the file passes through this process.
  void send_on(int descriptor, std::uint64_t offset, std::uint64_t left, handler done) {
    while (left > 0) {
      auto at = static_cast<off_t>(offset);
      const ssize_t sent = ::sendfile(socket_.native_handle(), descriptor, &at,
                                      static_cast<std::size_t>(std::min(left, send_step_bytes)));
      if (sent > 0) {
        offset += static_cast<std::uint64_t>(sent);
        left -= static_cast<std::uint64_t>(sent);
        continue;
      }
      if (sent < 0 && errno == EINTR) continue;
      if (sent < 0 && errno == EAGAIN) {
        socket_.async_wait(
            net::ip::tcp::socket::wait_write,
            [this, descriptor, offset, left, done = std::move(done)](const error_code& failed) mutable {
              if (failed) return done(failed, 0);
              send_on(descriptor, offset, left, std::move(done));
            });
        return;
      }
      // A file that ends early would leave the peer waiting for bytes the head promised.
      const error_code why =
          sent == 0 ? error_code(net::error::eof) : error_code(errno, boost::system::system_category());
      return done(why, 0);
    }
    done({}, 0);
  }

  net::ip::tcp::socket socket_;
  std::uint64_t watch_ = 0;
};

}  // namespace

std::unique_ptr<stream> make_plain_stream(net::ip::tcp::socket socket) {
  return std::make_unique<plain_stream>(std::move(socket));
}

}  // namespace obsync::http
