// A chunk list as one column: sid, cid and length (8 bytes, little-endian) per chunk.
#pragma once

#include "client/state/state.hpp"
#include "core/bytes.hpp"

namespace obsync::client {

bytes pack_chunks(const chunk_list& chunks);
// Stops at the first row that is not whole.
chunk_list unpack_chunks(byte_view packed);

}  // namespace obsync::client
