// How HTTP reads the texts of headers: ASCII letters without case, blanks at the ends, tokens. Pure.
#pragma once

#include <string_view>

namespace obsync::http {

// What may stand around a value: space and tab.
inline constexpr std::string_view header_blanks = " \t";

bool equals_no_case(std::string_view a, std::string_view b);
// Without the blanks at both ends.
std::string_view trimmed(std::string_view text);
bool is_token_char(char c);

}  // namespace obsync::http
