#include "http/chunked.hpp"

#include <algorithm>
#include <charconv>

namespace obsync::http {

namespace {

constexpr std::size_t size_line_bytes_max = 64;
constexpr std::size_t trailer_bytes_max = 8192;

}  // namespace

// Collects one line. `done` means that line_ holds it whole; a bare LF or CR is broken.
chunked_decoder::progress chunked_decoder::take_line(std::string_view input, std::size_t& used,
                                                     std::size_t most) {
  while (used < input.size()) {
    const char c = input[used++];
    line_.push_back(c);
    if (state_ == state::data_end && line_.front() != '\r') return progress::broken;
    if (c == '\n')
      return line_.size() >= 2 && line_[line_.size() - 2] == '\r' ? progress::done : progress::broken;
    if (line_.size() >= 2 && line_[line_.size() - 2] == '\r') return progress::broken;
    if (line_.size() > most) return progress::broken;
  }
  return progress::more;
}

bool chunked_decoder::begin_chunk() {
  const std::string_view text = std::string_view(line_).substr(0, line_.size() - 2);
  const std::string_view digits = text.substr(0, text.find(';'));
  if (digits.empty() || digits.size() > 16) return false;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), left_, 16);
  return problem == std::errc{} && end == digits.data() + digits.size();
}

chunked_decoder::progress chunked_decoder::feed(std::string_view input, std::string& out, std::size_t& used) {
  used = 0;
  while (true) {
    if (state_ == state::data) {
      const std::size_t step = static_cast<std::size_t>(std::min<std::uint64_t>(left_, input.size() - used));
      out.append(input.substr(used, step));
      used += step;
      left_ -= step;
      if (left_ > 0) return progress::more;
      state_ = state::data_end;
    }
    const std::size_t most =
        state_ == state::trailers ? trailer_bytes_max - trailer_bytes_ : size_line_bytes_max;
    const progress line = take_line(input, used, most);
    if (line != progress::done) return line;
    const std::size_t length = line_.size();
    switch (state_) {
      case state::size_line:
        if (!begin_chunk()) return progress::broken;
        state_ = left_ == 0 ? state::trailers : state::data;
        break;
      case state::data_end:
        if (length != 2) return progress::broken;
        state_ = state::size_line;
        break;
      case state::trailers:
        trailer_bytes_ += length;
        if (length == 2) return progress::done;
        if (trailer_bytes_ > trailer_bytes_max) return progress::broken;
        break;
      case state::data:
        break;
    }
    line_.clear();
  }
}

}  // namespace obsync::http
