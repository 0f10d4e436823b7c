// The request head, by the protocol's strict rules. Beast parses it, but accepts more than the protocol does;
// what it would let through is refused here first. Pure functions of the bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.hpp"

namespace obsync::http {

inline constexpr std::size_t request_line_bytes_max = 8u << 10;
inline constexpr std::size_t head_bytes_max = 16u << 10;
inline constexpr std::size_t header_lines_max = 128;

struct request_head {
  std::string method;
  std::string target;
  bool http_1_0 = false;
  std::vector<std::pair<std::string, std::string>> headers;  // as sent, in order
  std::optional<std::uint64_t> content_length = {};
  bool chunked = false;
  bool expects_continue = false;
  bool keep_alive = true;

  // The first header of that name, case-insensitive.
  const std::string* header(std::string_view name) const;
};

// A refusal of the parser: a bare status, no body, no security headers, and the connection closes.
struct head_refusal {
  int status;
};

// Where the head ends in what has arrived so far: its length with the empty line; nothing while more is
// needed. Refuses as early as the bytes allow, so that a bare LF does not have to wait for a time-out.
result<std::optional<std::size_t>, head_refusal> find_head_end(std::string_view arrived);

// `text` is one whole head, as find_head_end measured it.
result<request_head, head_refusal> parse_head(std::string_view text);

}  // namespace obsync::http
