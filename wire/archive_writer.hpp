// Writes an archive from its first byte to its last: header, files with their versions, the end of the index,
// then every chunk in the order of `names`. Memory: one version, and 64 bytes at most for each chunk. Blocks;
// one thread. After an error the file is worth nothing.
#pragma once

#include <functional>
#include <vector>

#include "core/disk.hpp"
#include "core/ids.hpp"
#include "core/result.hpp"
#include "crypto/digest.hpp"
#include "wire/archive.hpp"
#include "wire/name_set.hpp"

namespace obsync::wire {

class archive_writer {
 public:
  // `to` is empty and outlives the writer. Flushing and publishing are the caller's.
  explicit archive_writer(disk_file& to) : to_(to) {}

  status begin(const archive_header& header);
  status begin_file(const archived_file& file);
  // `with_time`: also when the server took it, which a history needs.
  status version(const version_record& version, bool with_time);
  status end_file();
  // `vouch` makes the proof of the index's digest; nothing: 32 zero bytes. errc::unsupported when the index
  // outgrew the format.
  status end_index(const std::function<digest(const digest&)>& vouch);

  // What versions named so far, in the order their chunks are due.
  const std::vector<chunk_sid>& names() { return names_.sorted(); }

  // errc::corrupt when what came between the two is not `size` bytes, or not what the name says.
  status begin_chunk(const chunk_sid& sid, std::uint64_t size);
  status chunk_part(byte_view part);
  status end_chunk();
  // What is still held back; last.
  status finish() { return flush(); }

 private:
  status add(byte_view data);
  status add_to_index(std::string_view text);
  status flush();

  disk_file& to_;
  std::uint64_t at_ = 0;  // where `waiting_` goes
  bytes waiting_;
  name_set names_;
  std::string index_end_;
  std::uint64_t index_bytes_ = 0;
  crypto::sha256_stream index_hash_;
  std::int64_t files_ = 0;
  std::int64_t versions_ = 0;  // of the file
  chunk_sid sid_;
  std::uint64_t chunk_bytes_left_ = 0;
  bool chunk_too_long_ = false;
  crypto::sha256_stream chunk_hash_;
};

}  // namespace obsync::wire
