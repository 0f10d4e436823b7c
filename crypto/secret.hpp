// Thirty-two secret bytes that are wiped when they go out of use. Copies are explicit acts of the owner.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/bytes.hpp"

namespace obsync::crypto {

void wipe(void* data, std::size_t size);

struct secret32 {
  std::array<std::uint8_t, 32> raw{};

  secret32() = default;
  secret32(const secret32&) = default;
  secret32& operator=(const secret32&) = default;
  ~secret32() { wipe(raw.data(), raw.size()); }

  byte_view view() const { return raw; }
  std::string hex() const;
  static std::optional<secret32> parse(std::string_view hex64);
  static std::optional<secret32> from(byte_view data);
};

}  // namespace obsync::crypto
