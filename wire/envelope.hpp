// The plaintexts that travel sealed between two devices that pair. The server never sees them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.hpp"
#include "crypto/secret.hpp"

namespace obsync::wire {

// What the creator hands over: the vault's root key.
struct vault_envelope {
  crypto::secret32 vault_root_key;
};

// What the claimant tells of the vault it holds.
struct vault_hint {
  std::string name;        // 1..256 UTF-16 units, without control or direction-changing characters
  std::int64_t notes = 0;  // at most 2^53 - 1
};

// The text holds a secret: wipe it after use.
std::string to_json(const vault_envelope& value);
// Precondition: a name within its rule.
std::string to_json(const vault_hint& value);

// errc::invalid for anything but the expected members.
result<vault_envelope> parse_vault_envelope(std::string_view json);
result<vault_hint> parse_vault_hint(std::string_view json);

bool is_vault_name(std::string_view name);

}  // namespace obsync::wire
