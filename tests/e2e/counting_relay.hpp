// Stands between a client and a server, counts every byte of either way, and can stop the flow after a number
// of bytes, so that a test kills a client at a point it chose and not at a moment it hoped for. Calls are the
// test's, from one thread.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace obsync::test {

class counting_relay {
 public:
  enum class way { to_server, to_client };

  // To a server on this machine, which need not be up yet. Throws when no port is free.
  explicit counting_relay(std::uint16_t server_port);
  counting_relay(const counting_relay&) = delete;
  counting_relay& operator=(const counting_relay&) = delete;
  ~counting_relay();

  std::string url() const;
  // Bytes taken over so far. The system holds a few more that its sender has let go of already: call
  // wait_until_drained() once the sender is dead.
  std::uint64_t count(way which) const;

  // After `bytes` more of this way, and what its connections are just taking over (16 KiB each), nothing
  // passes that way until release().
  void hold_after(way which, std::uint64_t bytes);
  bool holding() const;
  void release();
  // Until every connection made so far is over.
  bool wait_until_drained();

 private:
  using socket = std::shared_ptr<boost::asio::ip::tcp::socket>;

  void accept_loop();
  void pump(way which, const socket& from, const socket& to);
  // How many bytes may pass next; waits while that is none. 0 when the relay closes.
  std::size_t allowance(way which, std::size_t wanted);

  const std::uint16_t server_port_;
  boost::asio::io_context context_;
  boost::asio::ip::tcp::acceptor acceptor_;
  std::uint16_t port_;

  mutable std::mutex mutex_;  // guards what follows, but the last
  std::condition_variable changed_;
  std::uint64_t counts_[2] = {0, 0};
  std::optional<std::uint64_t> limits_[2];
  bool closing_ = false;
  int pumps_running_ = 0;
  std::vector<socket> sockets_;
  std::vector<std::thread> pumps_;
  std::thread acceptor_thread_;
};

}  // namespace obsync::test
