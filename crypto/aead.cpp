#include "crypto/aead.hpp"

#include <climits>

#include "crypto/library.hpp"
#include "crypto/secret.hpp"

namespace obsync::crypto {

namespace {

constexpr std::size_t key_bytes = 32;

// The library counts in int; nothing we seal comes near it.
int length(byte_view data) {
  OBSYNC_ASSERT(data.size() <= INT_MAX);
  return static_cast<int>(data.size());
}

}  // namespace

bytes seal(byte_view key, const seal_nonce& nonce, byte_view plaintext, byte_view associated) {
  OBSYNC_ASSERT(key.size() == key_bytes);
  const library::cipher_context context(EVP_CIPHER_CTX_new());
  EVP_CIPHER_CTX* const gcm = context.get();
  OBSYNC_ASSERT(gcm != nullptr);
  OBSYNC_ASSERT(EVP_EncryptInit_ex2(gcm, library::aes_256_gcm(), key.data(), nonce.raw.data(), nullptr) == 1);

  bytes sealed(plaintext.size() + aead_tag_bytes);
  int done = 0;
  OBSYNC_ASSERT(EVP_EncryptUpdate(gcm, nullptr, &done, library::pointer(associated), length(associated)) ==
                1);
  OBSYNC_ASSERT(
      EVP_EncryptUpdate(gcm, sealed.data(), &done, library::pointer(plaintext), length(plaintext)) == 1);
  OBSYNC_ASSERT(static_cast<std::size_t>(done) == plaintext.size());
  std::uint8_t* const tag = sealed.data() + plaintext.size();
  OBSYNC_ASSERT(EVP_EncryptFinal_ex(gcm, tag, &done) == 1 && done == 0);
  OBSYNC_ASSERT(EVP_CIPHER_CTX_ctrl(gcm, EVP_CTRL_AEAD_GET_TAG, aead_tag_bytes, tag) == 1);
  return sealed;
}

std::optional<bytes> open(byte_view key, const seal_nonce& nonce, byte_view sealed, byte_view associated) {
  OBSYNC_ASSERT(key.size() == key_bytes);
  if (sealed.size() < aead_tag_bytes || sealed.size() > INT_MAX) return std::nullopt;
  const byte_view ciphertext = sealed.first(sealed.size() - aead_tag_bytes);
  bytes tag(sealed.end() - aead_tag_bytes, sealed.end());
  const library::cipher_context context(EVP_CIPHER_CTX_new());
  EVP_CIPHER_CTX* const gcm = context.get();
  OBSYNC_ASSERT(gcm != nullptr);
  OBSYNC_ASSERT(EVP_DecryptInit_ex2(gcm, library::aes_256_gcm(), key.data(), nonce.raw.data(), nullptr) == 1);

  // One spare byte: the library wants a place to write even when there is nothing to write.
  bytes plaintext(ciphertext.size() + 1);
  int done = 0;
  OBSYNC_ASSERT(EVP_DecryptUpdate(gcm, nullptr, &done, library::pointer(associated), length(associated)) ==
                1);
  OBSYNC_ASSERT(
      EVP_DecryptUpdate(gcm, plaintext.data(), &done, library::pointer(ciphertext), length(ciphertext)) == 1);
  OBSYNC_ASSERT(EVP_CIPHER_CTX_ctrl(gcm, EVP_CTRL_AEAD_SET_TAG, aead_tag_bytes, tag.data()) == 1);
  const bool genuine = EVP_DecryptFinal_ex(gcm, plaintext.data() + ciphertext.size(), &done) == 1;
  if (!genuine) {
    // Unverified plaintext is nobody's to see.
    wipe(plaintext.data(), plaintext.size());
    return std::nullopt;
  }
  plaintext.pop_back();
  return plaintext;
}

}  // namespace obsync::crypto
