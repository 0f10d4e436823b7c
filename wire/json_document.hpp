// JSON text as the protocol accepts it, read once and strictly. Included by wire's .cpp files only.
//
// Beyond RFC 8259 a text is refused for: a byte order mark, a raw NUL, invalid UTF-8, a lone surrogate (also
// when escaped), a member name that repeats inside an object, nesting deeper than 64, anything after the
// value.
#pragma once

#include <rapidjson/document.h>

#include <string_view>

#include "wire/failure.hpp"

namespace obsync::wire {

using json_value = rapidjson::Document::ValueType;

// The whole text as a tree, or `bad_json`. Never recurses while parsing.
outcome<rapidjson::Document> parse_json(std::string_view text);

inline std::string_view text_of(const json_value& string) {
  return {string.GetString(), string.GetStringLength()};
}

}  // namespace obsync::wire
