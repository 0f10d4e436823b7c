// A file copied to another name, durable when it returns. Internal to store/.
#pragma once

#include <string>

#include "core/disk.hpp"

namespace obsync::store {

// `to` must not exist. The new name itself is durable only after a sync of its folder, which is the caller's.
status copy_file(disk& on, const std::string& from, const std::string& to);

}  // namespace obsync::store
