// Copies a plain folder into a synced one: what is absent comes, what is equal stays, and what differs is
// kept beside under a copy's name; nothing is replaced. Done again, it finds what it brought the last time by
// its content and goes on. Blocks; one thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "client/sync/vault_sync.hpp"
#include "client/vault/vault.hpp"

namespace obsync::client {

struct bring_options {
  std::string under = {};        // a folder of the vault to put everything in; empty: its top
  std::string device_name = {};  // for the names of copies
  bool only_list = false;        // looks, and changes nothing
};

enum class brought { copied, equal, beside };

struct bring_report {
  std::uint64_t copied = 0;
  std::uint64_t equal = 0;
  std::uint64_t beside = 0;  // under a copy's name
  std::vector<file_trouble> troubles = {};
  std::optional<error> ended = {};
};

// Told of each file: its path in `from`, the one in `to`, and what became of it (or would).
using bring_listener = std::function<void(const std::string& path, const std::string& to, brought what)>;

// Both have their roots open, and neither lies inside the other. Hidden files and the litter of desktops are
// passed over, as everywhere; links and other names that cannot be synced are troubles.
bring_report bring_in(vault& from, vault& to, const bring_options& options, const bring_listener& heard,
                      progress_sink& progress, const std::function<bool()>& must_stop);

}  // namespace obsync::client
