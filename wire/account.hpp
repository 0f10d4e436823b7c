// GET /v1/account, POST /v1/account/recovery, /readyz and the plugin manifest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/ids.hpp"
#include "wire/failure.hpp"

namespace obsync::wire {

struct account_info {
  account_id id;
  std::string name;
  std::int64_t created_ms = 0;
  std::optional<std::int64_t> quota_bytes = {};
  std::int64_t used_bytes = 0;
  std::int64_t device_count = 0;  // active and pending
};

struct recovery_registration {
  digest verifier;
};

// Facts of the plugin this server vouches for; a plugin refuses to pair below version 1.1.5.
struct plugin_manifest {
  std::string id;
  std::string name;
  std::string version;
};

// What every request of an account's devices is answered while its operator keeps it shut.
failure disabled_account();

std::string to_json(const account_info& value);
std::string to_json(const recovery_registration& value);
template <>
outcome<account_info> from_json(std::string_view text);
template <>
outcome<recovery_registration> from_json(std::string_view text);
// Reads `version` (and the rest where present) from a /v1/plugin/manifest answer.
template <>
outcome<plugin_manifest> from_json(std::string_view text);

// The manifest route's answer: the members of `manifest_json` in their order, without any bundle_sha256 and
// styles_sha256, then those two appended.
outcome<std::string> plugin_manifest_answer(std::string_view manifest_json, const digest& bundle,
                                            const digest& styles);

}  // namespace obsync::wire
