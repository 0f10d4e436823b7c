#include "crypto/secret.hpp"

#include <openssl/crypto.h>

#include <algorithm>

#include "core/hex.hpp"

namespace obsync::crypto {

void wipe(void* data, std::size_t size) {
  if (size > 0) OPENSSL_cleanse(data, size);
}

template <std::size_t N>
std::string secret<N>::hex() const {
  return to_hex(raw);
}

template <std::size_t N>
std::optional<secret<N>> secret<N>::parse(std::string_view hex) {
  secret out;
  if (!from_hex(hex, out.raw)) return std::nullopt;
  return out;
}

template <std::size_t N>
std::optional<secret<N>> secret<N>::from(byte_view data) {
  secret out;
  if (data.size() != N) return std::nullopt;
  std::copy(data.begin(), data.end(), out.raw.begin());
  return out;
}

template struct secret<16>;
template struct secret<32>;

}  // namespace obsync::crypto
