#include "tests/e2e/counting_relay.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/write.hpp>
#include <chrono>

namespace obsync::test {

namespace net = boost::asio;
using tcp = net::ip::tcp;

namespace {

std::size_t index(counting_relay::way which) {
  return which == counting_relay::way::to_server ? 0 : 1;
}

tcp::endpoint here(std::uint16_t port) {
  return {net::ip::make_address("127.0.0.1"), port};
}

}  // namespace

counting_relay::counting_relay(std::uint16_t server_port)
    : server_port_(server_port),
      acceptor_(context_, here(0)),
      port_(acceptor_.local_endpoint().port()),
      acceptor_thread_([this] { accept_loop(); }) {}

counting_relay::~counting_relay() {
  boost::system::error_code ignored;
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    for (const socket& each : sockets_) each->shutdown(tcp::socket::shutdown_both, ignored);
  }
  changed_.notify_all();
  // A blocking accept only wakes for a connection.
  tcp::socket knock(context_);
  knock.connect(here(port_), ignored);
  acceptor_thread_.join();
  for (std::thread& each : pumps_) each.join();
}

std::string counting_relay::url() const {
  return "http://127.0.0.1:" + std::to_string(port_);
}

std::uint64_t counting_relay::count(way which) const {
  const std::lock_guard lock(mutex_);
  return counts_[index(which)];
}

void counting_relay::hold_after(way which, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  limits_[index(which)] = counts_[index(which)] + bytes;
}

bool counting_relay::holding() const {
  const std::lock_guard lock(mutex_);
  for (const std::size_t i : {0u, 1u}) {
    if (limits_[i] && counts_[i] >= *limits_[i]) return true;
  }
  return false;
}

void counting_relay::release() {
  const std::lock_guard lock(mutex_);
  limits_[0] = limits_[1] = std::nullopt;
  changed_.notify_all();
}

bool counting_relay::wait_until_drained() {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::minutes(1), [this] { return pumps_running_ == 0; });
}

void counting_relay::accept_loop() {
  for (;;) {
    const auto client = std::make_shared<tcp::socket>(context_);
    const auto server = std::make_shared<tcp::socket>(context_);
    boost::system::error_code failed;
    acceptor_.accept(*client, failed);
    if (failed) return;
    server->connect(here(server_port_), failed);
    const std::lock_guard lock(mutex_);
    if (closing_) return;
    if (failed) continue;
    sockets_.insert(sockets_.end(), {client, server});
    pumps_running_ += 2;
    pumps_.emplace_back([this, client, server] { pump(way::to_server, client, server); });
    pumps_.emplace_back([this, client, server] { pump(way::to_client, server, client); });
  }
}

std::size_t counting_relay::allowance(way which, std::size_t wanted) {
  std::unique_lock lock(mutex_);
  const auto& limit = limits_[index(which)];
  const auto& count = counts_[index(which)];
  changed_.wait(lock, [&] { return closing_ || !limit || count < *limit; });
  if (closing_) return 0;
  return limit ? std::min<std::size_t>(wanted, *limit - count) : wanted;
}

void counting_relay::pump(way which, const socket& from, const socket& to) {
  std::array<char, 16'384> buffer{};
  boost::system::error_code read_failed;
  boost::system::error_code write_failed;
  // Whoever is gone at the other end, what was sent is still counted.
  while (const std::size_t room = allowance(which, buffer.size())) {
    const std::size_t got = from->read_some(net::buffer(buffer.data(), room), read_failed);
    if (read_failed) break;
    {
      const std::lock_guard lock(mutex_);
      counts_[index(which)] += got;
    }
    if (!write_failed) net::write(*to, net::buffer(buffer.data(), got), write_failed);
  }
  boost::system::error_code ignored;
  to->shutdown(tcp::socket::shutdown_send, ignored);
  const std::lock_guard lock(mutex_);
  --pumps_running_;
  changed_.notify_all();
}

}  // namespace obsync::test
