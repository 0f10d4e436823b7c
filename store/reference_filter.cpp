#include "store/reference_filter.hpp"

#include <algorithm>
#include <cstring>

namespace obsync::store {

namespace {

constexpr std::uint64_t bits_per_reference = 10;

std::uint64_t word_of(const std::uint8_t* from) {
  std::uint64_t out = 0;
  std::memcpy(&out, from, sizeof out);
  return out;
}

// Every bit of the input moves about half of the output's bits. The finaliser of SplitMix64 (Steele, Lea,
// Flood, OOPSLA 2014).
std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
  value = (value ^ value >> 27) * 0x94d049bb133111ebu;
  return value ^ value >> 31;
}

}  // namespace

reference_filter::reference_filter(std::uint64_t expected, random_source& random) {
  std::array<std::uint8_t, 16> fresh{};
  random.fill(fresh);
  key_ = {word_of(fresh.data()), word_of(fresh.data() + 8)};
  const std::uint64_t words =
      std::clamp<std::uint64_t>(expected * bits_per_reference / 64, 1024, bytes_max / 8);
  words_.resize(words);
}

// Calls `each(word, bit)` for every probe until it says false.
template <class Visit>
bool reference_filter::visit(const account_id& account, const chunk_sid& sid, Visit each) const {
  // A sid is a digest, so two of its words are as good as two hashes of it.
  const std::uint64_t owner = mixed(word_of(account.raw.data()) ^ word_of(account.raw.data() + 8));
  std::uint64_t at = mixed(word_of(sid.raw.data()) ^ owner ^ key_[0]);
  const std::uint64_t step = mixed(word_of(sid.raw.data() + 8) ^ owner ^ key_[1]) | 1;
  const std::uint64_t bits = words_.size() * 64;
  for (int probe = 0; probe < probes; ++probe, at += step) {
    const std::uint64_t bit = at % bits;
    if (!each(bit / 64, std::uint64_t{1} << bit % 64)) return false;
  }
  return true;
}

void reference_filter::add(const account_id& account, const chunk_sid& sid) {
  visit(account, sid, [this](std::uint64_t word, std::uint64_t bit) {
    words_[word] |= bit;
    return true;
  });
}

bool reference_filter::may_have(const account_id& account, const chunk_sid& sid) const {
  return visit(account, sid,
               [this](std::uint64_t word, std::uint64_t bit) { return (words_[word] & bit) != 0; });
}

}  // namespace obsync::store
