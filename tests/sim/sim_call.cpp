#include "tests/sim/sim_call.hpp"

#include <algorithm>

namespace obsync::test {

namespace {

constexpr std::size_t slice_bytes = 40'000;

}  // namespace

std::string sim_call::text() const {
  const auto* body = got_ ? std::get_if<actors::text_body>(&got_->body) : nullptr;
  return body == nullptr ? "" : body->text;
}

std::optional<bytes> sim_call::chunk() const {
  const auto* body = got_ ? std::get_if<actors::chunk_body>(&got_->body) : nullptr;
  if (body == nullptr) return std::nullopt;
  if (const auto* whole = std::get_if<bytes>(&body->source)) return *whole;
  bytes out(body->size);
  const auto read = std::get<std::shared_ptr<disk_file>>(body->source)->read_at(0, out);
  if (!read.ok() || *read != out.size()) return std::nullopt;
  return out;
}

void sim_call::vanish() {
  abandoned = true;
  upload_.reset();
}

void sim_call::deliver(actors::reply&& value) {
  if (auto* go = std::get_if<std::shared_ptr<actors::upload>>(&value.body)) {
    upload_ = std::move(*go);
    return send_next();
  }
  got_ = std::move(value);
}

void sim_call::send_next() {
  if (!upload_) return;
  const auto mine = weak_from_this();
  if (sent_ == large_.size()) {
    upload_->finish([mine](actors::reply done) {
      if (const auto self = mine.lock(); self && self->upload_) {
        self->upload_.reset();
        self->got_ = std::move(done);
      }
    });
    return;
  }
  const std::size_t size = std::min(slice_bytes, large_.size() - sent_);
  bytes slice(large_.begin() + static_cast<std::ptrdiff_t>(sent_),
              large_.begin() + static_cast<std::ptrdiff_t>(sent_ + size));
  sent_ += size;
  upload_->write(std::move(slice), [mine](wire::outcome<void> done) {
    const auto self = mine.lock();
    if (!self || !self->upload_) return;
    if (done.ok()) return self->send_next();
    self->upload_.reset();
    self->got_ = actors::refuse(done.error());
  });
}

}  // namespace obsync::test
