// One seed, one life of a server: devices of two accounts write, read, poll, vanish and replay; time passes,
// garbage is collected, every chunk is scrubbed; the disk fills up, fails, loses power in the middle of a
// flush. After each restart everything that was acknowledged is looked for.
//
// TEST_SEED=n runs that one and prints its trace; TEST_SEEDS=n runs so many (200).
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "core/log.hpp"
#include "tests/sim/sim_world.hpp"

namespace obsync::test {
namespace {

std::uint64_t number_of(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

TEST(Simulation, WhateverHappensNothingAcknowledgedIsLost) {
  log::set_level(log::level::error);
  sim_probes reached;
  const std::uint64_t seeds = number_of("TEST_SEEDS", 200);
  const char* const one = std::getenv("TEST_SEED");
  const std::uint64_t first = one == nullptr ? 1 : number_of("TEST_SEED", 1);
  for (std::uint64_t seed = first; seed < first + (one == nullptr ? seeds : 1); ++seed) {
    sim_world world(seed, reached, one != nullptr);
    const std::string wrong = world.live();
    ASSERT_EQ(wrong, "") << "TEST_SEED=" << seed << " shows it again; it was step " << world.steps();
  }
  for (const auto& [what, times] : reached) std::cout << times << " x " << what << "\n";
  if (one != nullptr || seeds < 200) return;
  for (const char* const what :
       {"a large chunk was stored", "a conflict was made", "a batch was answered", "a poll brought changes",
        "a chunk was fetched", "a replayed request was refused",
        "a device vanished in the middle of an upload", "a full disk was answered with 507",
        "the power went in the middle of an operation", "the power went", "a clean stop",
        "an operation failed", "the server faulted and was restarted", "a version was pruned",
        "a chunk was collected", "an unanswered version had been stored", "an unanswered version was lost"})
    EXPECT_GT(reached[what], 0u) << what << ": never reached";
}

TEST(Simulation, TheSameSeedIsTheSameLife) {
  log::set_level(log::level::error);
  for (const std::uint64_t seed : {7u, 8u, 9u}) {
    sim_probes ignored;
    sim_world one(seed, ignored, false);
    EXPECT_EQ(one.live(), "");
    const std::uint64_t trace = one.trace();
    sim_probes again;
    // Only one world at a time: the first is over before the second begins.
    one.end();
    sim_world other(seed, again, false);
    EXPECT_EQ(other.live(), "");
    EXPECT_EQ(other.trace(), trace) << seed;
  }
}

}  // namespace
}  // namespace obsync::test
