// Base64 as the protocol uses it: the standard alphabet with padding, and the URL alphabet without. Only the
// canonical spelling of a value is accepted, so that decode and encode are inverse.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/bytes.hpp"

namespace obsync::crypto {

std::string to_base64(byte_view data);
std::optional<bytes> from_base64(std::string_view text);

std::string to_base64url(byte_view data);
std::optional<bytes> from_base64url(std::string_view text);

}  // namespace obsync::crypto
