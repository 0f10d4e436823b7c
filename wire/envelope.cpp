#include "wire/envelope.hpp"

#include "core/utf8.hpp"
#include "wire/json_fields.hpp"
#include "wire/json_writer.hpp"

namespace obsync::wire {

namespace {

constexpr std::size_t name_units_max = 256;
constexpr std::int64_t notes_max = (std::int64_t{1} << 53) - 1;  // what a JavaScript number holds exactly

bool changes_direction(char32_t c) {
  return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0);
}

}  // namespace

bool is_vault_name(std::string_view name) {
  std::size_t units = 0;
  while (!name.empty()) {
    const auto character = take_character(name);
    if (!character || is_control(*character) || changes_direction(*character)) return false;
    units += *character > 0xFFFF ? 2 : 1;
  }
  return units >= 1 && units <= name_units_max;
}

std::string to_json(const vault_envelope& value) {
  return json_writer().begin_object().key("vrk").id(value.vault_root_key).end_object().take();
}

std::string to_json(const vault_hint& value) {
  json_writer out;
  out.begin_object();
  out.key("name").string(value.name);
  out.key("notes").integer(value.notes);
  return out.end_object().take();
}

result<vault_envelope> parse_vault_envelope(std::string_view json) {
  auto read = read_json<vault_envelope>(
      json, [](json_fields& in, vault_envelope& out) { in.secret("vrk", out.vault_root_key); });
  if (!read) return error{errc::invalid, "the envelope does not hold a vault key"};
  return *read;
}

result<vault_hint> parse_vault_hint(std::string_view json) {
  auto read = read_json<vault_hint>(json, [](json_fields& in, vault_hint& out) {
    in.string("name", out.name);
    in.integer("notes", out.notes);
    if (!is_vault_name(out.name) || out.notes > notes_max)
      in.fail(refusal::bad_request, "a value out of range");
  });
  if (!read) return error{errc::invalid, "the preview does not describe a vault"};
  return std::move(*read);
}

}  // namespace obsync::wire
