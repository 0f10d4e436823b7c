// The published test vectors (tests/data/vectors.json), addressed by JSON pointer:
// vector_text("/published/vault/vrk"). A pointer that names nothing of the wanted kind fails the test at once
// by aborting.
#pragma once

#include <rapidjson/document.h>
#include <rapidjson/pointer.h>

#include <fstream>
#include <iterator>
#include <string>

#include "core/assert.hpp"
#include "core/bytes.hpp"
#include "core/hex.hpp"

namespace obsync::test {

inline std::string read_whole_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  OBSYNC_ASSERT(in.is_open());
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline const rapidjson::Value& vector_at(const std::string& pointer) {
  static const auto tree = [] {
    rapidjson::Document document;
    document.Parse(read_whole_file(std::string(OBSYNC_SOURCE_DIR) + "/tests/data/vectors.json").c_str());
    OBSYNC_ASSERT(document.IsObject());
    return document;
  }();
  const rapidjson::Value* const found = rapidjson::Pointer(pointer.c_str()).Get(tree);
  OBSYNC_ASSERT(found != nullptr);
  return *found;
}

inline std::string vector_text(const std::string& pointer) {
  return vector_at(pointer).GetString();
}

inline std::int64_t vector_number(const std::string& pointer) {
  return vector_at(pointer).GetInt64();
}

inline bytes vector_bytes(const std::string& pointer) {
  const std::string hex = vector_text(pointer);
  bytes out(hex.size() / 2);
  OBSYNC_ASSERT(from_hex(hex, out));
  return out;
}

// An id given in hex by the vectors.
template <class Id>
Id vector_id(const std::string& pointer) {
  const auto parsed = Id::parse(vector_text(pointer));
  OBSYNC_ASSERT(parsed.has_value());
  return *parsed;
}

}  // namespace obsync::test
