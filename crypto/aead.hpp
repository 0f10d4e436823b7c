// AES-256-GCM: 12-byte nonce, 16-byte tag at the end of the ciphertext.
#pragma once

#include <optional>

#include "core/bytes.hpp"
#include "core/ids.hpp"

namespace obsync::crypto {

inline constexpr std::size_t aead_tag_bytes = 16;

// `key` is 32 bytes. The result is plaintext.size() + 16 bytes.
bytes seal(byte_view key, const seal_nonce& nonce, byte_view plaintext, byte_view associated);

// The plaintext, or nothing when the tag does not fit: wrong key, nonce, associated data, or a changed byte.
std::optional<bytes> open(byte_view key, const seal_nonce& nonce, byte_view sealed, byte_view associated);

}  // namespace obsync::crypto
