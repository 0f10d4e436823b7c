#include "wire/json_writer.hpp"

#include <charconv>
#include <cmath>

#include "core/assert.hpp"
#include "crypto/base64.hpp"

namespace obsync::wire {

namespace {

constexpr std::string_view digits = "0123456789abcdef";

void append_escaped(std::string& to, std::string_view utf8) {
  std::size_t plain_from = 0;
  for (std::size_t at = 0; at < utf8.size(); ++at) {
    const auto byte = static_cast<unsigned char>(utf8[at]);
    if (byte >= 0x20 && byte != '"' && byte != '\\') continue;
    to.append(utf8, plain_from, at - plain_from);
    plain_from = at + 1;
    to.push_back('\\');
    switch (byte) {
      case '"':
        to.push_back('"');
        break;
      case '\\':
        to.push_back('\\');
        break;
      case '\b':
        to.push_back('b');
        break;
      case '\f':
        to.push_back('f');
        break;
      case '\n':
        to.push_back('n');
        break;
      case '\r':
        to.push_back('r');
        break;
      case '\t':
        to.push_back('t');
        break;
      default:
        to.append("u00");
        to.push_back(digits[byte >> 4]);
        to.push_back(digits[byte & 15u]);
    }
  }
  to.append(utf8, plain_from, utf8.size() - plain_from);
}

}  // namespace

// A comma is due unless this value is the first of its container, follows its key, or is the whole text.
// Strings end in a quote, so the last character tells.
void json_writer::separate() {
  if (text_.empty()) return;
  const char last = text_.back();
  if (last != '{' && last != '[' && last != ':') text_.push_back(',');
}

json_writer& json_writer::open(char bracket) {
  separate();
  text_.push_back(bracket);
  return *this;
}

json_writer& json_writer::close(char bracket) {
  text_.push_back(bracket);
  return *this;
}

json_writer& json_writer::key(std::string_view name) {
  plain(name);
  text_.push_back(':');
  return *this;
}

json_writer& json_writer::string(std::string_view utf8) {
  separate();
  text_.push_back('"');
  append_escaped(text_, utf8);
  text_.push_back('"');
  return *this;
}

json_writer& json_writer::integer(std::int64_t value) {
  separate();
  char buffer[24];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
  text_.append(buffer, end.ptr);
  return *this;
}

json_writer& json_writer::number(double value) {
  OBSYNC_ASSERT(std::isfinite(value));
  if (value == 0) return integer(0);  // also for minus zero
  separate();
  char buffer[512];  // the longest fixed spelling of a double has fewer characters
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed);
  OBSYNC_ASSERT(end.ec == std::errc());
  text_.append(buffer, end.ptr);
  return *this;
}

json_writer& json_writer::boolean(bool value) {
  return raw(value ? "true" : "false");
}

json_writer& json_writer::null() {
  return raw("null");
}

json_writer& json_writer::raw(std::string_view json) {
  separate();
  text_.append(json);
  return *this;
}

json_writer& json_writer::plain(std::string_view unescaped) {
  separate();
  text_.push_back('"');
  text_.append(unescaped);
  text_.push_back('"');
  return *this;
}

json_writer& json_writer::hex(byte_view data) {
  separate();
  text_.push_back('"');
  for (const std::uint8_t byte : data) {
    text_.push_back(digits[byte >> 4]);
    text_.push_back(digits[byte & 15u]);
  }
  text_.push_back('"');
  return *this;
}

json_writer& json_writer::base64(byte_view data) {
  return plain(crypto::to_base64(data));
}

std::string json_quoted(std::string_view utf8) {
  return json_writer(utf8.size() + 2).string(utf8).take();
}

}  // namespace obsync::wire
