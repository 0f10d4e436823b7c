#include "client/format/chunker.hpp"

#include <algorithm>

#include "core/assert.hpp"
#include "crypto/digest.hpp"

namespace obsync::client {

namespace {

constexpr std::uint32_t cut_mask = 0xFFFFFC00;  // a cut about every 4 MiB

// The hash shifts one bit a byte, so 32 bytes before the first place a cut may fall decide it: hashing can
// begin there without moving a cut.
constexpr std::uint64_t hash_from = chunk_bytes_min - 32;
// Index of the first byte after which a cut may fall.
constexpr std::uint64_t first_cut = chunk_bytes_min - 1;

bool cuts(std::uint32_t hash) {
  return (hash & cut_mask) == 0;
}

std::array<std::uint32_t, 256> make_gear_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    bytes input;
    append(input, "obsync/v1/gear");
    input.push_back(static_cast<std::uint8_t>(i));
    const digest hash = crypto::sha256(input);
    for (std::size_t at = 0; at < 4; ++at) table[i] = table[i] << 8 | hash.raw[at];
  }
  return table;
}

}  // namespace

const std::array<std::uint32_t, 256>& gear_table() {
  static const auto table = make_gear_table();
  return table;
}

std::uint64_t chunker::room() const {
  return std::min(left_, chunk_bytes_max - in_chunk_);
}

chunker::step chunker::feed(byte_view data) {
  OBSYNC_ASSERT(!done_);
  OBSYNC_ASSERT(data.size() <= left_);
  const std::size_t most = static_cast<std::size_t>(std::min<std::uint64_t>(data.size(), room()));
  std::size_t taken = most;
  bool cut = false;
  if (!whole_) {
    const auto& gear = gear_table();
    const auto place = [&](std::uint64_t index) {
      return index <= in_chunk_ ? 0
                                : static_cast<std::size_t>(std::min<std::uint64_t>(index - in_chunk_, most));
    };
    std::uint32_t hash = hash_;
    std::size_t at = place(hash_from);
    for (const std::size_t end = place(first_cut); at < end; ++at) hash = (hash << 1) + gear[data[at]];
    // Four at a time until one of them cuts: the loop below finds which.
    for (; at + 4 <= most; at += 4) {
      const std::uint32_t first = (hash << 1) + gear[data[at]];
      const std::uint32_t second = (first << 1) + gear[data[at + 1]];
      const std::uint32_t third = (second << 1) + gear[data[at + 2]];
      const std::uint32_t fourth = (third << 1) + gear[data[at + 3]];
      if (cuts(first) || cuts(second) || cuts(third) || cuts(fourth)) break;
      hash = fourth;
    }
    for (; at < most && !cut; ++at) {
      hash = (hash << 1) + gear[data[at]];
      cut = cuts(hash);
    }
    hash_ = hash;
    if (cut) taken = at;
  }
  left_ -= taken;
  in_chunk_ += taken;
  const bool ends = cut || left_ == 0 || in_chunk_ == chunk_bytes_max;
  if (ends) {
    in_chunk_ = 0;
    hash_ = 0;
    done_ = left_ == 0;
  }
  return {taken, ends};
}

}  // namespace obsync::client
