// The version every part of the server names itself by.
#pragma once

namespace obsync::app {

inline constexpr const char* version_text = "0.1.0";

}  // namespace obsync::app
