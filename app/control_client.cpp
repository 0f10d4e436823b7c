#include "app/control_client.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <chrono>

#include "app/control_way.hpp"

namespace obsync::app {

namespace {

namespace net = boost::asio;
using boost::system::error_code;
using local = net::local::stream_protocol;

constexpr std::chrono::seconds patience{30};
constexpr std::size_t answer_bytes_max = 64u << 20;

error reason_of(const error_code& failed, const std::string& path) {
  if (failed == net::error::access_denied)
    return {errc::denied, path + " is only for the user that runs the server, and for root"};
  return {errc::unavailable, "no server listens at " + path};
}

}  // namespace

result<std::string> ask_running_server(const std::string& path, const std::string& line) {
  net::io_context io;
  local::socket socket(io);
  error_code failed;
  const auto way = control_way::to(path);
  if (!way) return reason_of(net::error::not_found, path);
  socket.connect(local::endpoint(way->name()), failed);
  if (failed) return reason_of(failed, path);
  const std::string sent = line + "\n";
  std::string answer;
  bool ended = false;
  // A server too busy to listen answers all the same, and hangs up before it has read anything.
  net::async_write(socket, net::buffer(sent), [&](const error_code&, std::size_t) {
    net::async_read(socket, net::dynamic_buffer(answer, answer_bytes_max), net::transfer_all(),
                    [&](const error_code& end, std::size_t) {
                      ended = end == net::error::eof || end == net::error::connection_reset;
                    });
  });
  io.run_for(patience);
  if (ended && answer.ends_with('\n')) {
    answer.pop_back();
    return answer;
  }
  if (!io.stopped()) return error{errc::timed_out, "the server did not answer within half a minute"};
  return error{errc::unavailable, "the server hung up without an answer; it may be stopping"};
}

}  // namespace obsync::app
