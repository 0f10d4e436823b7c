#include "http/body_source.hpp"

#include <algorithm>
#include <cstring>

namespace obsync::http {

namespace {

constexpr std::size_t chunked_read_bytes = 16u << 10;

}  // namespace

body_source::body_source(stream& peer, boost::beast::flat_buffer& arrived, const request_head& head)
    : peer_(peer), arrived_(arrived), chunked_(head.chunked), left_(head.content_length.value_or(0)) {
  at_end_ = !chunked_ && left_ == 0;
}

void body_source::read(std::span<std::uint8_t> into, handler done) {
  if (at_end_) return done(body_event::end, 0);
  if (chunked_) return read_chunked(into, std::move(done));
  read_plain(into, std::move(done));
}

std::size_t body_source::take_arrived(std::span<std::uint8_t> into, std::uint64_t most) {
  const std::size_t count =
      static_cast<std::size_t>(std::min<std::uint64_t>({into.size(), arrived_.size(), most}));
  std::memcpy(into.data(), arrived_.data().data(), count);
  arrived_.consume(count);
  return count;
}

void body_source::read_plain(std::span<std::uint8_t> into, handler done) {
  if (arrived_.size() > 0) {
    const std::size_t count = take_arrived(into, left_);
    left_ -= count;
    at_end_ = left_ == 0;
    return done(body_event::data, count);
  }
  const std::size_t want = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), left_));
  peer_.read_some(into.first(want), [this, done = std::move(done)](const auto& failed, std::size_t count) {
    if (failed) return done(body_event::lost, 0);
    left_ -= count;
    at_end_ = left_ == 0;
    done(body_event::data, count);
  });
}

void body_source::read_chunked(std::span<std::uint8_t> into, handler done) {
  if (decoded_.empty() && !coding_done_ && arrived_.size() > 0) {
    const std::string_view input(static_cast<const char*>(arrived_.data().data()), arrived_.size());
    std::size_t used = 0;
    const auto progress = decoder_.feed(input, decoded_, used);
    arrived_.consume(used);
    if (progress == chunked_decoder::progress::broken) return done(body_event::broken, 0);
    coding_done_ = progress == chunked_decoder::progress::done;
  }
  if (!decoded_.empty()) {
    const std::size_t count = std::min(into.size(), decoded_.size());
    std::memcpy(into.data(), decoded_.data(), count);
    decoded_.erase(0, count);
    at_end_ = coding_done_ && decoded_.empty();
    return done(body_event::data, count);
  }
  if (coding_done_) {
    at_end_ = true;
    return done(body_event::end, 0);
  }
  auto room = arrived_.prepare(chunked_read_bytes);
  peer_.read_some({static_cast<std::uint8_t*>(room.data()), room.size()},
                  [this, into, done = std::move(done)](const auto& failed, std::size_t count) mutable {
                    if (failed) return done(body_event::lost, 0);
                    arrived_.commit(count);
                    read_chunked(into, std::move(done));
                  });
}

}  // namespace obsync::http
