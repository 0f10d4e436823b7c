// Compact JSON, member after member in the order of the calls. Strings are escaped as JSON.stringify escapes
// them, which some nonces depend on. Included by .cpp files only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.hpp"

namespace obsync::wire {

class json_writer {
 public:
  explicit json_writer(std::size_t expected_bytes = 256) { text_.reserve(expected_bytes); }

  json_writer& begin_object() { return open('{'); }
  json_writer& end_object() { return close('}'); }
  json_writer& begin_array() { return open('['); }
  json_writer& end_array() { return close(']'); }
  // `name` is written as it is: every member name of the protocol is plain.
  json_writer& key(std::string_view name);

  json_writer& string(std::string_view utf8);
  json_writer& integer(std::int64_t value);
  // As JSON.stringify would below 1e21: no exponent, the fewest digits that read back the same. Finite only.
  json_writer& number(double value);
  json_writer& boolean(bool value);
  json_writer& null();
  // Text that is already JSON, or needs no escaping once quoted.
  json_writer& raw(std::string_view json);
  json_writer& plain(std::string_view unescaped);
  json_writer& hex(byte_view data);
  json_writer& base64(byte_view data);

  template <class Id>
  json_writer& id(const Id& value) {
    return hex(value.view());
  }
  template <class Id>
  json_writer& ids(const std::vector<Id>& values) {
    begin_array();
    for (const Id& value : values) id(value);
    return end_array();
  }
  json_writer& integer_or_null(const std::optional<std::int64_t>& value) {
    return value ? integer(*value) : null();
  }
  json_writer& string_or_null(const std::optional<std::string>& value) {
    return value ? string(*value) : null();
  }

  std::string take() { return std::move(text_); }
  const std::string& text() const { return text_; }

 private:
  json_writer& open(char bracket);
  json_writer& close(char bracket);
  void separate();

  std::string text_;
};

// `utf8` with quotes around it, escaped.
std::string json_quoted(std::string_view utf8);

}  // namespace obsync::wire
