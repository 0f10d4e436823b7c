// Randomness as a dependency: the kernel's in production, a seeded one in tests.
#pragma once

#include <cstdint>
#include <span>

namespace obsync {

class random_source {
 public:
  virtual ~random_source() = default;
  // Fills all of `out`; aborts the process when the system has no randomness, for no answer would be safe.
  // Any thread.
  virtual void fill(std::span<std::uint8_t> out) = 0;
};

// getrandom(2).
class system_random final : public random_source {
 public:
  void fill(std::span<std::uint8_t> out) override;
};

// Repeatable, and of no cryptographic worth: tests only. Not for several threads at once.
class seeded_random final : public random_source {
 public:
  explicit seeded_random(std::uint64_t seed) : state_(seed) {}
  void fill(std::span<std::uint8_t> out) override;
  std::uint64_t next();

 private:
  std::uint64_t state_;
};

template <class Id>
Id random_id(random_source& source) {
  Id out;
  source.fill(out.raw);
  return out;
}

}  // namespace obsync
