// Where a file is cut into chunks: decided by its content, so that an insertion moves few cuts, and the same
// on every device. Pure computation; an object belongs to one thread.
#pragma once

#include <array>
#include <cstdint>

#include "core/bytes.hpp"

namespace obsync::client {

// A file up to this size is one chunk.
inline constexpr std::uint64_t whole_file_bytes_max = 8u << 20;
inline constexpr std::uint64_t chunk_bytes_min = 1u << 20;  // of every chunk but the last
inline constexpr std::uint64_t chunk_bytes_max = 8u << 20;

// The 256 words the rolling hash adds, one for each byte value.
const std::array<std::uint32_t, 256>& gear_table();

// Cuts one file of a size known beforehand, fed from its first byte to its last in pieces of any length.
// An empty file is one chunk of length 0, ended by a feed of nothing.
class chunker {
 public:
  struct step {
    std::size_t taken = 0;    // how many of the bytes offered belong to the present chunk
    bool chunk_ends = false;  // whether the last of them ends it
  };

  explicit chunker(std::uint64_t file_bytes)
      : left_(file_bytes), whole_(file_bytes <= whole_file_bytes_max) {}

  // Takes bytes off the front of `data`, never past the end of the present chunk. Offer the rest again.
  // Precondition: not done(), and never more bytes in all than the file was said to have.
  step feed(byte_view data);

  // The most bytes the present chunk can still take: what a reader need read ahead.
  std::uint64_t room() const;
  // All of the file is cut.
  bool done() const { return done_; }

 private:
  std::uint64_t left_;          // bytes of the file not yet taken
  std::uint64_t in_chunk_ = 0;  // bytes of the present chunk taken
  std::uint32_t hash_ = 0;      // rolling hash of the present chunk
  bool whole_;
  bool done_ = false;
};

}  // namespace obsync::client
