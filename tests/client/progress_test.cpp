#include "client/command/progress.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace obsync::client {
namespace {

class ProgressTest : public ::testing::TestWithParam<bool> {
 protected:
  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  console io{{in, out, err}, GetParam(), false};
  manual_clock time{1'000'000};
  console_progress progress{io, time};
};

TEST_P(ProgressTest, SaysNothingForTwoSecondsThenWhatIsDoneAndLeft) {
  progress.planned(10, 100u << 20);
  time.advance_ms(1'999);
  progress.moved(10u << 20);
  EXPECT_EQ(out.str(), "");
  time.advance_ms(8'001);
  progress.finished_file("a.md");
  EXPECT_EQ(out.str(), std::string("1 of 10 files, 10.0 MiB of 100.0 MiB, 1.0 MiB/s, 1 min 30 s left") +
                           (GetParam() ? "" : "\n"));
}

TEST_P(ProgressTest, DoesNotPrintMoreOftenThanSomebodyReads) {
  progress.planned(100, 100);
  time.advance_ms(3'000);
  for (int i = 0; i < 50; ++i) progress.moved(1);
  const std::string text = out.str();
  EXPECT_EQ(text.find("of 100 files"), text.rfind("of 100 files"));
}

TEST_P(ProgressTest, ANoteIsAWholeLine) {
  progress.note("kept both");
  EXPECT_EQ(out.str(), "kept both\n");
}

INSTANTIATE_TEST_SUITE_P(Terminals, ProgressTest, ::testing::Bool());

TEST(Texts, Durations) {
  EXPECT_EQ(duration_text(59), "59 s");
  EXPECT_EQ(duration_text(3'700), "1 h 1 min");
}

}  // namespace
}  // namespace obsync::client
