#include "http/header_text.hpp"

#include <algorithm>

namespace obsync::http {

namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

}  // namespace

bool equals_no_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(header_blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(header_blanks) - first + 1);
}

bool is_token_char(char c) {
  constexpr std::string_view symbols = "!#$%&'*+-.^_`|~";
  return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') ||
         symbols.find(c) != std::string_view::npos;
}

}  // namespace obsync::http
