#include "crypto/base32.hpp"

namespace obsync::crypto {

namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

int value_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= '2' && c <= '7') return c - '2' + 26;
  return -1;
}

}  // namespace

std::string to_base32(byte_view data) {
  std::string text;
  text.reserve((data.size() * 8 + 4) / 5);
  std::uint32_t held = 0;
  int held_bits = 0;
  for (const std::uint8_t byte : data) {
    held = held << 8 | byte;
    held_bits += 8;
    while (held_bits >= 5) {
      held_bits -= 5;
      text.push_back(alphabet[held >> held_bits & 31u]);
    }
    held &= (1u << held_bits) - 1;
  }
  if (held_bits > 0) text.push_back(alphabet[held << (5 - held_bits) & 31u]);
  return text;
}

std::optional<bytes> from_base32(std::string_view text) {
  // 1, 3 and 6 characters are more than the bytes before them need and less than the next byte needs.
  const std::size_t tail = text.size() % 8;
  if (tail == 1 || tail == 3 || tail == 6) return std::nullopt;
  bytes data;
  data.reserve(text.size() * 5 / 8);
  std::uint32_t held = 0;
  int held_bits = 0;
  for (const char c : text) {
    const int value = value_of(c);
    if (value < 0) return std::nullopt;
    held = held << 5 | static_cast<std::uint32_t>(value);
    held_bits += 5;
    if (held_bits >= 8) {
      held_bits -= 8;
      data.push_back(static_cast<std::uint8_t>(held >> held_bits));
    }
    held &= (1u << held_bits) - 1;
  }
  return data;
}

}  // namespace obsync::crypto
