// Remembers which chunks are named by versions, in memory that does not grow with their number: a Bloom
// filter. What was added is always found; what was not is found by mistake once in about a hundred times, and
// then a chunk that nobody needs stays until a later round, whose filter is keyed anew, lets it go.
//
// B. H. Bloom, "Space/time trade-offs in hash coding with allowable errors", CACM 13 (1970).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "core/random.hpp"

namespace obsync::store {

class reference_filter {
 public:
  static constexpr std::uint64_t bytes_max = 16u << 20;

  // Sized for `expected` references, ten bits each within bytes_max.
  reference_filter(std::uint64_t expected, random_source& random);

  void add(const account_id& account, const chunk_sid& sid);
  bool may_have(const account_id& account, const chunk_sid& sid) const;
  std::uint64_t bytes() const { return words_.size() * sizeof(std::uint64_t); }

 private:
  static constexpr int probes = 7;  // the best for ten bits an entry: 10 ln 2

  template <class Visit>
  bool visit(const account_id& account, const chunk_sid& sid, Visit each) const;

  std::array<std::uint64_t, 2> key_{};
  std::vector<std::uint64_t> words_;
};

}  // namespace obsync::store
