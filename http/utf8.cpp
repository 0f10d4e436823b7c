#include "http/utf8.hpp"

#include <cstdint>

namespace obsync::http {

namespace {

struct lead {
  int length;              // of the whole sequence; 0 for a byte that cannot begin one
  unsigned char low = 0x80;   // bounds of the second byte
  unsigned char high = 0xBF;
};

lead classify(unsigned char byte) {
  if (byte < 0x80) return {1};
  if (byte >= 0xC2 && byte <= 0xDF) return {2};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte >= 0xE1 && byte <= 0xEF) return {3};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte >= 0xF1 && byte <= 0xF3) return {4};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {0};
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const lead start = classify(static_cast<unsigned char>(text[at]));
    const auto length = static_cast<std::size_t>(start.length);
    if (length == 0 || at + length > text.size()) return false;
    for (std::size_t i = 1; i < length; ++i) {
      const auto byte = static_cast<unsigned char>(text[at + i]);
      const unsigned char low = i == 1 ? start.low : 0x80;
      const unsigned char high = i == 1 ? start.high : 0xBF;
      if (byte < low || byte > high) return false;
    }
    at += length;
  }
  return true;
}

}  // namespace obsync::http
