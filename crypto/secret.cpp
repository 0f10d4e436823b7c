#include "crypto/secret.hpp"

#include <openssl/crypto.h>

#include <algorithm>

#include "core/hex.hpp"

namespace obsync::crypto {

void wipe(void* data, std::size_t size) {
  if (size > 0) OPENSSL_cleanse(data, size);
}

std::string secret32::hex() const {
  return to_hex(raw);
}

std::optional<secret32> secret32::parse(std::string_view hex64) {
  secret32 out;
  if (!from_hex(hex64, out.raw)) return std::nullopt;
  return out;
}

std::optional<secret32> secret32::from(byte_view data) {
  secret32 out;
  if (data.size() != out.raw.size()) return std::nullopt;
  std::copy(data.begin(), data.end(), out.raw.begin());
  return out;
}

}  // namespace obsync::crypto
