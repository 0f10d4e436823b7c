// A whole small file, read or replaced at once.
#pragma once

#include <string>
#include <string_view>

#include "core/disk.hpp"
#include "core/result.hpp"

namespace obsync::client {

enum class durability { none, synced };

// Mode 0600, written beside and renamed into place, so that a reader sees the old or the new text whole.
status replace_file(disk& on, const std::string& path, std::string_view text, durability how);

// errc::corrupt past 1 MiB: no file of ours is that large.
result<std::string> read_file(disk& on, const std::string& path);

}  // namespace obsync::client
