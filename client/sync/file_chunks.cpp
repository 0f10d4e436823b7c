#include "client/sync/file_chunks.hpp"

#include <algorithm>

#include "client/format/chunk_seal.hpp"
#include "crypto/digest.hpp"

namespace obsync::client {

namespace {
constexpr std::size_t read_bytes = 256u << 10;
}

file_chunks::file_chunks(vault_reader& reader, std::uint64_t size)
    : reader_(reader), cutter_(size), size_(size) {
  buffer_.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(size, chunk_bytes_max + read_bytes)));
}

result<std::optional<byte_view>> file_chunks::next() {
  if (cutter_.done()) return std::optional<byte_view>();
  buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(begin_));
  begin_ = 0;
  for (;;) {
    const auto step = cutter_.feed(byte_view(buffer_).subspan(begin_));
    begin_ += step.taken;
    if (step.chunk_ends) return std::optional(byte_view(buffer_).first(begin_));
    const std::size_t want = static_cast<std::size_t>(std::min<std::uint64_t>(read_bytes, size_ - offset_));
    const std::size_t had = buffer_.size();
    buffer_.resize(had + want);
    const auto got = reader_.read_at(offset_, std::span(buffer_).subspan(had));
    if (!got) return got.error();
    if (*got < want || want == 0) return error{errc::unavailable, "the file changed while it was read"};
    offset_ += want;
  }
}

content_id content_of(const chunk_list& chunks) {
  crypto::sha256_stream hash;
  for (const wire::manifest_chunk& one : chunks) hash.update(one.cid.view());
  return content_id{hash.finish().raw};
}

result<content_id> hash_file(vault& folder, const std::string& path, const file_mark& expected,
                             const domain_keys& keys) {
  const error moved{errc::unavailable, "the file changed while it was read"};
  const auto reader = folder.open(path);
  if (!reader) return reader.error();
  const auto before = (*reader)->mark();
  if (!before) return before.error();
  if (*before != expected) return moved;
  file_chunks chunks(**reader, static_cast<std::uint64_t>(expected.size));
  crypto::sha256_stream hash;
  for (;;) {
    const auto chunk = chunks.next();
    if (!chunk) return chunk.error();
    if (!*chunk) break;
    hash.update(identify_chunk(keys, **chunk).view());
  }
  const auto after = (*reader)->mark();
  if (!after) return after.error();
  if (*after != expected) return moved;
  return content_id{hash.finish().raw};
}

}  // namespace obsync::client
