#include "crypto/base64.hpp"

#include <array>

namespace obsync::crypto {

namespace {

constexpr std::string_view standard_alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view url_alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::uint32_t no_value = 0xFF;

using value_table = std::array<std::uint8_t, 256>;

constexpr value_table values_of(std::string_view alphabet) {
  value_table table{};
  table.fill(static_cast<std::uint8_t>(no_value));
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    table[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return table;
}

constexpr value_table standard_values = values_of(standard_alphabet);
constexpr value_table url_values = values_of(url_alphabet);

std::string encode(byte_view data, std::string_view alphabet, bool padded) {
  std::string text;
  text.reserve((data.size() + 2) / 3 * 4);
  std::size_t at = 0;
  for (; at + 3 <= data.size(); at += 3) {
    const std::uint32_t word = static_cast<std::uint32_t>(data[at] << 16 | data[at + 1] << 8 | data[at + 2]);
    text.push_back(alphabet[word >> 18]);
    text.push_back(alphabet[word >> 12 & 63u]);
    text.push_back(alphabet[word >> 6 & 63u]);
    text.push_back(alphabet[word & 63u]);
  }
  const std::size_t left = data.size() - at;
  if (left == 0) return text;
  const std::uint32_t word = static_cast<std::uint32_t>(data[at] << 16 | (left == 2 ? data[at + 1] << 8 : 0));
  text.push_back(alphabet[word >> 18]);
  text.push_back(alphabet[word >> 12 & 63u]);
  if (left == 2) text.push_back(alphabet[word >> 6 & 63u]);
  if (padded) text.append(3 - left, '=');
  return text;
}

// `text` is without padding.
std::optional<bytes> decode(std::string_view text, const value_table& values) {
  const std::size_t tail = text.size() % 4;
  if (tail == 1) return std::nullopt;
  const auto value = [&](std::size_t at) -> std::uint32_t {
    return values[static_cast<unsigned char>(text[at])];
  };
  bytes data;
  data.reserve(text.size() / 4 * 3 + 2);
  const std::size_t whole = text.size() - tail;
  for (std::size_t at = 0; at < whole; at += 4) {
    const std::uint32_t a = value(at), b = value(at + 1), c = value(at + 2), d = value(at + 3);
    if ((a | b | c | d) > 63) return std::nullopt;
    data.push_back(static_cast<std::uint8_t>(a << 2 | b >> 4));
    data.push_back(static_cast<std::uint8_t>(b << 4 | c >> 2));
    data.push_back(static_cast<std::uint8_t>(c << 6 | d));
  }
  if (tail == 0) return data;
  const std::uint32_t a = value(whole), b = value(whole + 1), c = tail == 3 ? value(whole + 2) : 0;
  if ((a | b | c) > 63) return std::nullopt;
  // Spare bits that are set would give one value two spellings.
  if (tail == 2 ? (b & 15u) != 0 : (c & 3u) != 0) return std::nullopt;
  data.push_back(static_cast<std::uint8_t>(a << 2 | b >> 4));
  if (tail == 3) data.push_back(static_cast<std::uint8_t>(b << 4 | c >> 2));
  return data;
}

}  // namespace

std::string to_base64(byte_view data) {
  return encode(data, standard_alphabet, true);
}

std::optional<bytes> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  return decode(text, standard_values);
}

std::string to_base64url(byte_view data) {
  return encode(data, url_alphabet, false);
}

std::optional<bytes> from_base64url(std::string_view text) {
  return decode(text, url_values);
}

}  // namespace obsync::crypto
