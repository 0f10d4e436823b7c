#include "client/command/json_text.hpp"

#include <array>

#include "core/hex.hpp"
#include "core/utf8.hpp"

namespace obsync::client {

namespace {

std::string quoted(std::string_view text) {
  constexpr char32_t replacement = 0xFFFD;
  std::string out = "\"";
  while (!text.empty()) {
    const auto character = take_character(text);
    if (!character) {
      append_utf8(out, replacement);
      text.remove_prefix(1);
    } else if (*character == U'"' || *character == U'\\') {
      out.push_back('\\');
      out.push_back(static_cast<char>(*character));
    } else if (*character < 0x20) {
      const std::array<std::uint8_t, 1> byte{static_cast<std::uint8_t>(*character)};
      out += "\\u00" + to_hex(byte);
    } else {
      append_utf8(out, *character);
    }
  }
  return out + "\"";
}

}  // namespace

json_object& json_object::add(std::string_view name, std::string_view value) {
  return add_raw(name, quoted(value));
}

json_object& json_object::add_raw(std::string_view name, std::string_view json) {
  if (!members_.empty()) members_ += ",";
  members_ += quoted(name);
  members_ += ":";
  members_ += json;
  return *this;
}

}  // namespace obsync::client
