// Bytes as everyone here passes them: owned, or borrowed for the length of a call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace obsync {

using bytes = std::vector<std::uint8_t>;
using byte_view = std::span<const std::uint8_t>;

// The bytes behind a text, without a copy. The view lives as long as the text.
inline byte_view as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// The same bytes read as text, without a copy and without any check of encoding.
inline std::string_view as_text(byte_view data) {
  return {reinterpret_cast<const char*>(data.data()), data.size()};
}

inline void append(bytes& to, byte_view from) {
  to.insert(to.end(), from.begin(), from.end());
}

inline void append(bytes& to, std::string_view from) {
  append(to, as_bytes(from));
}

}  // namespace obsync
