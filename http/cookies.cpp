#include "http/cookies.hpp"

#include <algorithm>

#include "http/header_text.hpp"

namespace obsync::http {

std::optional<std::string_view> cookie_value(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    const std::size_t end = std::min(header.find(';'), header.size());
    const std::string_view pair = header.substr(0, end);
    header.remove_prefix(std::min(end + 1, header.size()));
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos) continue;
    if (trimmed(pair.substr(0, equals)) == name) return trimmed(pair.substr(equals + 1));
  }
  return std::nullopt;
}

}  // namespace obsync::http
