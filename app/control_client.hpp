// The operator's end of the control socket; see control_socket.hpp. Blocks; one thread.
#pragma once

#include <string>

#include "core/result.hpp"

namespace obsync::app {

// Sends one line and gives back the answer without its line end. errc::unavailable when no server listens at
// `path`, errc::denied when the system refuses, errc::timed_out after half a minute.
result<std::string> ask_running_server(const std::string& path, const std::string& line);

}  // namespace obsync::app
