#include "wire/device_fields.hpp"

#include "crypto/base64.hpp"

namespace obsync::wire {

namespace {

constexpr std::string_view platforms[] = {"ios", "ipados", "android", "macos", "windows", "linux"};
constexpr std::size_t point_chars = 87;
constexpr std::size_t point_bytes = 65;

}  // namespace

void read_card(json_fields& in, device_card& out) {
  in.text("name", name_chars_max, out.name);
  std::size_t platform = 0;
  in.word("platform", platforms, platform);
  out.platform = platforms[platform];
  in.text("app_version", app_version_chars_max, out.app_version);
}

void write_card(json_writer& out, const device_card& value) {
  out.key("name").string(value.name);
  out.key("platform").string(value.platform);
  out.key("app_version").string(value.app_version);
}

void read_policy(json_fields& in, std::optional<device_policy>& out) {
  if (in.find("policy") == nullptr || in.is_null("policy")) return;
  json_fields policy = in.object("policy");
  device_policy& read = out.emplace();
  policy.integer("per_file_max_bytes", read.per_file_max_bytes);
  policy.integer("total_budget_bytes", read.total_budget_bytes);
}

void write_policy(json_writer& out, const device_policy& value) {
  out.begin_object();
  out.key("per_file_max_bytes").integer(value.per_file_max_bytes);
  out.key("total_budget_bytes").integer(value.total_budget_bytes);
  out.end_object();
}

void read_preview(json_fields& in, std::optional<vault_preview>& out) {
  if (in.find("vault") == nullptr) return;
  json_fields vault = in.object("vault");
  vault_preview& read = out.emplace();
  vault.string("envelope", read.envelope);
  if (vault.failed()) return;
  const auto decoded =
      read.envelope.size() <= preview_envelope_chars_max ? crypto::from_base64(read.envelope) : std::nullopt;
  if (!decoded || decoded->size() < preview_envelope_bytes_min) {
    return vault.fail(refusal::bad_request, "the field envelope is malformed");
  }
  vault.hex_string("nonce", 2 * seal_nonce::size, read.nonce);
}

void read_point(json_fields& in, const char* name, std::string& out) {
  in.string(name, out);
  if (in.failed()) return;
  const auto decoded = out.size() == point_chars ? crypto::from_base64url(out) : std::nullopt;
  if (!decoded || decoded->size() != point_bytes || decoded->front() != 0x04) {
    in.fail(refusal::bad_request, std::string("the field ") + name + " is no P-256 point");
  }
}

}  // namespace obsync::wire
