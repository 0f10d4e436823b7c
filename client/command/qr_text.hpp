// A QR code as text for a terminal.
#pragma once

#include <optional>
#include <string>

namespace obsync::client {

// Two modules per character, dark on light whatever the terminal's colours, with the quiet zone round it.
// Nothing when the text is too long for a code.
std::optional<std::string> qr_text(const std::string& content);

}  // namespace obsync::client
