#include "client/format/chunk_seal.hpp"

#include "client/format/derived_nonce.hpp"
#include "crypto/aead.hpp"
#include "crypto/digest.hpp"

namespace obsync::client {

namespace {

constexpr std::string_view label = "obsync/v1/chunk";  // salt of the key and associated data of the seal

crypto::secret32 chunk_key(const domain_keys& keys, const chunk_cid& cid) {
  return crypto::derive_key(keys.domain_key.view(), label, cid.view());
}

}  // namespace

chunk_cid identify_chunk(const domain_keys& keys, byte_view plaintext) {
  return chunk_cid{crypto::hmac_sha256(keys.domain_key.view(), plaintext).raw};
}

sealed_chunk seal_chunk(const domain_keys& keys, byte_view plaintext) {
  sealed_chunk out;
  out.cid = identify_chunk(keys, plaintext);
  const crypto::secret32 key = chunk_key(keys, out.cid);
  out.ciphertext = crypto::seal(key.view(), derived_nonce(key, {}), plaintext, as_bytes(label));
  out.sid = chunk_sid{crypto::sha256(out.ciphertext).raw};
  return out;
}

result<bytes> open_chunk(const domain_keys& keys, const chunk_sid& sid, const chunk_cid& cid,
                         byte_view ciphertext) {
  if (crypto::sha256(ciphertext).raw != sid.raw)
    return error{errc::corrupt, "a chunk is not the one it is named"};
  const crypto::secret32 key = chunk_key(keys, cid);
  auto plaintext = crypto::open(key.view(), derived_nonce(key, {}), ciphertext, as_bytes(label));
  if (!plaintext) return error{errc::corrupt, "a chunk does not open under this vault's key"};
  if (identify_chunk(keys, *plaintext) != cid)
    return error{errc::corrupt, "a chunk holds other content than promised"};
  return std::move(*plaintext);
}

}  // namespace obsync::client
