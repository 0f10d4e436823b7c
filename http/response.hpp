// Response heads: the protocol's fixed header order, and nothing a head does not need (no Date, no Server).
// Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace obsync::http {

struct response_head {
  int status = 200;
  // The route's own headers, Content-Type first.
  std::vector<std::pair<std::string_view, std::string>> headers = {};
  std::optional<std::int64_t> sequence = {};  // X-Obsync-Seq, when a credential was proved
  std::uint64_t content_length = 0;
  bool has_length = true;  // 204 has none
  bool close = false;
  bool secured = true;  // the parser's own refusals carry no security headers
};

std::string to_text(const response_head& head);

std::string_view reason_of(int status);

}  // namespace obsync::http
