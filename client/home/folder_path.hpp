// Paths of folders as this machine sees them: resolved, compared, identified.
#pragma once

#include <string>

#include "client/home/binding.hpp"
#include "core/result.hpp"

namespace obsync::client {

// The absolute path without links, dots or double slashes. The last part may be missing on disk.
result<std::string> resolve_path(const std::string& path);

// Whether `path` is `folder` or lies inside it. Both resolved.
bool is_within(const std::string& path, const std::string& folder);

// errc::not_found when nothing is there, errc::invalid when it is no folder.
result<folder_identity> identify_folder(const std::string& path);

// Makes the folder when it is missing; its parent must exist. True when it was made now.
result<bool> ensure_folder(const std::string& path);

}  // namespace obsync::client
