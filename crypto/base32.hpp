// RFC 4648 base32, upper case, no padding: the spelling of pairing codes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/bytes.hpp"

namespace obsync::crypto {

std::string to_base32(byte_view data);
// Nothing for a character outside the alphabet or a length no encoder produces; spare bits are ignored.
std::optional<bytes> from_base32(std::string_view text);

}  // namespace obsync::crypto
