#include "wire/pairing.hpp"

#include "wire/device_fields.hpp"
#include "wire/json_fields.hpp"
#include "wire/json_writer.hpp"

namespace obsync::wire {

namespace {

// As declared in pairing_state.
constexpr std::string_view states[] = {"open", "claimed", "approved", "consumed", "expired"};

void write_preview(json_writer& out, const vault_preview& value) {
  out.begin_object();
  out.key("envelope").string(value.envelope);
  out.key("nonce").string(value.nonce);
  out.end_object();
}

void write_preview_and_point(json_writer& out, const std::optional<vault_preview>& vault,
                             const std::optional<std::string>& point) {
  if (vault) write_preview(out.key("vault"), *vault);
  if (point) out.key("claimant_pub").string(*point);
}

void read_preview_and_point(json_fields& in, std::optional<vault_preview>& vault,
                            std::optional<std::string>& point) {
  read_preview(in, vault);
  if (in.find("claimant_pub") != nullptr) read_point(in, "claimant_pub", point.emplace());
}

void read_envelope(json_fields& in, std::string& envelope) {
  in.string("envelope", envelope);
  if (envelope.empty() || envelope.size() > approve_envelope_chars_max) {
    in.fail(refusal::bad_request, "the field envelope is empty or too long");
  }
}

}  // namespace

std::string_view name(pairing_state value) {
  return states[static_cast<std::size_t>(value)];
}

std::string to_json(const pairing_created& value) {
  json_writer out;
  out.begin_object();
  out.key("pairing_id").id(value.id);
  out.key("enroll_token").id(value.enroll_token);
  out.key("expires").integer(value.expires_s);
  return out.end_object().take();
}

std::string to_json(const claim_request& value) {
  json_writer out(512);
  out.begin_object();
  out.key("enroll_token").id(value.enroll_token);
  write_card(out, value.device);
  write_preview_and_point(out, value.vault, value.claimant_pub);
  return out.end_object().take();
}

std::string to_json(const claim_answer& value) {
  json_writer out;
  out.begin_object();
  out.key("device_id").id(value.device);
  out.key("device_secret").id(value.device_secret);
  return out.end_object().take();
}

std::string to_json(const pairing_status& value) {
  json_writer out(512);
  out.begin_object();
  out.key("state").plain(name(value.state));
  out.key("claimant");
  if (value.claimant) {
    out.begin_object();
    out.key("device_id").id(value.claimant->device);
    write_card(out, value.claimant->card);
    write_preview_and_point(out, value.claimant->vault, value.claimant->claimant_pub);
    out.end_object();
  } else {
    out.null();
  }
  return out.end_object().take();
}

std::string to_json(const reveal_request& value) {
  return json_writer().begin_object().key("creator_pub").string(value.creator_pub).end_object().take();
}

std::string to_json(const approve_request& value) {
  json_writer out(value.envelope.size() + 64);
  out.begin_object();
  out.key("envelope").string(value.envelope);
  out.key("nonce").string(value.nonce);
  return out.end_object().take();
}

std::string to_json(const envelope_answer& value) {
  json_writer out(value.envelope.size() + 192);
  out.begin_object();
  out.key("envelope").string(value.envelope);
  out.key("nonce").string(value.nonce);
  if (value.creator_pub) out.key("creator_pub").string(*value.creator_pub);
  return out.end_object().take();
}

template <>
outcome<pairing_created> from_json(std::string_view text) {
  return read_json<pairing_created>(text, [](json_fields& in, pairing_created& out) {
    in.id("pairing_id", out.id);
    in.secret("enroll_token", out.enroll_token);
    in.integer("expires", out.expires_s);
  });
}

template <>
outcome<claim_request> from_json(std::string_view text) {
  return read_json<claim_request>(text, [](json_fields& in, claim_request& out) {
    in.secret("enroll_token", out.enroll_token);
    read_card(in, out.device);
    read_preview_and_point(in, out.vault, out.claimant_pub);
  });
}

template <>
outcome<claim_answer> from_json(std::string_view text) {
  return read_json<claim_answer>(text, [](json_fields& in, claim_answer& out) {
    in.id("device_id", out.device);
    in.secret("device_secret", out.device_secret);
  });
}

template <>
outcome<pairing_status> from_json(std::string_view text) {
  return read_json<pairing_status>(text, [](json_fields& in, pairing_status& out) {
    std::size_t state = 0;
    in.word("state", states, state);
    out.state = static_cast<pairing_state>(state);
    if (in.find("claimant") == nullptr || in.is_null("claimant")) return;
    json_fields claimant = in.object("claimant");
    claimant_info& info = out.claimant.emplace();
    claimant.id("device_id", info.device);
    read_card(claimant, info.card);
    read_preview_and_point(claimant, info.vault, info.claimant_pub);
  });
}

template <>
outcome<reveal_request> from_json(std::string_view text) {
  return read_json<reveal_request>(
      text, [](json_fields& in, reveal_request& out) { read_point(in, "creator_pub", out.creator_pub); });
}

template <>
outcome<approve_request> from_json(std::string_view text) {
  return read_json<approve_request>(text, [](json_fields& in, approve_request& out) {
    read_envelope(in, out.envelope);
    in.hex_string("nonce", 2 * seal_nonce::size, out.nonce);
  });
}

template <>
outcome<envelope_answer> from_json(std::string_view text) {
  return read_json<envelope_answer>(text, [](json_fields& in, envelope_answer& out) {
    read_envelope(in, out.envelope);
    in.hex_string("nonce", 2 * seal_nonce::size, out.nonce);
    if (in.find("creator_pub") != nullptr) read_point(in, "creator_pub", out.creator_pub.emplace());
  });
}

std::optional<std::string> creator_pub_of(std::string_view error_body) {
  auto read = from_json<reveal_request>(error_body);
  if (!read) return std::nullopt;
  return std::move(read->creator_pub);
}

}  // namespace obsync::wire
