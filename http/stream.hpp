// One peer's bytes, whatever carries them. Everything above this line is written once for plain TCP and for
// TLS, and compiled without either. All calls and all handlers on the stream's own executor; one read and one
// write at a time.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/error_code.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace obsync::http {

class stream {
 public:
  using handler = std::function<void(const boost::system::error_code&, std::size_t)>;

  virtual ~stream() = default;
  // What must be agreed on before the first byte: the handshake, on TLS. Called once, before all else.
  virtual void greet(handler done) = 0;
  // At least one byte, or an error.
  virtual void read_some(std::span<std::uint8_t> into, handler done) = 0;
  // All of the pieces, or an error. They must stay valid until `done`.
  virtual void write(std::vector<boost::asio::const_buffer> pieces, handler done) = 0;
  // `length` bytes of an open file from `offset` on, or an error. The descriptor stays the caller's.
  virtual void send_file(int descriptor, std::uint64_t offset, std::uint64_t length, handler done) = 0;
  // Calls `closed` once when the peer hangs up while nothing is being read. Ends silently when the peer sends
  // bytes instead, or on stop_watching.
  virtual void watch_close(std::function<void()> closed) = 0;
  virtual void stop_watching() = 0;
  // Says that nothing more comes, then takes and forgets what the peer still sends until it hangs up, and
  // calls `done`. Without this, bytes nobody read would reset the connection and take the last answer with
  // them. Nothing else may be pending; only close() ends it early.
  virtual void part(std::function<void()> done) = 0;
  // Ends pending operations with an error; the stream can still be written to.
  virtual void cancel() = 0;
  virtual void close() = 0;
  virtual boost::asio::any_io_executor executor() = 0;
};

std::unique_ptr<stream> make_plain_stream(boost::asio::ip::tcp::socket socket);

struct tls_context;
// The server's end of TLS 1.2 or 1.3; `context` is kept alive for as long as the stream.
std::unique_ptr<stream> make_tls_stream(boost::asio::ip::tcp::socket socket,
                                        std::shared_ptr<tls_context> context);

}  // namespace obsync::http
