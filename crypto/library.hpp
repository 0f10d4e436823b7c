// OpenSSL as the rest of crypto/ uses it: algorithms fetched once, handles that free themselves, and one
// answer to a library that fails where only memory could be missing. Included by crypto's .cpp files only.
#pragma once

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/evp.h>

#include <memory>

#include "core/assert.hpp"
#include "core/bytes.hpp"
#include "core/freed_by.hpp"

namespace obsync::crypto::library {

using digest_context = std::unique_ptr<EVP_MD_CTX, freed_by<EVP_MD_CTX_free>>;
using mac_context = std::unique_ptr<EVP_MAC_CTX, freed_by<EVP_MAC_CTX_free>>;
using cipher_context = std::unique_ptr<EVP_CIPHER_CTX, freed_by<EVP_CIPHER_CTX_free>>;
using pkey = std::unique_ptr<EVP_PKEY, freed_by<EVP_PKEY_free>>;
using pkey_context = std::unique_ptr<EVP_PKEY_CTX, freed_by<EVP_PKEY_CTX_free>>;
using group = std::unique_ptr<EC_GROUP, freed_by<EC_GROUP_free>>;
using point = std::unique_ptr<EC_POINT, freed_by<EC_POINT_free>>;
using number = std::unique_ptr<BIGNUM, freed_by<BN_clear_free>>;

// Fetched at first use and kept: a fetch costs more than hashing a request. Never null.
const EVP_MD* sha256();
EVP_MAC* hmac();
const EVP_CIPHER* aes_256_gcm();

// A pointer that is never null, also for an empty view: the library reads null as "keep what you had".
inline const std::uint8_t* pointer(byte_view data) {
  static constexpr std::uint8_t nothing = 0;
  return data.empty() ? &nothing : data.data();
}

}  // namespace obsync::crypto::library
