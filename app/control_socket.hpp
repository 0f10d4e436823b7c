// The operator's way into a running server: a Unix socket beside the journal, which only the server's own
// user and root may open. One request of one line, one answer of one line, and the connection ends.
#pragma once

#include <boost/asio/io_context.hpp>

#include <memory>
#include <string>

#include "actors/control_port.hpp"
#include "core/result.hpp"

namespace obsync::app {

// `<journal_dir>/v1/control`.
std::string control_path(const std::string& journal_dir);

class control_socket {
 public:
  virtual ~control_socket() = default;
  // Accepts nobody any more and removes the socket. Any thread, once.
  virtual void close() = 0;
};

// Takes the place of a socket that a crash left; the store's lock proves that nobody listens there. `door`
// and `io` outlive everything made here. errc::denied when the system refuses.
result<std::unique_ptr<control_socket>> listen_for_operator(boost::asio::io_context& io,
                                                            const std::string& path,
                                                            actors::control_door& door);

}  // namespace obsync::app
