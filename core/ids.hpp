// Identifiers: each its own type, so that a device can never be passed where a file is meant.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/bytes.hpp"
#include "core/hex.hpp"

namespace obsync {

// N raw bytes with a meaning. Ordered bytewise, hashed by its first eight bytes: every id is random or a
// digest.
template <class Tag, std::size_t N>
struct id {
  static constexpr std::size_t size = N;
  std::array<std::uint8_t, N> raw{};

  auto operator<=>(const id&) const = default;

  byte_view view() const { return raw; }
  std::string hex() const { return to_hex(raw); }

  // From exactly 2 * N lowercase hex digits.
  static std::optional<id> parse(std::string_view text) {
    id out;
    if (!from_hex(text, out.raw)) return std::nullopt;
    return out;
  }

  // From exactly N bytes.
  static std::optional<id> from(byte_view data) {
    if (data.size() != N) return std::nullopt;
    id out;
    std::memcpy(out.raw.data(), data.data(), N);
    return out;
  }
};

using account_id = id<struct account_tag, 16>;
using device_id = id<struct device_tag, 16>;
using pairing_id = id<struct pairing_tag, 16>;
using file_id = id<struct file_tag, 16>;
using domain_id = id<struct domain_tag, 16>;
using request_nonce = id<struct request_nonce_tag, 16>;
using chunk_sid = id<struct chunk_sid_tag, 32>;  // SHA-256 of a chunk's ciphertext: its name on the server
using chunk_cid = id<struct chunk_cid_tag, 32>;  // keyed hash of a chunk's plaintext: never leaves a manifest
using version_id = id<struct version_tag, 32>;
using epoch_id = id<struct epoch_tag, 16>;         // one life of a store; a restored one begins another
using digest = id<struct digest_tag, 32>;          // a plain SHA-256
using seal_nonce = id<struct seal_nonce_tag, 12>;  // AES-GCM nonce

// Position of a version in its account's feed; 0 is before the first.
using sequence = std::int64_t;

}  // namespace obsync

template <class Tag, std::size_t N>
struct std::hash<obsync::id<Tag, N>> {
  std::size_t operator()(const obsync::id<Tag, N>& value) const noexcept {
    std::size_t out = 0;
    std::memcpy(&out, value.raw.data(), sizeof out);
    return out;
  }
};
