// A listed content as one column: a byte that says whether a SHA-256 follows, that, then sid, cid and length
// (8 bytes, little-endian) per chunk. Nothing at all is an empty list.
#pragma once

#include "client/state/state.hpp"
#include "core/bytes.hpp"

namespace obsync::client {

bytes pack_content(const listed_content& content);
// Stops at the first row that is not whole.
listed_content unpack_content(byte_view packed);

}  // namespace obsync::client
