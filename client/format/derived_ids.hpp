// File ids that every device arrives at by itself, so that two devices that do the same thing make one
// record. Any thread.
#pragma once

#include <string_view>

#include "client/format/vault_keys.hpp"
#include "core/ids.hpp"

namespace obsync::client {

// The record of the folder at `path`.
file_id folder_file_id(const domain_keys& keys, std::string_view path);

// The record that pauses `target`.
file_id pause_file_id(const domain_keys& keys, const file_id& target);

// The copy kept of `loser`, one of the heads of the forked `file`. The ids enter as hex text, as in the
// others; official clients may differ, and then a second copy appears.
file_id conflict_copy_file_id(const domain_keys& keys, const file_id& file, const version_id& loser);

}  // namespace obsync::client
