#include "wire/json_fields.hpp"

#include <algorithm>
#include <limits>

#include "crypto/base64.hpp"

namespace obsync::wire {

namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view white = " \t\n\v\f\r";
  const std::size_t first = text.find_first_not_of(white);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(white) - first + 1);
}

bool is_printable_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c <= 0x7E; });
}

bool is_lower_hex(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

}  // namespace

json_fields::json_fields(const json_value* value, note& first) : value_(value), first_(&first) {
  if (!failed() && (value_ == nullptr || !value_->IsObject())) {
    fail(refusal::bad_request, "an object is expected");
  }
}

void json_fields::fail(refusal code, std::string detail) {
  if (!failed()) *first_ = failure{code, std::move(detail)};
}

void json_fields::wrong(const char* name) {
  fail(refusal::bad_request, std::string("the field ") + name + " is missing or malformed");
}

const json_value* json_fields::find(const char* name) const {
  if (failed()) return nullptr;
  const auto member = value_->FindMember(name);
  return member == value_->MemberEnd() ? nullptr : &member->value;
}

bool json_fields::is_null(const char* name) const {
  const json_value* const found = find(name);
  return found != nullptr && found->IsNull();
}

std::string_view json_fields::string_view(const char* name) {
  const json_value* const found = find(name);
  if (found != nullptr && found->IsString()) return text_of(*found);
  wrong(name);
  return {};
}

void json_fields::string(const char* name, std::string& out) {
  out = string_view(name);
}

void json_fields::text(const char* name, std::size_t bytes_max, std::string& out) {
  const std::string_view text = trimmed(string_view(name));
  if (text.empty() || text.size() > bytes_max || !is_printable_ascii(text)) return wrong(name);
  out = text;
}

void json_fields::hex_string(const char* name, std::size_t digits, std::string& out) {
  const std::string_view hex = string_view(name);
  if (hex.size() != digits || !is_lower_hex(hex)) return wrong(name);
  out = hex;
}

void json_fields::integer(const char* name, std::int64_t& out) {
  const json_value* const found = find(name);
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  if (found == nullptr || !found->IsUint64() || found->GetUint64() > most) return wrong(name);
  out = static_cast<std::int64_t>(found->GetUint64());
}

void json_fields::flag(const char* name, bool& out) {
  const json_value* const found = find(name);
  out = found != nullptr && found->IsTrue();
}

void json_fields::base64(const char* name, bytes& out) {
  const std::string_view text = string_view(name);
  if (failed()) return;
  auto decoded = crypto::from_base64(text);
  if (!decoded) return wrong(name);
  out = std::move(*decoded);
}

void json_fields::secret(const char* name, crypto::secret32& out) {
  const std::string_view hex = string_view(name);
  if (failed()) return;
  const auto parsed = crypto::secret32::parse(hex);
  if (!parsed) return wrong(name);
  out = *parsed;
}

void json_fields::word(const char* name, std::span<const std::string_view> names, std::size_t& out) {
  const std::string_view text = string_view(name);
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) return wrong(name);
  out = static_cast<std::size_t>(found - names.begin());
}

json_fields json_fields::object(const char* name) {
  const json_value* const found = find(name);
  if (found == nullptr || !found->IsObject()) wrong(name);
  return json_fields(found, *first_);
}

const json_value* json_fields::array(const char* name) {
  const json_value* const found = find(name);
  if (found != nullptr && found->IsArray()) return found;
  wrong(name);
  return nullptr;
}

}  // namespace obsync::wire
