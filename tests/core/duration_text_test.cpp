#include "core/duration_text.hpp"

#include <gtest/gtest.h>

namespace obsync {
namespace {

using std::chrono::milliseconds;

TEST(DurationText, ReadsEveryUnit) {
  EXPECT_EQ(parse_duration("50ms"), milliseconds(50));
  EXPECT_EQ(parse_duration("30s"), milliseconds(30'000));
  EXPECT_EQ(parse_duration("5min"), milliseconds(300'000));
  EXPECT_EQ(parse_duration("2h"), milliseconds(7'200'000));
  EXPECT_EQ(parse_duration("7d"), milliseconds(604'800'000));
  EXPECT_EQ(parse_duration("0s"), milliseconds(0));
}

TEST(DurationText, RefusesABareNumberAndEveryOtherSpelling) {
  for (const char* text : {"", "5", "5m", "5 s", " 5s", "-5s", "1.5h", "5S", "5sec", "s", "5s5", "1w"}) {
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
  }
}

TEST(DurationText, RefusesMoreThanAHundredYears) {
  EXPECT_TRUE(parse_duration("36525d"));
  EXPECT_EQ(parse_duration("36526d"), std::nullopt);
  EXPECT_EQ(parse_duration("9223372036854775807d"), std::nullopt);
  EXPECT_EQ(parse_duration("9223372036854775808ms"), std::nullopt);
}

TEST(DurationText, PrintsTheLargestUnitThatIsExact) {
  EXPECT_EQ(duration_text(milliseconds(0)), "0s");
  EXPECT_EQ(duration_text(milliseconds(50)), "50ms");
  EXPECT_EQ(duration_text(milliseconds(60'000)), "1min");
  EXPECT_EQ(duration_text(milliseconds(90'000)), "90s");
  EXPECT_EQ(duration_text(milliseconds(604'800'000)), "7d");
}

}  // namespace
}  // namespace obsync
