#include "wire/setup.hpp"

#include "wire/device_fields.hpp"
#include "wire/json_fields.hpp"
#include "wire/json_writer.hpp"

namespace obsync::wire {

namespace {

void read_unchecked(json_fields& in, const char* name, std::optional<std::string>& out) {
  const json_value* const found = in.find(name);
  if (found == nullptr) return;
  out.emplace(found->IsString() ? text_of(*found) : std::string_view());
}

}  // namespace

std::string to_json(const setup_request& value) {
  json_writer out(512);
  out.begin_object();
  out.key("setup_token").string(value.setup_token);
  out.key("account_name").string(value.account_name);
  out.key("device").begin_object();
  write_card(out, value.device);
  out.end_object();
  if (value.recovery_verifier) out.key("recovery_verifier").string(*value.recovery_verifier);
  if (value.recovery_proof) out.key("recovery_proof").string(*value.recovery_proof);
  return out.end_object().take();
}

std::string to_json(const setup_answer& value) {
  json_writer out;
  out.begin_object();
  out.key("account_id").id(value.account);
  out.key("recovered").boolean(value.recovered);
  out.key("device_id").id(value.device);
  out.key("device_secret").id(value.device_secret);
  return out.end_object().take();
}

template <>
outcome<setup_request> from_json(std::string_view text) {
  return read_json<setup_request>(text, [](json_fields& in, setup_request& out) {
    in.string("setup_token", out.setup_token);
    in.text("account_name", name_chars_max, out.account_name);
    json_fields device = in.object("device");
    read_card(device, out.device);
    read_unchecked(in, "recovery_verifier", out.recovery_verifier);
    read_unchecked(in, "recovery_proof", out.recovery_proof);
  });
}

template <>
outcome<setup_answer> from_json(std::string_view text) {
  return read_json<setup_answer>(text, [](json_fields& in, setup_answer& out) {
    in.id("account_id", out.account);
    in.flag("recovered", out.recovered);
    in.id("device_id", out.device);
    in.secret("device_secret", out.device_secret);
  });
}

}  // namespace obsync::wire
