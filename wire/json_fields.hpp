// Reading the members of a JSON object one after another, remembering only the first thing that is wrong: the
// order of the calls is the order of the protocol's checks. Included by wire's .cpp files only.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.hpp"
#include "crypto/secret.hpp"
#include "wire/failure.hpp"
#include "wire/json_document.hpp"
#include "wire/limits.hpp"

namespace obsync::wire {

// A view on one object. Getters fill `out` or note a failure; after a failure they do nothing. Views on
// nested objects share the note of their parent, which must outlive them.
class json_fields {
 public:
  using note = std::optional<failure>;

  // Notes `bad_request` when `value` is no object. `first` is the failure shared by everything read from one
  // text.
  json_fields(const json_value* value, note& first);

  bool failed() const { return first_->has_value(); }
  void fail(refusal code, std::string detail);

  // The member, or null when it is absent (or something failed before).
  const json_value* find(const char* name) const;
  bool is_null(const char* name) const;

  // Any string.
  void string(const char* name, std::string& out);
  // The protocol's text: trimmed, then 1..max bytes of printable ASCII.
  void text(const char* name, std::size_t bytes_max, std::string& out);
  // Exactly 2n lowercase hex digits, kept as they are.
  void hex_string(const char* name, std::size_t digits, std::string& out);
  // Non-negative, in signed 64 bits, without fraction or exponent.
  void integer(const char* name, std::int64_t& out);
  static void read_integer(json_fields& in, const char* name, std::int64_t& out) { in.integer(name, out); }
  // False when absent or no boolean.
  void flag(const char* name, bool& out);
  void base64(const char* name, bytes& out);
  void secret(const char* name, crypto::secret32& out);
  // One of `names`; `out` is its index.
  void word(const char* name, std::span<const std::string_view> names, std::size_t& out);

  template <class Id>
  void id(const char* name, Id& out) {
    const std::string_view hex = string_view(name);
    if (failed()) return;
    const auto parsed = Id::parse(hex);
    if (!parsed) return wrong(name);
    out = *parsed;
  }

  template <class Id>
  void ids(const char* name, std::size_t count_max, std::vector<Id>& out) {
    const json_value* const list = array(name);
    if (list == nullptr) return;
    if (list->Size() > count_max) return wrong(name);
    out.reserve(list->Size());
    for (const json_value& item : list->GetArray()) {
      const auto parsed = item.IsString() ? Id::parse(text_of(item)) : std::nullopt;
      if (!parsed) return wrong(name);
      out.push_back(*parsed);
    }
  }

  // A nested object; noted as wrong when it is none.
  json_fields object(const char* name);
  // A view on another object of the same text, sharing this one's note.
  json_fields nested(const json_value& value) { return json_fields(&value, *first_); }
  // The array of that name, or null with a note.
  const json_value* array(const char* name);
  // Reads each object of the array with `read(json_fields&, Item&)`.
  template <class Item, class Read>
  void list(const char* name, std::vector<Item>& out, Read read) {
    const json_value* const items = array(name);
    if (items == nullptr) return;
    out.reserve(items->Size());
    for (const json_value& item : items->GetArray()) {
      json_fields in(&item, *first_);
      read(in, out.emplace_back());
      if (failed()) return;
    }
  }
  // For members that may be absent or null: reads into a fresh value with `read(json_fields&, const char*,
  // T&)`.
  template <class T, class Read>
  void optional(const char* name, std::optional<T>& out, Read read) {
    if (find(name) == nullptr || is_null(name)) return;
    read(*this, name, out.emplace());
  }

 private:
  std::string_view string_view(const char* name);
  void wrong(const char* name);

  const json_value* value_;
  note* first_;
};

// Reads a whole text: parse, `read(json_fields&, T&)`, and the first failure if there was one.
template <class T, class Read>
outcome<T> read_json(std::string_view text, Read read) {
  const outcome<rapidjson::Document> tree = parse_json(text);
  if (!tree) return tree.error();
  json_fields::note first;
  json_fields in(&*tree, first);
  T out;
  read(in, out);
  if (first) return std::move(*first);
  return out;
}

}  // namespace obsync::wire
