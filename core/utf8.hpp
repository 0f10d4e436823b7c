// UTF-8 as Unicode defines it: shortest forms only, no surrogates, nothing above U+10FFFF.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace obsync {

// Takes the first character off `text`; nothing, and `text` as it was, when it is empty or does not begin
// with valid UTF-8.
std::optional<char32_t> take_character(std::string_view& text);

bool is_utf8(std::string_view text);

// Precondition: a Unicode scalar value.
void append_utf8(std::string& to, char32_t character);

}  // namespace obsync
