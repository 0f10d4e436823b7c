// Streams a chunks/get answer, part after part, opening each large chunk when its turn comes. On the
// connection's executor.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "actors/ports.hpp"
#include "http/stream.hpp"

namespace obsync::http {

class parts_writer : public std::enable_shared_from_this<parts_writer> {
 public:
  // Called once; false when the peer was lost or a chunk vanished after the head was sent.
  using handler = std::function<void(bool)>;

  parts_writer(stream& peer, std::string boundary, actors::parts_body parts, handler done);

  // The length of everything between the head and the end of the answer.
  std::uint64_t content_length() const;
  // Writes `head` first, then all parts.
  void run(std::string head);

 private:
  std::string head_of(const actors::chunk_part& part) const;
  void next();
  void body();
  void end_part();

  stream& peer_;
  const std::string boundary_;
  actors::parts_body parts_;
  handler done_;
  std::size_t at_ = 0;
  std::string text_;  // framing on its way out
  std::unique_ptr<disk_file> file_;
};

}  // namespace obsync::http
