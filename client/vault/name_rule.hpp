// Which names of the folder take part in syncing.
#pragma once

#include <string>
#include <string_view>

namespace obsync::client {

enum class name_verdict {
  synced,
  passed_over,  // hidden files, the litter of desktops, our own staged files
  refused,      // cannot be written in a manifest: said, not synced
};

// One segment of a path.
name_verdict judge_name(std::string_view name);
// Whether a whole path may be synced: the format's rule, and no segment that a scan would pass over.
bool is_synced_path(std::string_view path);

inline constexpr std::string_view staged_prefix = ".obsync-";
std::string staged_name(std::string_view key);

}  // namespace obsync::client
