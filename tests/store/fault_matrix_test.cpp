// The life of a store as one scenario: upgraded, written, collected, scrubbed, backed up, on a disk of which
// operation n fails, or with which everything ends. Then the power is cut, what was not flushed is dropped or
// torn, and what was acknowledged is looked for.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "tests/store/fault_world.hpp"

namespace obsync::store {
namespace {

enum class ending { read_or_write_error, full, dead };

struct plan {
  ending how;
  test::cut cut;
};

std::string name_of(const plan& of) {
  const std::string how = of.how == ending::dead ? "Dead" : of.how == ending::full ? "Full" : "Error";
  return how + (of.cut == test::cut::drop ? "Dropped" : "Torn");
}

// Every point by hand: TEST_EVERY_POINT=1; a single one: TEST_POINT=n. Otherwise some, others in each plan.
std::uint64_t stride() {
  return std::getenv("TEST_EVERY_POINT") != nullptr ? 1 : 29;
}

void live(fault_world& of) {
  if (!of.open()) return;
  const stored_chunk first = chunk_of(1, 2'000), second = chunk_of(2, 3'000), large = chunk_of(3, 150'000),
                     other = chunk_of(4, 90'000);
  of.put_small(first) && of.post(11, 101, {}, {first.sid});
  of.put_small(second) && of.post(11, 102, {101}, {second.sid});
  of.put_large(large) && of.post(12, 103, {}, {large.sid});
  of.post(13, 104, {}, {});
  of.post(13, 105, {104}, {}, true);
  of.back_up(0);
  // The fixture has two versions, so the first of ours is number 3.
  if (of.promised().versions.size() >= 2) of.collect(11, 101, 3, first);
  of.rot(large, "/b");
  of.scrub(large);
  if (of.put_large(other) && of.post(14, 106, {}, {other.sid})) {
    of.back_up(1);
    of.rot(other, "/b");
    of.rot(other, "/m");
    of.scrub(other);
    of.quarantine(other);
  }
  of.close();
}

class FaultMatrix : public testing::TestWithParam<plan> {};

// False when the scenario was over before operation `n`.
bool survives(std::uint64_t n, const plan& of) {
  fault_world world(n + 1);
  world.make_old_store();
  if (of.how == ending::dead) {
    world.files().die_at(n);
  } else {
    world.files().fail_at(n, of.how == ending::full ? errc::no_space : errc::io_failed);
  }
  live(world);
  const bool reached = world.files().fault_was_reached();
  world.close();
  world.files().power_cut(of.cut);
  world.expect_promises_kept(of.how != ending::read_or_write_error);
  return reached;
}

TEST_P(FaultMatrix, WhateverFailsNothingAcknowledgedIsLostAndNothingHalfIsSeen) {
  std::uint64_t n =
      static_cast<std::uint64_t>(GetParam().how) + 3 * static_cast<std::uint64_t>(GetParam().cut);
  std::uint64_t points = 0;
  if (std::getenv("TEST_EVERY_POINT") != nullptr) n = 0;
  if (const char* const one = std::getenv("TEST_POINT")) {  // to look at one again
    survives(std::strtoull(one, nullptr, 10), GetParam());
    return;
  }
  while (survives(n, GetParam())) {
    ASSERT_FALSE(HasFailure()) << "operation " << n;
    n += stride();
    ++points;
  }
  EXPECT_GT(n, 2'000u) << "so many operations there are";
  std::cout << points << " points of failure tried, of " << n << "\n";
}

// A matrix in which nothing is ever acknowledged would prove nothing.
TEST(FaultMatrix, WithoutAFaultEverythingIsAcknowledged) {
  fault_world world(1);
  world.make_old_store();
  live(world);
  EXPECT_EQ(world.promised().chunks.size(), 4u);
  EXPECT_EQ(world.promised().versions.size(), 6u);
  EXPECT_EQ(world.promised().backups.size(), 2u);
  world.files().power_cut(test::cut::drop);
  world.expect_promises_kept(true);
}

INSTANTIATE_TEST_SUITE_P(Each, FaultMatrix,
                         testing::Values(plan{ending::read_or_write_error, test::cut::drop},
                                         plan{ending::read_or_write_error, test::cut::tear},
                                         plan{ending::full, test::cut::drop},
                                         plan{ending::full, test::cut::tear},
                                         plan{ending::dead, test::cut::drop},
                                         plan{ending::dead, test::cut::tear}),
                         [](const auto& of) { return name_of(of.param); });

}  // namespace
}  // namespace obsync::store
