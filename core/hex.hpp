// Lowercase hex, the only spelling the protocol accepts. It sits in core and not in crypto because ids print
// themselves with it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/bytes.hpp"

namespace obsync {

std::string to_hex(byte_view data);

// Fills `out` from exactly 2 * out.size() lowercase digits; false (and `out` unspecified) for anything else.
[[nodiscard]] bool from_hex(std::string_view text, std::span<std::uint8_t> out);

}  // namespace obsync
