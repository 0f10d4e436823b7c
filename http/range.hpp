// The Range header as the chunk route reads it. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace obsync::http {

struct byte_range {
  std::uint64_t first = 0;
  std::uint64_t length = 0;
};

enum class range_kind {
  whole,          // no range, or a unit other than bytes: answer 200
  part,           // answer 206
  unsatisfiable,  // several ranges, malformed, beyond the end, or an empty suffix: answer 416
};

struct range_choice {
  range_kind kind = range_kind::whole;
  byte_range range = {};
};

// `header` is the header's value, if there was one; `size` the object's length.
range_choice choose_range(const std::string* header, std::uint64_t size);

// `bytes a-b/total`
std::string content_range(const byte_range& range, std::uint64_t size);

}  // namespace obsync::http
