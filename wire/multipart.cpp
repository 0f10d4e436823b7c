#include "wire/multipart.hpp"

#include <algorithm>
#include <charconv>

namespace obsync::wire {

namespace {

constexpr std::string_view line_end = "\r\n";
constexpr std::size_t header_lines_max = 16;
constexpr std::size_t boundary_chars_max = 70;  // RFC 2046

error broken(std::string_view what) {
  return {errc::invalid, "multipart answer: " + std::string(what)};
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool take(std::string_view& from, std::string_view expected) {
  if (!from.starts_with(expected)) return false;
  from.remove_prefix(expected.size());
  return true;
}

std::optional<std::string_view> take_line(std::string_view& from) {
  const std::size_t end = from.find(line_end);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view line = from.substr(0, end);
  from.remove_prefix(end + line_end.size());
  return line;
}

struct part_headers {
  std::optional<chunk_sid> sid = {};
  std::optional<std::size_t> length = {};
  bool missing = false;
};

bool read_header(std::string_view line, part_headers& out) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = trimmed(line.substr(colon + 1));
  if (same_ignoring_case(name, "X-Obsync-Sid")) {
    if (out.sid) return false;
    out.sid = chunk_sid::parse(value);
    return out.sid.has_value();
  }
  if (same_ignoring_case(name, "Content-Length")) {
    std::size_t length = 0;
    const auto end = std::from_chars(value.data(), value.data() + value.size(), length);
    if (out.length || value.empty() || end.ec != std::errc() || end.ptr != value.data() + value.size())
      return false;
    out.length = length;
    return true;
  }
  if (same_ignoring_case(name, "X-Obsync-Missing")) out.missing = value == "1";
  return true;
}

std::string head(std::string_view boundary, const chunk_sid& sid, std::string_view kind, std::uint64_t size) {
  std::string text = "--";
  text.append(boundary).append("\r\nX-Obsync-Sid: ").append(sid.hex());
  text.append(line_end).append(kind).append("\r\nContent-Length: ").append(std::to_string(size));
  return text.append("\r\n\r\n");
}

}  // namespace

std::string part_head(std::string_view boundary, const chunk_sid& sid, std::uint64_t size) {
  return head(boundary, sid, "Content-Type: application/octet-stream", size);
}

std::string missing_part_head(std::string_view boundary, const chunk_sid& sid) {
  return head(boundary, sid, "X-Obsync-Missing: 1", 0);
}

std::string final_boundary(std::string_view boundary) {
  return "--" + std::string(boundary) + "--\r\n";
}

std::optional<std::string> boundary_of(std::string_view content_type) {
  std::size_t semicolon = content_type.find(';');
  if (!same_ignoring_case(trimmed(content_type.substr(0, semicolon)), "multipart/mixed")) return std::nullopt;
  while (semicolon != std::string_view::npos) {
    content_type.remove_prefix(semicolon + 1);
    semicolon = content_type.find(';');
    const std::string_view parameter = trimmed(content_type.substr(0, semicolon));
    const std::size_t equals = parameter.find('=');
    if (equals == std::string_view::npos || !same_ignoring_case(parameter.substr(0, equals), "boundary"))
      continue;
    std::string_view value = parameter.substr(equals + 1);
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
      value = value.substr(1, value.size() - 2);
    const bool plain =
        std::all_of(value.begin(), value.end(), [](char c) { return c > 0x20 && c < 0x7F && c != '"'; });
    if (value.empty() || value.size() > boundary_chars_max || !plain) return std::nullopt;
    return std::string(value);
  }
  return std::nullopt;
}

multipart_reader::multipart_reader(std::string_view text, std::string boundary)
    : rest_(text), boundary_(std::move(boundary)) {}

result<std::optional<multipart_reader::part>> multipart_reader::next() {
  if (ended_) return std::optional<part>();
  std::string_view at = rest_;
  if (!take(at, "--") || !take(at, boundary_)) return broken("no boundary where a part begins");
  if (take(at, "--")) {
    if (at != line_end) return broken("something follows the final boundary");
    ended_ = true;
    return std::optional<part>();
  }
  if (!take(at, line_end)) return broken("a boundary without its line end");

  part_headers headers;
  for (std::size_t lines = 0;; ++lines) {
    const auto line = take_line(at);
    if (!line || lines > header_lines_max) return broken("part headers without an end");
    if (line->empty()) break;
    if (!read_header(*line, headers)) return broken("a malformed part header");
  }
  if (!headers.sid || !headers.length) return broken("a part without its name or length");
  if (headers.missing && *headers.length != 0) return broken("a missing chunk with a body");
  if (at.size() < *headers.length) return broken("a part shorter than it says");
  const part read{*headers.sid, headers.missing, at.substr(0, *headers.length)};
  at.remove_prefix(*headers.length);
  if (!take(at, part_end)) return broken("a part longer than it says");
  rest_ = at;
  return std::optional<part>(read);
}

}  // namespace obsync::wire
