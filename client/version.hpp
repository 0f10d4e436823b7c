// The version of this build, as the server is told and `obsync version` prints.
#pragma once

#include <string_view>

namespace obsync::client {

inline constexpr std::string_view version = OBSYNC_VERSION;

}  // namespace obsync::client
