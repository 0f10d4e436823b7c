// What an operator says to the running server over its own socket, and what comes back: one line of JSON each
// way, between two programs of one version on one machine. Any refusal is a `failure` as on the network.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.hpp"
#include "crypto/secret.hpp"
#include "wire/device.hpp"
#include "wire/failure.hpp"

namespace obsync::wire {

inline constexpr std::size_t control_request_bytes_max = 4096;
inline constexpr std::size_t device_prefix_digits_min = 4;
inline constexpr std::int64_t audit_rows_max = 10'000;

enum class control_verb {
  account_invite,
  account_list,
  account_quota,
  account_rename,
  account_disable,
  account_enable,
  account_delete,
  device_list,
  device_revoke,
  device_role,
  audit,
  gc_run,     // answered with a collection_view: what is known before it has run
  gc_status,  // the same
  scrub_run,  // answered with a scrub_view, likewise
  scrub_status,
};

std::string_view name(control_verb value);

struct control_request {
  control_verb verb = control_verb::account_list;
  std::optional<std::string> account = {};         // its whole name, or the beginning of its id
  std::optional<std::string> device = {};          // the beginning of its id, at least four digits
  std::optional<std::string> name = {};            // invite, rename
  std::optional<std::int64_t> quota_bytes = {};    // invite, quota; nothing: no bound
  std::optional<std::int64_t> expires_in_ms = {};  // invite
  std::optional<std::int64_t> limit = {};          // audit
  bool read_only = false;                          // role
  bool force = false;                              // revoke: also the last device
};

struct invitation_answer {
  crypto::secret32 token;
  std::string name;
  std::optional<std::int64_t> quota_bytes = {};
  std::int64_t expires_ms = 0;
};

enum class account_state { active, disabled, deleted };
std::string_view name(account_state value);

struct account_entry {
  account_id id;
  std::string name;
  std::int64_t created_ms = 0;
  std::optional<std::int64_t> quota_bytes = {};
  std::int64_t used_bytes = 0;
  std::int64_t device_count = 0;  // active and pending
  account_state state = account_state::active;
  std::optional<std::int64_t> delete_after_ms = {};  // with state deleted: when its data goes
};

struct device_entry {
  device_id id;
  account_id account;
  std::string account_name;
  device_card card;
  std::int64_t created_ms = 0;
  std::optional<std::int64_t> last_seen_ms = {};
  device_state state = device_state::active;
  bool read_only = false;
};

struct audit_entry {
  std::int64_t ts_ms = 0;
  std::string event;
  std::optional<account_id> account = {};
  std::optional<std::int64_t> operator_uid = {};
  std::optional<device_id> device = {};  // that acted
  std::string detail;
};

// The verbs that change an account answer with a list of one.
struct account_entries {
  std::vector<account_entry> accounts;
};
struct device_entries {
  std::vector<device_entry> devices;
};
struct audit_entries {
  std::vector<audit_entry> rows;
};

std::string to_json(const control_request& value);
std::string to_json(const invitation_answer& value);
// These three are bare arrays, as scripts want them.
std::string to_json(const account_entries& value);
std::string to_json(const device_entries& value);
std::string to_json(const audit_entries& value);

template <>
outcome<control_request> from_json(std::string_view text);
template <>
outcome<invitation_answer> from_json(std::string_view text);
template <>
outcome<account_entries> from_json(std::string_view text);
template <>
outcome<device_entries> from_json(std::string_view text);
template <>
outcome<audit_entries> from_json(std::string_view text);

}  // namespace obsync::wire
