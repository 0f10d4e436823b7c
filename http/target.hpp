// A request target taken apart: decoded path segments and query pairs. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace obsync::http {

struct target_parts {
  std::vector<std::string> segments;                       // percent-decoded, empty ones dropped
  std::vector<std::pair<std::string, std::string>> query;  // percent-decoded, `+` is a plus
};

// Nothing (which is a 400) for an invalid percent escape, `%2F`, an escape that decodes to a control
// character, or a `.` or `..` segment in the path; or for an invalid escape in the query.
std::optional<target_parts> parse_target(std::string_view target);

}  // namespace obsync::http
