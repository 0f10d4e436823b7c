#include "core/random.hpp"

#include <algorithm>

namespace obsync {

std::uint64_t seeded_random::next() {
  // splitmix64, public domain, by Sebastiano Vigna.
  state_ += 0x9E3779B97F4A7C15u;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

void seeded_random::fill(std::span<std::uint8_t> out) {
  for (std::size_t at = 0; at < out.size();) {
    std::uint64_t word = next();
    for (std::size_t i = 0; i < 8 && at < out.size(); ++i, ++at) {
      out[at] = static_cast<std::uint8_t>(word);
      word >>= 8;
    }
  }
}

}  // namespace obsync
