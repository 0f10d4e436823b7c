// The end of a connection whose last answer must arrive: the sending side is closed, and what the peer still
// sends is read and dropped until it closes too.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <array>
#include <functional>
#include <memory>
#include <utility>

namespace obsync::http {

namespace parting {

using scrap = std::array<char, 16 << 10>;

inline void drop_rest(boost::asio::ip::tcp::socket& socket, const std::shared_ptr<scrap>& into,
                      std::function<void()> done) {
  socket.async_read_some(
      boost::asio::buffer(*into),
      [&socket, into, done = std::move(done)](const boost::system::error_code& ended, std::size_t) mutable {
        if (ended) return done();
        drop_rest(socket, into, std::move(done));
      });
}

}  // namespace parting

// `socket` must live until `done`, which closing it brings about.
inline void part_from(boost::asio::ip::tcp::socket& socket, std::function<void()> done) {
  boost::system::error_code failed;
  socket.shutdown(boost::asio::ip::tcp::socket::shutdown_send, failed);
  if (failed) return done();
  parting::drop_rest(socket, std::make_shared<parting::scrap>(), std::move(done));
}

}  // namespace obsync::http
