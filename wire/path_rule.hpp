// Which paths a manifest may name. Checked before any path touches a disk.
#pragma once

#include <string_view>

namespace obsync::wire {

// The vault path rule of the format: relative, UTF-8, no backslash, no control character, no drive prefix,
// and every segment non-empty, not blank, not beginning with a dot.
bool is_vault_path(std::string_view path);

}  // namespace obsync::wire
