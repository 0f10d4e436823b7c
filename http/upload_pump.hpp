// Moves a large body from the socket to a blob writer, two slices at a time: one is read while the other is
// hashed and written. On the connection's executor.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "actors/ports.hpp"
#include "http/body_source.hpp"

namespace obsync::http {

class upload_pump : public std::enable_shared_from_this<upload_pump> {
 public:
  // Called once: with the writer's answer, or with nothing when the peer was lost or the read cancelled.
  using handler = std::function<void(std::optional<actors::reply>)>;

  upload_pump(body_source& source, std::shared_ptr<actors::upload> sink, std::size_t slice_bytes,
              boost::asio::any_io_executor executor, handler done);
  void run();

 private:
  void fill();
  void hand_over();
  void on_written(wire::outcome<void> outcome);
  void finish();
  void end(std::optional<actors::reply> answer);

  body_source& source_;
  std::shared_ptr<actors::upload> sink_;
  const std::size_t slice_bytes_;
  boost::asio::any_io_executor executor_;
  handler done_;  // empty once called

  bytes slice_;  // the one being filled
  std::size_t filled_ = 0;
  bool ready_ = false;  // filled, waiting for the writer
  bool writing_ = false;
  bool reading_ = false;
  std::optional<actors::reply> refused_;  // the writer's refusal, told once no read is under way
};

}  // namespace obsync::http
