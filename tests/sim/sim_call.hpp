// A request on its way through the simulated server: what a connection does for a real one, without a socket.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "actors/ports.hpp"

namespace obsync::test {

class sim_call final : public actors::call, public std::enable_shared_from_this<sim_call> {
 public:
  // `body` of a large chunk goes slice by slice once the server says go.
  sim_call(actors::request&& from, bytes body) : call(std::move(from)), large_(std::move(body)) {}

  bool has_answer() const { return got_.has_value(); }
  int status() const { return got_ ? got_->status : 0; }
  std::string decision() const { return got_ ? got_->decision : ""; }
  std::string text() const;
  // The bytes of a chunk; nothing for any other answer, or where they cannot be read.
  std::optional<bytes> chunk() const;
  bool is_uploading() const { return upload_ != nullptr; }

  // The peer hung up, in the middle of a body if that is where it is.
  void vanish();

 protected:
  void deliver(actors::reply&& value) override;

 private:
  void send_next();

  bytes large_;
  std::size_t sent_ = 0;
  std::shared_ptr<actors::upload> upload_;
  std::optional<actors::reply> got_;
};

using sim_call_ptr = std::shared_ptr<sim_call>;

}  // namespace obsync::test
