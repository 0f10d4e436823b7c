#include "crypto/digest.hpp"

#include <openssl/core_names.h>
#include <openssl/crypto.h>

#include <algorithm>

#include "crypto/library.hpp"

namespace obsync::crypto {

digest sha256(byte_view data) {
  digest out;
  OBSYNC_ASSERT(EVP_Digest(library::pointer(data), data.size(), out.raw.data(), nullptr, library::sha256(),
                           nullptr) == 1);
  return out;
}

struct sha256_stream::state {
  library::digest_context context{EVP_MD_CTX_new()};

  void restart() { OBSYNC_ASSERT(EVP_DigestInit_ex2(context.get(), library::sha256(), nullptr) == 1); }
};

sha256_stream::sha256_stream() : state_(std::make_unique<state>()) {
  OBSYNC_ASSERT(state_->context != nullptr);
  state_->restart();
}

sha256_stream::sha256_stream(sha256_stream&&) noexcept = default;
sha256_stream& sha256_stream::operator=(sha256_stream&&) noexcept = default;
sha256_stream::~sha256_stream() = default;

void sha256_stream::update(byte_view data) {
  OBSYNC_ASSERT(EVP_DigestUpdate(state_->context.get(), library::pointer(data), data.size()) == 1);
}

digest sha256_stream::finish() {
  digest out;
  OBSYNC_ASSERT(EVP_DigestFinal_ex(state_->context.get(), out.raw.data(), nullptr) == 1);
  state_->restart();
  return out;
}

struct hmac_key::state {
  library::mac_context context{EVP_MAC_CTX_new(library::hmac())};
};

hmac_key::hmac_key(byte_view key) : state_(std::make_unique<state>()) {
  OBSYNC_ASSERT(state_->context != nullptr);
  char hash[] = "SHA256";
  const OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, hash, 0),
                                   OSSL_PARAM_construct_end()};
  OBSYNC_ASSERT(EVP_MAC_init(state_->context.get(), library::pointer(key), key.size(), parameters) == 1);
}

hmac_key::hmac_key(hmac_key&&) noexcept = default;
hmac_key& hmac_key::operator=(hmac_key&&) noexcept = default;
hmac_key::~hmac_key() = default;

digest hmac_key::mac(byte_view message) const {
  EVP_MAC_CTX* const context = state_->context.get();
  digest out;
  std::size_t length = 0;
  // A null key means: start over under the key already there.
  OBSYNC_ASSERT(EVP_MAC_init(context, nullptr, 0, nullptr) == 1);
  OBSYNC_ASSERT(EVP_MAC_update(context, library::pointer(message), message.size()) == 1);
  OBSYNC_ASSERT(EVP_MAC_final(context, out.raw.data(), &length, out.raw.size()) == 1);
  OBSYNC_ASSERT(length == out.raw.size());
  return out;
}

digest hmac_sha256(byte_view key, byte_view message) {
  return hmac_key(key).mac(message);
}

bytes hkdf(byte_view input_key, byte_view salt, byte_view info, std::size_t length) {
  OBSYNC_ASSERT(length <= 255 * digest::size);
  digest extracted = hmac_sha256(salt, input_key);
  const hmac_key expand(extracted.view());
  wipe(extracted.raw.data(), extracted.raw.size());

  bytes out;
  out.reserve(length);
  bytes block_input;
  digest block;
  for (std::uint8_t counter = 1; out.size() < length; ++counter) {
    block_input.clear();
    if (counter > 1) append(block_input, block.view());
    append(block_input, info);
    block_input.push_back(counter);
    block = expand.mac(block_input);
    append(out, block.view().first(std::min(digest::size, length - out.size())));
  }
  wipe(block.raw.data(), block.raw.size());
  wipe(block_input.data(), block_input.size());
  return out;
}

secret32 derive_key(byte_view input_key, std::string_view salt, byte_view info) {
  bytes derived = hkdf(input_key, as_bytes(salt), info, secret32{}.raw.size());
  const auto key = secret32::from(derived);
  wipe(derived.data(), derived.size());
  return *key;
}

bool is_hex_of(std::string_view text, const secret32& secret) {
  const std::string expected = secret.hex();
  return equal_constant_time(as_bytes(text), as_bytes(expected));
}

bool equal_constant_time(byte_view a, byte_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(library::pointer(a), library::pointer(b), a.size()) == 0;
}

}  // namespace obsync::crypto
