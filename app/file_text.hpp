// A small file that is served as it is, whole. Nothing when it cannot be read.
#pragma once

#include <optional>
#include <string>

namespace obsync::app {

std::optional<std::string> file_text(const std::string& path);

}  // namespace obsync::app
