#include "wire/device.hpp"

#include "wire/device_fields.hpp"
#include "wire/json_fields.hpp"
#include "wire/json_writer.hpp"

namespace obsync::wire {

namespace {

// Long enough for any address or country code; a server's answer is not trusted with more.
constexpr std::size_t address_chars_max = 64;

constexpr std::string_view states[] = {"pending", "active", "revoked"};  // as declared in device_state

void read_address(json_fields& in, const char* name, std::string& out) {
  in.text(name, address_chars_max, out);
}

void read_info(json_fields& in, device_info& out) {
  in.id("device_id", out.id);
  read_card(in, out.card);
  in.integer("created", out.created_ms);
  in.optional("last_seen", out.last_seen_ms, &json_fields::read_integer);
  in.optional("last_sign_in", out.last_sign_in_ms, &json_fields::read_integer);
  in.optional("last_edit", out.last_edit_ms, &json_fields::read_integer);
  in.optional("last_heartbeat", out.last_heartbeat_ms, &json_fields::read_integer);
  in.optional("address", out.address, read_address);
  in.optional("country", out.country, read_address);
  std::optional<device_policy> policy;
  read_policy(in, policy);
  out.policy = policy.value_or(device_policy{});
  std::size_t state = 0;
  in.word("state", states, state);
  out.state = static_cast<device_state>(state);
  in.flag("archived", out.archived);
}

void write_info(json_writer& out, const device_info& value) {
  out.begin_object();
  write_device_members(out, value);
  out.end_object();
}

}  // namespace

void write_device_members(json_writer& out, const device_info& value) {
  out.key("device_id").id(value.id);
  write_card(out, value.card);
  out.key("created").integer(value.created_ms);
  out.key("last_seen").integer_or_null(value.last_seen_ms);
  out.key("last_sign_in").integer_or_null(value.last_sign_in_ms);
  out.key("last_edit").integer_or_null(value.last_edit_ms);
  out.key("last_heartbeat").integer_or_null(value.last_heartbeat_ms);
  out.key("address").string_or_null(value.address);
  out.key("country").string_or_null(value.country);
  out.key("policy");
  write_policy(out, value.policy);
  out.key("state").plain(name(value.state));
  out.key("revoked").boolean(value.state == device_state::revoked);
  out.key("archived").boolean(value.archived);
}

std::string_view name(device_state value) {
  return states[static_cast<std::size_t>(value)];
}

std::string to_json(const device_info& value) {
  json_writer out(768);
  write_info(out, value);
  return out.take();
}

std::string to_json(const device_list& value) {
  json_writer out(32 + value.devices.size() * 512);
  out.begin_object().key("devices").begin_array();
  for (const device_info& device : value.devices) write_info(out, device);
  return out.end_array().end_object().take();
}

std::string to_json(const device_patch& value) {
  json_writer out;
  out.begin_object();
  if (value.name) out.key("name").string(*value.name);
  if (value.policy) write_policy(out.key("policy"), *value.policy);
  return out.end_object().take();
}

std::string to_json(const heartbeat_request& value) {
  json_writer out;
  out.begin_object().key("app_version").string(value.app_version);
  if (value.policy) write_policy(out.key("policy"), *value.policy);
  return out.end_object().take();
}

template <>
outcome<device_info> from_json(std::string_view text) {
  return read_json<device_info>(text, read_info);
}

template <>
outcome<device_list> from_json(std::string_view text) {
  return read_json<device_list>(
      text, [](json_fields& in, device_list& out) { in.list("devices", out.devices, read_info); });
}

template <>
outcome<device_patch> from_json(std::string_view text) {
  return read_json<device_patch>(text, [](json_fields& in, device_patch& out) {
    // A name that is null is malformed; a policy that is null is merely not given.
    if (in.find("name") != nullptr) in.text("name", name_chars_max, out.name.emplace());
    read_policy(in, out.policy);
    if (!out.name && !out.policy) in.fail(refusal::bad_request, "neither name nor policy is given");
  });
}

template <>
outcome<heartbeat_request> from_json(std::string_view text) {
  return read_json<heartbeat_request>(text, [](json_fields& in, heartbeat_request& out) {
    in.text("app_version", app_version_chars_max, out.app_version);
    read_policy(in, out.policy);
  });
}

}  // namespace obsync::wire
