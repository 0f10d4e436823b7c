// An archive opened for reading. Opening reads all of it once and checks everything that can be checked
// without a key: the index and its digest, that each version is the one it is named, that exactly the chunks
// that versions name are there, each once, in order, and hashing to its name. What is sealed inside is for
// client/format to judge. Memory: one version, 16 bytes for each file, 72 at most for each chunk. Blocks; one
// thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/disk.hpp"
#include "core/ids.hpp"
#include "core/result.hpp"
#include "wire/archive.hpp"
#include "wire/archive_index.hpp"

namespace obsync::wire {

class archive_reader {
 public:
  // `from` outlives the reader; `told` hears now and then how many bytes were checked, and may be empty.
  // errc::invalid for what is no archive; errc::corrupt for one that was damaged; errc::unsupported for one
  // of a later format; otherwise the disk's error.
  static result<std::unique_ptr<archive_reader>> open(disk_file& from,
                                                      const std::function<void(std::uint64_t)>& told);

  const archive_header& header() const { return index_.header; }
  std::int64_t file_count() const { return index_.files; }
  std::int64_t version_count() const { return index_.versions; }
  // Whether every version carries the time the server took it.
  bool tells_time() const { return index_.tells_time; }
  std::size_t chunk_count() const { return chunks_.size(); }
  const digest& index_hash() const { return index_.hash; }
  // What a device vouches for the index with; zero when a server wrote it.
  const digest& proof() const { return proof_; }

  // Reads the index again.
  status visit(archive_visitor& visitor);
  // Nothing when the archive has no such chunk; errc::corrupt when it changed since it was opened.
  result<std::optional<bytes>> chunk(const chunk_sid& sid);

 private:
  struct placed_chunk {
    chunk_sid sid;
    std::uint64_t at = 0;  // of its bytes
    std::uint32_t size = 0;
  };

  explicit archive_reader(disk_file& from) : from_(from) {}
  status read_all(const std::function<void(std::uint64_t)>& told);
  status read_chunks(std::uint64_t at, const std::vector<chunk_sid>& named,
                     const std::function<void(std::uint64_t)>& told);
  result<chunk_sid> hash_chunk(std::uint64_t at, std::uint64_t size);
  result<bytes> read(std::uint64_t at, std::size_t size);
  result<std::uint32_t> read_length(std::uint64_t at);

  disk_file& from_;
  std::uint64_t size_ = 0;
  std::uint32_t index_bytes_ = 0;
  archive_index index_;
  digest proof_;
  std::vector<placed_chunk> chunks_;  // in rising order
  bytes slice_;
};

}  // namespace obsync::wire
