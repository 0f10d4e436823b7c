#include "client/state/chunk_rows.hpp"

namespace obsync::client {

namespace {
constexpr std::size_t row_bytes = chunk_sid::size + chunk_cid::size + 8;
}

bytes pack_chunks(const chunk_list& chunks) {
  bytes out;
  out.reserve(chunks.size() * row_bytes);
  for (const wire::manifest_chunk& one : chunks) {
    append(out, one.sid.view());
    append(out, one.cid.view());
    auto length = static_cast<std::uint64_t>(one.len);
    for (int i = 0; i < 8; ++i, length >>= 8) out.push_back(static_cast<std::uint8_t>(length));
  }
  return out;
}

chunk_list unpack_chunks(byte_view packed) {
  chunk_list out;
  out.reserve(packed.size() / row_bytes);
  for (; packed.size() >= row_bytes; packed = packed.subspan(row_bytes)) {
    wire::manifest_chunk one;
    one.sid = *chunk_sid::from(packed.first(chunk_sid::size));
    one.cid = *chunk_cid::from(packed.subspan(chunk_sid::size, chunk_cid::size));
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < 8; ++i) length |= std::uint64_t{packed[row_bytes - 8 + i]} << (8 * i);
    one.len = static_cast<std::int64_t>(length);
    out.push_back(one);
  }
  return out;
}

}  // namespace obsync::client
