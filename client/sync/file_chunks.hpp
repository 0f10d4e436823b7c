// A local file cut into its chunks, one in memory at a time.
#pragma once

#include <optional>

#include "client/engine/views.hpp"
#include "client/format/chunker.hpp"
#include "client/format/vault_keys.hpp"
#include "client/state/state.hpp"
#include "client/vault/vault.hpp"

namespace obsync::client {

class file_chunks {
 public:
  // `size`: what the file's mark says. The reader must outlive this.
  file_chunks(vault_reader& reader, std::uint64_t size);
  // The next chunk, until the next call; nothing at the end. errc::unavailable when the file got shorter.
  result<std::optional<byte_view>> next();

 private:
  vault_reader& reader_;
  chunker cutter_;
  std::uint64_t size_;
  std::uint64_t offset_ = 0;  // read so far
  bytes buffer_;
  std::size_t begin_ = 0;  // of what is not handed out yet
};

// What makes two files equal.
content_id content_of(const chunk_list& chunks);

// Reads the whole file; errc::unavailable when it did not hold still or is not the one expected.
result<content_id> hash_file(vault& folder, const std::string& path, const file_mark& expected,
                             const domain_keys& keys);

}  // namespace obsync::client
