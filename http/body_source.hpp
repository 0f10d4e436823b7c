// A request's body as a sequence of pieces, whatever its framing: Content-Length, chunked, or none. Takes
// what the head's read already brought in before it asks the stream. On the stream's executor; one read at a
// time.
#pragma once

#include <boost/beast/core/flat_buffer.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "http/chunked.hpp"
#include "http/head.hpp"
#include "http/stream.hpp"

namespace obsync::http {

enum class body_event {
  data,    // bytes arrived, the body may go on
  end,     // the body is complete
  broken,  // invalid chunked framing
  lost,    // the peer went away or the read was cancelled
};

class body_source {
 public:
  // `peer` and `arrived` are the connection's and outlive this.
  body_source(stream& peer, boost::beast::flat_buffer& arrived, const request_head& head);

  // Up to into.size() bytes into `into`; `done` gets the event and their number, perhaps before this returns.
  using handler = std::function<void(body_event, std::size_t)>;
  void read(std::span<std::uint8_t> into, handler done);

  bool at_end() const { return at_end_; }
  // Bytes still to come; nothing while a chunked body goes on.
  std::optional<std::uint64_t> remaining() const { return chunked_ ? std::nullopt : std::optional(left_); }

 private:
  void read_plain(std::span<std::uint8_t> into, handler done);
  void read_chunked(std::span<std::uint8_t> into, handler done);
  std::size_t take_arrived(std::span<std::uint8_t> into, std::uint64_t most);

  stream& peer_;
  boost::beast::flat_buffer& arrived_;
  bool chunked_;
  std::uint64_t left_ = 0;
  bool at_end_ = false;
  bool coding_done_ = false;  // the final chunk was seen
  chunked_decoder decoder_;
  std::string decoded_;  // decoded and not handed out yet
};

}  // namespace obsync::http
