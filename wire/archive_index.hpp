// The index of an archive read from its file, version after version, and everything checked that can be
// checked without a key. Memory: one version and the ids of the files, 16 bytes each. Blocks; one thread.
#pragma once

#include "core/disk.hpp"
#include "core/result.hpp"
#include "wire/archive.hpp"

namespace obsync::wire {

struct archive_index {
  archive_header header;
  digest hash;  // SHA-256 of its bytes
  std::int64_t files = 0;
  std::int64_t versions = 0;
  bool tells_time = true;  // of every version
};

// The `length` bytes from `begin` on. errc::invalid for what breaks the format; errc::corrupt for a version
// that is not the one it is named; errc::unsupported for an index of another version number.
result<archive_index> read_archive_index(disk_file& from, std::uint64_t begin, std::uint64_t length,
                                         archive_visitor& visitor);

}  // namespace obsync::wire
