// Ephemeral P-256 key agreement, used once per pairing.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "core/bytes.hpp"
#include "crypto/secret.hpp"

namespace obsync::crypto {

// An uncompressed point: 0x04, X, Y.
using p256_public = std::array<std::uint8_t, 65>;

class p256_key {
 public:
  // A fresh random pair from the library's own generator.
  static p256_key generate();
  // From a 32-byte private scalar, for test vectors; nothing when it is no valid scalar.
  static std::optional<p256_key> from_private(byte_view scalar);

  p256_key(p256_key&&) noexcept;
  p256_key& operator=(p256_key&&) noexcept;
  ~p256_key();

  const p256_public& public_point() const;
  // The X coordinate shared with `other`; nothing when `other` is not a point of the curve.
  std::optional<secret32> agree(const p256_public& other) const;

 private:
  struct state;
  explicit p256_key(std::unique_ptr<state> made);
  std::unique_ptr<state> state_;
};

// Whether the 65 bytes are a point of the curve.
bool is_p256_point(byte_view point);

}  // namespace obsync::crypto
