#include "wire/account.hpp"

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "wire/json_fields.hpp"
#include "wire/json_writer.hpp"

namespace obsync::wire {

namespace {

constexpr std::string_view bundle_member = "bundle_sha256";
constexpr std::string_view styles_member = "styles_sha256";

std::string compact(const json_value& value) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  value.Accept(writer);
  return {buffer.GetString(), buffer.GetSize()};
}

void read_optional_string(json_fields& in, const char* name, std::string& out) {
  const json_value* const found = in.find(name);
  if (found != nullptr && found->IsString()) out = text_of(*found);
}

}  // namespace

failure disabled_account() {
  return {refusal::account_disabled, "the operator has disabled this account"};
}

std::string to_json(const account_info& value) {
  json_writer out;
  out.begin_object();
  out.key("account_id").id(value.id);
  out.key("name").string(value.name);
  out.key("created").integer(value.created_ms);
  out.key("quota_bytes").integer_or_null(value.quota_bytes);
  out.key("used_bytes").integer(value.used_bytes);
  out.key("device_count").integer(value.device_count);
  return out.end_object().take();
}

std::string to_json(const recovery_registration& value) {
  return json_writer().begin_object().key("recovery_verifier").id(value.verifier).end_object().take();
}

template <>
outcome<account_info> from_json(std::string_view text) {
  return read_json<account_info>(text, [](json_fields& in, account_info& out) {
    in.id("account_id", out.id);
    in.text("name", name_chars_max, out.name);
    in.integer("created", out.created_ms);
    in.optional("quota_bytes", out.quota_bytes, &json_fields::read_integer);
    in.integer("used_bytes", out.used_bytes);
    in.integer("device_count", out.device_count);
  });
}

template <>
outcome<recovery_registration> from_json(std::string_view text) {
  return read_json<recovery_registration>(
      text, [](json_fields& in, recovery_registration& out) { in.id("recovery_verifier", out.verifier); });
}

template <>
outcome<plugin_manifest> from_json(std::string_view text) {
  return read_json<plugin_manifest>(text, [](json_fields& in, plugin_manifest& out) {
    in.string("version", out.version);
    read_optional_string(in, "id", out.id);
    read_optional_string(in, "name", out.name);
  });
}

outcome<std::string> plugin_manifest_answer(std::string_view manifest_json, const digest& bundle,
                                            const digest& styles) {
  const auto tree = parse_json(manifest_json);
  if (!tree || !tree->IsObject())
    return failure{refusal::plugin_unavailable, "the plugin's manifest is unreadable"};
  json_writer out(manifest_json.size() + 256);
  out.begin_object();
  for (const auto& member : tree->GetObject()) {
    const std::string_view name = text_of(member.name);
    if (name == bundle_member || name == styles_member) continue;
    out.raw(compact(member.name) + ":" + compact(member.value));
  }
  out.key(bundle_member).id(bundle);
  out.key(styles_member).id(styles);
  return out.end_object().take();
}

}  // namespace obsync::wire
