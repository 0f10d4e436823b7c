#include "client/state/chunk_rows.hpp"

namespace obsync::client {

namespace {
constexpr std::size_t row_bytes = chunk_sid::size + chunk_cid::size + 8;
}

bytes pack_content(const listed_content& content) {
  bytes out;
  out.reserve(1 + digest::size + content.chunks.size() * row_bytes);
  out.push_back(content.sha256 ? 1 : 0);
  if (content.sha256) append(out, content.sha256->view());
  for (const wire::manifest_chunk& one : content.chunks) {
    append(out, one.sid.view());
    append(out, one.cid.view());
    auto length = static_cast<std::uint64_t>(one.len);
    for (int i = 0; i < 8; ++i, length >>= 8) out.push_back(static_cast<std::uint8_t>(length));
  }
  return out;
}

listed_content unpack_content(byte_view packed) {
  listed_content out;
  if (packed.empty()) return out;
  const bool has_digest = packed.front() == 1;
  packed = packed.subspan(1);
  if (has_digest && packed.size() >= digest::size) {
    out.sha256 = digest::from(packed.first(digest::size));
    packed = packed.subspan(digest::size);
  }
  out.chunks.reserve(packed.size() / row_bytes);
  for (; packed.size() >= row_bytes; packed = packed.subspan(row_bytes)) {
    wire::manifest_chunk one;
    one.sid = *chunk_sid::from(packed.first(chunk_sid::size));
    one.cid = *chunk_cid::from(packed.subspan(chunk_sid::size, chunk_cid::size));
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < 8; ++i) length |= std::uint64_t{packed[row_bytes - 8 + i]} << (8 * i);
    one.len = static_cast<std::int64_t>(length);
    out.chunks.push_back(one);
  }
  return out;
}

}  // namespace obsync::client
