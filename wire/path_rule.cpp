#include "wire/path_rule.hpp"

#include "core/utf8.hpp"

namespace obsync::wire {

namespace {

bool is_ascii_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// What String.prototype.trim removes: the official clients decide "blank" with it. Control characters are
// refused before this is asked.
bool is_white(char32_t c) {
  return c == U' ' || c == U'\u00A0' || c == U'\u1680' || (c >= U'\u2000' && c <= U'\u200A') ||
         c == U'\u2028' || c == U'\u2029' || c == U'\u202F' || c == U'\u205F' || c == U'\u3000' ||
         c == U'\uFEFF';
}

bool is_segment(std::string_view segment) {
  if (segment.empty() || segment.front() == '.') return false;
  bool blank = true;
  while (!segment.empty()) {
    const auto character = take_character(segment);
    if (!character || *character < 0x20 || *character == 0x7F || *character == U'\\') return false;
    if (!is_white(*character)) blank = false;
  }
  return !blank;
}

}  // namespace

bool is_vault_path(std::string_view path) {
  if (path.size() >= 2 && is_ascii_letter(path[0]) && path[1] == ':') return false;
  while (true) {
    const std::size_t slash = path.find('/');
    if (!is_segment(path.substr(0, slash))) return false;
    if (slash == std::string_view::npos) return true;
    path.remove_prefix(slash + 1);
  }
}

}  // namespace obsync::wire
