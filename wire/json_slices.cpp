#include "wire/json_slices.hpp"

#include <algorithm>

namespace obsync::wire {

namespace {

constexpr std::size_t buffer_bytes = 256u << 10;
constexpr std::size_t name_chars_max = 64;

bool is_white(int c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

error malformed(const char* what) {
  return {errc::invalid, std::string("the index is not acceptable JSON: ") + what};
}

// Where a value that is being read stands: inside a string, after a backslash, how deep in brackets.
struct value_state {
  std::size_t depth = 0;
  bool in_string = false;
  bool escaped = false;

  // Whether the value is complete with `c`.
  bool take(char c) {
    if (in_string) {
      const bool closes = c == '"' && !escaped;
      escaped = c == '\\' && !escaped;
      in_string = !closes;
      return closes && depth == 0;
    }
    if (c == '"') in_string = true;
    if (c == '[' || c == '{') ++depth;
    return (c == ']' || c == '}') && --depth == 0;
  }
};

}  // namespace

int json_slices::peek() {
  if (failed()) return at_end;
  if (next_ == buffer_.size()) {
    if (left_ == 0) return at_end;
    buffer_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(left_, buffer_bytes)));
    next_ = 0;
    const auto got = from_.read_at(at_, buffer_);
    if (!got || *got < buffer_.size()) {
      buffer_.clear();
      fail(got ? error{errc::corrupt, "the archive ends within its index"} : got.error());
      return at_end;
    }
    hash_.update(buffer_);
    at_ += buffer_.size();
    left_ -= buffer_.size();
  }
  return buffer_[next_];
}

int json_slices::take() {
  const int c = peek();
  if (c != at_end) ++next_;
  return c;
}

int json_slices::peek_mark() {
  while (is_white(peek())) ++next_;
  return peek();
}

bool json_slices::open(char bracket) {
  if (peek_mark() == bracket) {
    ++next_;
    return true;
  }
  fail(malformed("an opening bracket is expected"));
  return false;
}

bool json_slices::closes(char bracket, bool first) {
  const int c = peek_mark();
  if (c == bracket) {
    ++next_;
    return true;
  }
  if (first) return failed();
  if (c != ',') {
    fail(malformed("a comma or a closing bracket is expected"));
    return true;
  }
  ++next_;
  return false;
}

std::string json_slices::key() {
  std::string out;
  if (peek_mark() != '"') return fail(malformed("a name is expected")), out;
  ++next_;
  for (int c = take(); c != '"'; c = take()) {
    if (c < 0x20 || c > 0x7E || c == '\\' || out.size() == name_chars_max)
      return fail(malformed("a name is too long or not plain")), out;
    out.push_back(static_cast<char>(c));
  }
  if (peek_mark() != ':') return fail(malformed("a colon is expected")), out;
  ++next_;
  return out;
}

std::string json_slices::value(std::size_t bytes_max) {
  std::string out;
  value_state state;
  const int first = peek_mark();
  const bool bare = first != '"' && first != '[' && first != '{';
  for (;;) {
    const int c = peek();
    const bool ends = c == at_end || c == ',' || c == ']' || c == '}' || is_white(c);
    if (bare && ends) break;
    if (c == at_end) break;
    if (out.size() == bytes_max) return fail({errc::invalid, "a value of the index is too long"}), out;
    out.push_back(static_cast<char>(c));
    ++next_;
    if (!bare && state.take(static_cast<char>(c))) return out;
  }
  if (!bare || out.empty()) fail(malformed("a value is missing or cut off"));
  return out;
}

void json_slices::end() {
  if (peek_mark() != at_end) fail(malformed("something follows it"));
}

}  // namespace obsync::wire
