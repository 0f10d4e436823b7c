#include "actors/health.hpp"

#include <gtest/gtest.h>

namespace obsync::actors {
namespace {

TEST(Health, AStopHidesAFaultFromWhoeverAsksForReadinessAndFromNobodyElse) {
  health state;
  state.set_started();
  EXPECT_FALSE(state.is_faulted());
  state.fault("the disk failed");
  EXPECT_EQ(state.reason(), "the disk failed");
  state.set_stopping();
  EXPECT_EQ(state.reason(), "shutting down");
  EXPECT_TRUE(state.is_faulted()) << "such a stop is not a clean one";
}

}  // namespace
}  // namespace obsync::actors
