#include "http/upload_pump.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <utility>

namespace obsync::http {

namespace net = boost::asio;

upload_pump::upload_pump(body_source& source, std::shared_ptr<actors::upload> sink, std::size_t slice_bytes,
                         net::any_io_executor executor, handler done)
    : source_(source),
      sink_(std::move(sink)),
      slice_bytes_(slice_bytes),
      executor_(std::move(executor)),
      done_(std::move(done)) {}

void upload_pump::run() {
  fill();
}

void upload_pump::fill() {
  if (filled_ == 0) {
    const std::uint64_t left = source_.remaining().value_or(slice_bytes_);
    slice_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(slice_bytes_, left)));
  }
  reading_ = true;
  source_.read(std::span(slice_).subspan(filled_),
               [self = shared_from_this()](body_event event, std::size_t count) {
                 self->reading_ = false;
                 if (!self->done_) return;
                 if (self->refused_) return self->end(std::move(self->refused_));
                 if (event == body_event::lost || event == body_event::broken) return self->end(std::nullopt);
                 self->filled_ += count;
                 const bool full = self->filled_ == self->slice_.size() || self->source_.at_end();
                 if (!full) return self->fill();
                 self->ready_ = true;
                 self->hand_over();
               });
}

void upload_pump::hand_over() {
  if (writing_ || !ready_) return;
  ready_ = false;
  writing_ = true;
  slice_.resize(filled_);
  filled_ = 0;
  sink_->write(std::exchange(slice_, {}), [self = shared_from_this()](wire::outcome<void> outcome) {
    net::post(self->executor_,
              [self, outcome = std::move(outcome)]() mutable { self->on_written(std::move(outcome)); });
  });
  if (!source_.at_end()) fill();
}

void upload_pump::on_written(wire::outcome<void> outcome) {
  if (!done_) return;
  writing_ = false;
  if (!outcome) {
    refused_ = actors::refuse(outcome.error());
    // The caller goes on to read the rest of the body itself, and two reads at once are one too many.
    if (!reading_) end(std::move(refused_));
    return;
  }
  if (ready_) return hand_over();
  if (source_.at_end()) finish();
}

void upload_pump::finish() {
  sink_->finish([self = shared_from_this()](actors::reply answer) {
    // A reply may own a file and cannot be copied into a handler.
    auto kept = std::make_shared<actors::reply>(std::move(answer));
    net::post(self->executor_, [self, kept] { self->end(std::move(*kept)); });
  });
}

void upload_pump::end(std::optional<actors::reply> answer) {
  if (!done_) return;
  sink_.reset();
  std::exchange(done_, nullptr)(std::move(answer));
}

}  // namespace obsync::http
