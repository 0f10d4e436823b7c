#include "crypto/library.hpp"

namespace obsync::crypto::library {

const EVP_MD* sha256() {
  static EVP_MD* const fetched = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  OBSYNC_ASSERT(fetched != nullptr);
  return fetched;
}

EVP_MAC* hmac() {
  static EVP_MAC* const fetched = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
  OBSYNC_ASSERT(fetched != nullptr);
  return fetched;
}

const EVP_CIPHER* aes_256_gcm() {
  static EVP_CIPHER* const fetched = EVP_CIPHER_fetch(nullptr, "AES-256-GCM", nullptr);
  OBSYNC_ASSERT(fetched != nullptr);
  return fetched;
}

}  // namespace obsync::crypto::library
