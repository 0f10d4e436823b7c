// What ties one folder of this machine to one vault: who we are there, and the keys.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "client/remote/endpoint.hpp"
#include "core/ids.hpp"
#include "core/result.hpp"
#include "crypto/secret.hpp"

namespace obsync::client {

// Which directory a path meant when the folder was bound.
struct folder_identity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  bool operator==(const folder_identity&) const = default;
};

struct binding {
  endpoint server;
  std::optional<std::string> ca_file = {};  // PEM, the only authorities to trust; a path in the home
  account_id account;
  device_id device;
  crypto::secret32 device_secret;
  crypto::secret32 vault_key;
  std::string device_name;
  std::string folder;  // absolute, without links
  folder_identity root;
};

// The text holds secrets: it belongs into a file of mode 0600 and nowhere else.
std::string to_text(const binding& value);
// errc::corrupt with the place of the first fault; never with a value.
result<binding> parse_binding(std::string_view text);

}  // namespace obsync::client
