// Which local item is which agreed file: the identity step. A path keeps its identity, whatever an editor
// does to the inode, except when files changed places among themselves. A file that left its path is looked
// for by inode, then by content.
#pragma once

#include <vector>

#include "client/engine/views.hpp"

namespace obsync::client {

enum class presence : std::uint8_t { found, vanished, unseen };

struct item_pairing {
  std::vector<const local_item*> local;  // parallel to the base; null unless found
  std::vector<presence> where;           // parallel to the base
  std::vector<const local_item*> fresh;  // local items that no agreed item explains
};

// Pointers go into `local`, which must outlive the answer.
item_pairing pair_items(const std::vector<base_item>& base, const local_view& local);

// The local files whose content must be known before a plan is worth making.
std::vector<std::string> paths_to_hash(const std::vector<base_item>& base, const local_view& local,
                                       const std::vector<remote_file>& remote);

}  // namespace obsync::client
