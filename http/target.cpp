#include "http/target.hpp"

namespace obsync::http {

namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

enum class place { path, query };

std::optional<std::string> percent_decode(std::string_view text, place where) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out.push_back(text[i]);
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = hex_value(text[i + 1]);
    const int low = hex_value(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    const int code = high << 4 | low;
    if (where == place::path && (code < 0x20 || code == 0x7F || code == '/')) return std::nullopt;
    out.push_back(static_cast<char>(code));
    i += 2;
  }
  return out;
}

// Calls `piece` for every part of `text` between separators; stops and returns false when it does.
template <class Piece>
bool split(std::string_view text, char separator, Piece piece) {
  while (true) {
    const std::size_t end = text.find(separator);
    if (!piece(text.substr(0, end))) return false;
    if (end == std::string_view::npos) return true;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::optional<target_parts> parse_target(std::string_view target) {
  const std::size_t mark = target.find('?');
  target_parts parts;
  const bool path_fits = split(target.substr(0, mark), '/', [&](std::string_view piece) {
    if (piece.empty()) return true;
    auto segment = percent_decode(piece, place::path);
    if (!segment || *segment == "." || *segment == "..") return false;
    parts.segments.push_back(std::move(*segment));
    return true;
  });
  if (!path_fits) return std::nullopt;
  if (mark == std::string_view::npos) return parts;
  const bool query_fits = split(target.substr(mark + 1), '&', [&](std::string_view piece) {
    if (piece.empty()) return true;
    const std::size_t equals = piece.find('=');
    auto name = percent_decode(piece.substr(0, equals), place::query);
    auto value = equals == std::string_view::npos ? std::optional<std::string>("")
                                                  : percent_decode(piece.substr(equals + 1), place::query);
    if (!name || !value) return false;
    parts.query.emplace_back(std::move(*name), std::move(*value));
    return true;
  });
  if (!query_fits) return std::nullopt;
  return parts;
}

}  // namespace obsync::http
