#include <unistd.h>

#include <boost/asio/post.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/bytes.hpp"
#include "http/socket_parting.hpp"
#include "http/stream.hpp"
#include "http/tls_context.hpp"

namespace obsync::http {

namespace {

namespace net = boost::asio;
using boost::system::error_code;

// What is read of a file at once: long enough to be cheap, short enough that nobody else waits for the disk.
constexpr std::size_t file_slice_bytes = 128u << 10;

class tls_stream final : public stream {
 public:
  tls_stream(net::ip::tcp::socket socket, std::shared_ptr<tls_context> context)
      : context_(std::move(context)), secure_(std::move(socket), context_->context) {}

  void greet(handler done) override {
    secure_.async_handshake(net::ssl::stream_base::server,
                            [this, done = std::move(done)](const error_code& failed) {
                              greeted_ = !failed;
                              done(failed, 0);
                            });
  }

  void read_some(std::span<std::uint8_t> into, handler done) override {
    if (watch_reading_) {
      // The watch's read is still under way, and what it brings comes first.
      waiting_into_ = into;
      waiting_ = std::move(done);
      return;
    }
    if (early_begin_ < early_end_) {
      const std::size_t count = take_early(into);
      net::post(executor(), [count, done = std::move(done)] { done({}, count); });
      return;
    }
    secure_.async_read_some(net::buffer(into.data(), into.size()), std::move(done));
  }

  void write(std::vector<net::const_buffer> pieces, handler done) override {
    net::async_write(secure_, pieces, std::move(done));
  }

  void send_file(int descriptor, std::uint64_t offset, std::uint64_t length, handler done) override {
    slice_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(file_slice_bytes, length)));
    send_on(descriptor, offset, length, std::move(done));
  }

  // A close is only seen by reading: the peer's farewell is a message like others. What arrives instead is
  // kept for the next read.
  void watch_close(std::function<void()> closed) override {
    closed_ = std::move(closed);
    if (watch_reading_ || early_begin_ < early_end_) return;
    watch_reading_ = true;
    // The handler holds on to whoever watches, for the read may outlast the watch.
    secure_.async_read_some(net::buffer(early_),
                            [this, owner = closed_](const error_code& failed, std::size_t count) {
                              watch_reading_ = false;
                              early_begin_ = 0;
                              early_end_ = count;
                              if (waiting_) return resume_waiting(failed);
                              const auto tell = std::exchange(closed_, nullptr);
                              if (failed && failed != net::error::operation_aborted && tell) tell();
                            });
  }

  void stop_watching() override { closed_ = nullptr; }

  void part(std::function<void()> done) override {
    if (!greeted_) return part_from(secure_.next_layer(), std::move(done));
    // Ends when the peer said farewell too; what it sends instead of that is dropped undeciphered.
    secure_.async_shutdown([this, done = std::move(done)](const error_code& failed) mutable {
      if (!failed || failed == net::error::operation_aborted || failed == net::error::eof) return done();
      part_from(secure_.next_layer(), std::move(done));
    });
  }

  void cancel() override {
    error_code ignored;
    secure_.next_layer().cancel(ignored);
  }

  void close() override {
    closed_ = nullptr;
    error_code ignored;
    secure_.next_layer().shutdown(net::ip::tcp::socket::shutdown_both, ignored);
    secure_.next_layer().close(ignored);
  }

  net::any_io_executor executor() override { return secure_.get_executor(); }

 private:
  std::size_t take_early(std::span<std::uint8_t> into) {
    const std::size_t count = std::min(into.size(), early_end_ - early_begin_);
    std::memcpy(into.data(), early_.data() + early_begin_, count);
    early_begin_ += count;
    return count;
  }

  void resume_waiting(const error_code& failed) {
    const handler done = std::exchange(waiting_, nullptr);
    done(failed, failed ? 0 : take_early(waiting_into_));
  }

  void send_on(int descriptor, std::uint64_t offset, std::uint64_t left, handler done) {
    if (left == 0) {
      slice_ = {};
      return done({}, 0);
    }
    const auto want = static_cast<std::size_t>(std::min<std::uint64_t>(slice_.size(), left));
    ssize_t got = 0;
    do {
      got = ::pread(descriptor, slice_.data(), want, static_cast<off_t>(offset));
    } while (got < 0 && errno == EINTR);
    // A file that ends early would leave the peer waiting for bytes the head promised.
    if (got <= 0) {
      const error_code why =
          got == 0 ? error_code(net::error::eof) : error_code(errno, boost::system::system_category());
      return done(why, 0);
    }
    const auto count = static_cast<std::size_t>(got);
    net::async_write(secure_, net::buffer(slice_.data(), count),
                     [this, descriptor, offset, left, count, done = std::move(done)](const error_code& failed,
                                                                                     std::size_t) mutable {
                       if (failed) return done(failed, 0);
                       send_on(descriptor, offset + count, left - count, std::move(done));
                     });
  }

  const std::shared_ptr<tls_context> context_;
  net::ssl::stream<net::ip::tcp::socket> secure_;
  bool greeted_ = false;
  bytes slice_;  // of the file being sent

  // --- the watch for the peer's end
  std::function<void()> closed_;
  bool watch_reading_ = false;
  std::array<std::uint8_t, 512> early_{};  // what the watch read
  std::size_t early_begin_ = 0;
  std::size_t early_end_ = 0;
  std::span<std::uint8_t> waiting_into_;  // a read that came while the watch was reading
  handler waiting_;
};

}  // namespace

std::unique_ptr<stream> make_tls_stream(net::ip::tcp::socket socket, std::shared_ptr<tls_context> context) {
  return std::make_unique<tls_stream>(std::move(socket), std::move(context));
}

}  // namespace obsync::http
