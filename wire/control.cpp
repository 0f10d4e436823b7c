#include "wire/control.hpp"

#include <algorithm>

#include "wire/device_fields.hpp"
#include "wire/json_fields.hpp"
#include "wire/json_writer.hpp"

namespace obsync::wire {

namespace {

// In the order of the enumerations.
constexpr std::string_view verbs[] = {"account_invite",  "account_list",   "account_quota",  "account_rename",
                                      "account_disable", "account_enable", "account_delete", "device_list",
                                      "device_revoke",   "device_role",    "audit",          "gc_run",
                                      "gc_status",       "scrub_run",      "scrub_status"};
constexpr std::string_view account_states[] = {"active", "disabled", "deleted"};
constexpr std::string_view device_states[] = {"pending", "active", "revoked"};
constexpr std::string_view roles[] = {"rw", "ro"};

constexpr std::size_t detail_chars_max = 1024;

void read_name(json_fields& in, const char* name, std::string& out) {
  in.text(name, name_chars_max, out);
}

void read_prefix(json_fields& in, const char* name, std::string& out) {
  in.text(name, 2 * device_id::size, out);
  const bool hex = out.size() >= device_prefix_digits_min &&
                   out.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!hex) in.fail(refusal::bad_request, "a device is named by at least 4 of its id's hex digits");
}

template <class Id>
void read_id(json_fields& in, const char* name, Id& out) {
  in.id(name, out);
}

template <class Id>
void write_id_or_null(json_writer& out, const std::optional<Id>& value) {
  if (value) {
    out.id(*value);
  } else {
    out.null();
  }
}

void read_entry(json_fields& in, account_entry& out) {
  in.id("id", out.id);
  in.text("name", name_chars_max, out.name);
  in.integer("created", out.created_ms);
  in.optional("quota_bytes", out.quota_bytes, &json_fields::read_integer);
  in.integer("used_bytes", out.used_bytes);
  in.integer("device_count", out.device_count);
  std::size_t state = 0;
  in.word("state", account_states, state);
  out.state = static_cast<account_state>(state);
  in.optional("delete_after", out.delete_after_ms, &json_fields::read_integer);
}

void write_entry(json_writer& out, const account_entry& value) {
  out.begin_object();
  out.key("id").id(value.id);
  out.key("name").string(value.name);
  out.key("created").integer(value.created_ms);
  out.key("quota_bytes").integer_or_null(value.quota_bytes);
  out.key("used_bytes").integer(value.used_bytes);
  out.key("device_count").integer(value.device_count);
  out.key("state").plain(name(value.state));
  out.key("delete_after").integer_or_null(value.delete_after_ms);
  out.end_object();
}

void read_entry(json_fields& in, device_entry& out) {
  in.id("id", out.id);
  in.id("account_id", out.account);
  in.text("account", name_chars_max, out.account_name);
  read_card(in, out.card);
  in.integer("created", out.created_ms);
  in.optional("last_seen", out.last_seen_ms, &json_fields::read_integer);
  std::size_t state = 0;
  in.word("state", device_states, state);
  out.state = static_cast<device_state>(state);
  std::size_t role = 0;
  in.word("role", roles, role);
  out.read_only = role == 1;
}

void write_entry(json_writer& out, const device_entry& value) {
  out.begin_object();
  out.key("id").id(value.id);
  out.key("account_id").id(value.account);
  out.key("account").string(value.account_name);
  write_card(out, value.card);
  out.key("created").integer(value.created_ms);
  out.key("last_seen").integer_or_null(value.last_seen_ms);
  out.key("state").plain(name(value.state));
  out.key("role").plain(roles[value.read_only ? 1 : 0]);
  out.end_object();
}

void read_entry(json_fields& in, audit_entry& out) {
  in.integer("ts", out.ts_ms);
  in.text("event", name_chars_max, out.event);
  in.optional("account_id", out.account, &read_id<account_id>);
  in.optional("operator_uid", out.operator_uid, &json_fields::read_integer);
  in.optional("device_id", out.device, &read_id<device_id>);
  in.string("detail", out.detail);
  if (out.detail.size() > detail_chars_max) in.fail(refusal::bad_request, "the field detail is too long");
}

void write_entry(json_writer& out, const audit_entry& value) {
  out.begin_object();
  out.key("ts").integer(value.ts_ms);
  out.key("event").string(value.event);
  out.key("account_id");
  write_id_or_null(out, value.account);
  out.key("operator_uid").integer_or_null(value.operator_uid);
  out.key("device_id");
  write_id_or_null(out, value.device);
  out.key("detail").string(value.detail);
  out.end_object();
}

template <class Entry>
std::string write_all(const std::vector<Entry>& entries) {
  json_writer out(64 + 256 * entries.size());
  out.begin_array();
  for (const Entry& one : entries) write_entry(out, one);
  return out.end_array().take();
}

template <class Entry>
outcome<std::vector<Entry>> read_all(std::string_view text) {
  const outcome<rapidjson::Document> tree = parse_json(text);
  if (!tree) return tree.error();
  if (!tree->IsArray()) return failure{refusal::bad_request, "an array is expected"};
  json_fields::note first;
  std::vector<Entry> out;
  out.reserve(tree->Size());
  for (const json_value& item : tree->GetArray()) {
    json_fields in(&item, first);
    read_entry(in, out.emplace_back());
    if (first) return *first;
  }
  return out;
}

}  // namespace

std::string_view name(control_verb value) {
  return verbs[static_cast<std::size_t>(value)];
}

std::string_view name(account_state value) {
  return account_states[static_cast<std::size_t>(value)];
}

std::string to_json(const control_request& value) {
  json_writer out;
  out.begin_object();
  out.key("verb").plain(verbs[static_cast<std::size_t>(value.verb)]);
  if (value.account) out.key("account").string(*value.account);
  if (value.device) out.key("device").string(*value.device);
  if (value.name) out.key("name").string(*value.name);
  if (value.quota_bytes) out.key("quota_bytes").integer(*value.quota_bytes);
  if (value.expires_in_ms) out.key("expires_in").integer(*value.expires_in_ms);
  if (value.limit) out.key("limit").integer(*value.limit);
  if (value.read_only) out.key("read_only").boolean(true);
  if (value.force) out.key("force").boolean(true);
  return out.end_object().take();
}

std::string to_json(const invitation_answer& value) {
  json_writer out;
  out.begin_object();
  out.key("token").hex(value.token.view());
  out.key("name").string(value.name);
  out.key("quota_bytes").integer_or_null(value.quota_bytes);
  out.key("expires").integer(value.expires_ms);
  return out.end_object().take();
}

std::string to_json(const account_entries& value) {
  return write_all(value.accounts);
}
std::string to_json(const device_entries& value) {
  return write_all(value.devices);
}
std::string to_json(const audit_entries& value) {
  return write_all(value.rows);
}

template <>
outcome<control_request> from_json(std::string_view text) {
  return read_json<control_request>(text, [](json_fields& in, control_request& out) {
    std::size_t verb = 0;
    in.word("verb", verbs, verb);
    out.verb = static_cast<control_verb>(verb);
    in.optional("account", out.account, read_name);
    in.optional("device", out.device, read_prefix);
    in.optional("name", out.name, read_name);
    in.optional("quota_bytes", out.quota_bytes, &json_fields::read_integer);
    in.optional("expires_in", out.expires_in_ms, &json_fields::read_integer);
    in.optional("limit", out.limit, &json_fields::read_integer);
    in.flag("read_only", out.read_only);
    in.flag("force", out.force);
  });
}

template <>
outcome<invitation_answer> from_json(std::string_view text) {
  return read_json<invitation_answer>(text, [](json_fields& in, invitation_answer& out) {
    in.secret("token", out.token);
    in.text("name", name_chars_max, out.name);
    in.optional("quota_bytes", out.quota_bytes, &json_fields::read_integer);
    in.integer("expires", out.expires_ms);
  });
}

template <>
outcome<account_entries> from_json(std::string_view text) {
  auto read = read_all<account_entry>(text);
  if (!read) return read.error();
  return account_entries{std::move(*read)};
}

template <>
outcome<device_entries> from_json(std::string_view text) {
  auto read = read_all<device_entry>(text);
  if (!read) return read.error();
  return device_entries{std::move(*read)};
}

template <>
outcome<audit_entries> from_json(std::string_view text) {
  auto read = read_all<audit_entry>(text);
  if (!read) return read.error();
  return audit_entries{std::move(*read)};
}

}  // namespace obsync::wire
