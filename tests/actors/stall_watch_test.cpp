#include "actors/stall_watch.hpp"

#include <gtest/gtest.h>

#include <caf/send.hpp>

#include "actors/spawn.hpp"
#include "core/log.hpp"
#include "tests/actors/actor_world.hpp"

namespace obsync::actors {
namespace {

using namespace std::chrono_literals;

const stall_watch::time_point start{1h};

TEST(StallWatch, AHandlerUnderFiftyMillisecondsIsNoStall) {
  stall_watch watch;
  EXPECT_FALSE(watch.note(start, start + 49ms));
  const auto told = watch.note(start, start + 50ms);
  ASSERT_TRUE(told);
  EXPECT_EQ(told->took, 50ms);
  EXPECT_EQ(told->count, 1);
}

TEST(StallWatch, TellsAtMostOnceAMinuteAndCountsWhatItDidNotTell) {
  stall_watch watch;
  ASSERT_TRUE(watch.note(start, start + 60ms));
  EXPECT_FALSE(watch.note(start + 1s, start + 1s + 900ms));
  EXPECT_FALSE(watch.note(start + 59s, start + 59s + 70ms));
  const auto told = watch.note(start + 70s, start + 70s + 80ms);
  ASSERT_TRUE(told);
  EXPECT_EQ(told->took, 80ms);
  EXPECT_EQ(told->count, 3);
  EXPECT_EQ(told->worst, 900ms);
}

struct busy_state {
  static inline const char* name = "busy";
};

class TimedActor : public actor_world {
 protected:
  void TearDown() override { log::set_sink({}); }
};

TEST_F(TimedActor, IsNamedWithTheTypeOfTheMessageThatKeptItsThread) {
  std::string logged;
  log::set_sink([&](std::string_view line) { logged += line; });
  const caf::actor busy = keep(system_->spawn([](timed<busy_state>* self) -> caf::behavior {
    log_unexpected(self, busy_state::name);
    return {[](const std::string&) {
      const auto begun = std::chrono::steady_clock::now();
      while (std::chrono::steady_clock::now() - begun < stall_watch::shortest) {
      }
    }};
  }));
  caf::anon_send(busy, std::string("a secret"));
  run();
  EXPECT_NE(logged.find("event=stall actor=busy"), std::string::npos) << logged;
  EXPECT_EQ(logged.find("secret"), std::string::npos) << logged;
}

}  // namespace
}  // namespace obsync::actors
