// Devices as the protocol shows them, and the requests that change them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ids.hpp"
#include "wire/failure.hpp"
#include "wire/setup.hpp"

namespace obsync::wire {

enum class device_state { pending, active, revoked };
std::string_view name(device_state value);

// What a device asked to be spared; zero means unlimited. The server only stores it.
struct device_policy {
  std::int64_t per_file_max_bytes = 0;
  std::int64_t total_budget_bytes = 0;
};

// What sightings are kept in, expressed in milliseconds.
inline std::int64_t whole_seconds(std::int64_t ms) {
  return ms / 1000 * 1000;
}

// Times are Unix milliseconds; sightings are whole seconds.
struct device_info {
  device_id id;
  device_card card;
  std::int64_t created_ms = 0;
  std::optional<std::int64_t> last_seen_ms = {};
  std::optional<std::int64_t> last_sign_in_ms = {};
  std::optional<std::int64_t> last_edit_ms = {};
  std::optional<std::int64_t> last_heartbeat_ms = {};
  std::optional<std::string> address = {};
  std::optional<std::string> country = {};
  device_policy policy = {};
  device_state state = device_state::active;
  bool archived = false;
};

struct device_list {
  std::vector<device_info> devices;
};

struct device_patch {
  std::optional<std::string> name = {};
  std::optional<device_policy> policy = {};
};

struct heartbeat_request {
  std::string app_version;
  std::optional<device_policy> policy = {};
};

std::string to_json(const device_info& value);
std::string to_json(const device_list& value);
std::string to_json(const device_patch& value);
std::string to_json(const heartbeat_request& value);
template <>
outcome<device_info> from_json(std::string_view text);
template <>
outcome<device_list> from_json(std::string_view text);
// Neither member given is `bad_request`.
template <>
outcome<device_patch> from_json(std::string_view text);
template <>
outcome<heartbeat_request> from_json(std::string_view text);

}  // namespace obsync::wire
