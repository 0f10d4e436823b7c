#include "client/command/moment.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

namespace obsync::client {
namespace {

TEST(Moment, ReadsRfc3339WithEveryOffset) {
  EXPECT_EQ(*parse_moment("1970-01-01T00:00:00Z"), 0);
  EXPECT_EQ(*parse_moment("2026-11-30T18:00:00Z"), 1'796'061'600'000);
  EXPECT_EQ(*parse_moment("2026-11-30T18:00:00+01:00"), 1'796'058'000'000);
  EXPECT_EQ(*parse_moment("2026-11-30t12:30:00.1239-05:30"), 1'796'061'600'123);
  EXPECT_EQ(*parse_moment("2026-11-30 18:00:00z"), 1'796'061'600'000);
}

TEST(Moment, ReadsADateAndAMinuteInTheZoneOfTheMachine) {
  const char* const zone = std::getenv("TZ");
  const std::string before = zone == nullptr ? "" : zone;
  ::setenv("TZ", "XYZ-2", 1);
  ::tzset();
  const auto day = parse_moment("2026-11-30");
  const auto minute = parse_moment("2026-11-30 18:00");
  zone == nullptr ? ::unsetenv("TZ") : ::setenv("TZ", before.c_str(), 1);
  ::tzset();
  EXPECT_EQ(*day, 1'795'989'600'000);
  EXPECT_EQ(*minute, 1'796'054'400'000);
}

TEST(Moment, RefusesWhatIsNoTime) {
  for (const char* text :
       {"", "yesterday", "2026", "2026-11", "2026-13-01", "2026-02-30", "2026-11-30T", "2026-11-30 24:00",
        "2026-11-30 18:60", "2026-11-30 18:00:00", "2026-11-30T18:00:61Z", "2026-11-30T18:00:00+1:00",
        "2026-11-30T18:00:00.Z", "2026-11-30T18:00:00+24:00", "2026-11-30 18:00Z", "-026-11-30",
        " 2026-11-30", "2026-11-30 "}) {
    EXPECT_FALSE(parse_moment(text)) << text;
  }
}

}  // namespace
}  // namespace obsync::client
