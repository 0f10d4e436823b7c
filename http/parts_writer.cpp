#include "http/parts_writer.hpp"

#include <utility>

#include "wire/multipart.hpp"

namespace obsync::http {

namespace net = boost::asio;

parts_writer::parts_writer(stream& peer, std::string boundary, actors::parts_body parts, handler done)
    : peer_(peer), boundary_(std::move(boundary)), parts_(std::move(parts)), done_(std::move(done)) {}

std::string parts_writer::head_of(const actors::chunk_part& part) const {
  return part.missing ? wire::missing_part_head(boundary_, part.sid)
                      : wire::part_head(boundary_, part.sid, part.size);
}

std::uint64_t parts_writer::content_length() const {
  std::uint64_t total = wire::final_boundary(boundary_).size();
  for (const actors::chunk_part& part : parts_.parts)
    total += head_of(part).size() + (part.missing ? 0 : part.size) + wire::part_end.size();
  return total;
}

void parts_writer::run(std::string head) {
  text_ = std::move(head);
  next();
}

// Small parts travel together with their framing, as many as come in a row.
void parts_writer::next() {
  std::string out = std::exchange(text_, {});
  while (at_ < parts_.parts.size()) {
    actors::chunk_part& part = parts_.parts[at_];
    out += head_of(part);
    if (part.open_large) break;
    out += as_text(part.small);
    out += wire::part_end;
    part.small = {};
    ++at_;
  }
  const bool last = at_ == parts_.parts.size();
  if (last) out += wire::final_boundary(boundary_);
  text_ = std::move(out);
  peer_.write({net::buffer(text_)}, [self = shared_from_this(), last](const auto& failed, std::size_t) {
    self->text_.clear();
    if (failed || last) return self->done_(!failed);
    self->body();
  });
}

void parts_writer::body() {
  const actors::chunk_part& part = parts_.parts[at_];
  auto opened = part.open_large();
  if (!opened) return done_(false);
  file_ = std::move(*opened);
  peer_.send_file(file_->native_handle(), 0, part.size,
                  [self = shared_from_this()](const auto& failed, std::size_t) {
                    self->file_.reset();
                    if (failed) return self->done_(false);
                    self->end_part();
                  });
}

void parts_writer::end_part() {
  ++at_;
  text_ = wire::part_end;
  next();
}

}  // namespace obsync::http
