// One chunk of a file, sealed for the server and opened again. Sealing is deterministic inside a domain:
// equal plaintext gives an equal object, which is how the server can store it once. Any thread.
#pragma once

#include "client/format/vault_keys.hpp"
#include "core/bytes.hpp"
#include "core/ids.hpp"
#include "core/result.hpp"

namespace obsync::client {

struct sealed_chunk {
  chunk_sid sid;     // the object's name on the server
  chunk_cid cid;     // what only devices know it by
  bytes ciphertext;  // plaintext and 16 bytes
};

sealed_chunk seal_chunk(const domain_keys& keys, byte_view plaintext);

// What seal_chunk would call this plaintext, for a fraction of the work.
chunk_cid identify_chunk(const domain_keys& keys, byte_view plaintext);

// The plaintext, if the object is the one named, sealed under these keys, and its content is the one
// promised; errc::corrupt otherwise.
result<bytes> open_chunk(const domain_keys& keys, const chunk_sid& sid, const chunk_cid& cid,
                         byte_view ciphertext);

}  // namespace obsync::client
