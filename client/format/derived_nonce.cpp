#include "client/format/derived_nonce.hpp"

#include "crypto/digest.hpp"

namespace obsync::client {

seal_nonce derived_nonce(const crypto::secret32& key, byte_view info) {
  return *seal_nonce::from(crypto::hkdf(key.view(), as_bytes("obsync/v1/nonce"), info, seal_nonce::size));
}

}  // namespace obsync::client
