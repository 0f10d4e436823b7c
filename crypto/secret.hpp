// Secret bytes that are wiped when they go out of use. Copies are explicit acts of the owner.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/bytes.hpp"

namespace obsync::crypto {

void wipe(void* data, std::size_t size);

// Exists for 16 and 32 bytes.
template <std::size_t N>
struct secret {
  std::array<std::uint8_t, N> raw{};

  secret() = default;
  secret(const secret&) = default;
  secret& operator=(const secret&) = default;
  ~secret() { wipe(raw.data(), raw.size()); }

  byte_view view() const { return raw; }
  std::string hex() const;
  // From exactly 2 * N lowercase hex digits.
  static std::optional<secret> parse(std::string_view hex);
  // From exactly N bytes.
  static std::optional<secret> from(byte_view data);
};

using secret16 = secret<16>;
using secret32 = secret<32>;

}  // namespace obsync::crypto
