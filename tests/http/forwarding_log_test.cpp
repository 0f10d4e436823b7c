#include "http/forwarding_log.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/log.hpp"

namespace obsync::http {
namespace {

class ForwardingLog : public testing::Test {
 protected:
  ForwardingLog() {
    log::set_sink(
        [this](std::string_view line) { said_ += std::string(line.substr(line.find("event="))) + "\n"; });
  }
  ~ForwardingLog() override { log::set_sink({}); }

  std::string said_;
  forwarding_log::time_point now_{std::chrono::hours(1)};
  forwarding_log log_;
};

TEST_F(ForwardingLog, SaysNothingOfWhatIsInOrder) {
  log_.note({"192.0.2.1"}, now_);
  EXPECT_EQ(said_, "");
}

TEST_F(ForwardingLog, SaysEachOddityOnceAMinuteAndHowOftenItCame) {
  client_address forged{"192.0.2.1"};
  forged.ignored = true;
  for (int i = 0; i < 5; ++i) log_.note(forged, now_);
  EXPECT_EQ(said_, "event=forwarded_headers decision=ignored count=1\n");
  said_.clear();
  log_.note(forged, now_ + std::chrono::seconds(60));
  EXPECT_EQ(said_, "event=forwarded_headers decision=ignored count=5\n");
}

TEST_F(ForwardingLog, OneOdditySilencesNoOther) {
  client_address torn{"127.0.0.1"};
  torn.joined = true;
  log_.note(torn, now_);
  torn.disagree = true;
  log_.note(torn, now_);
  EXPECT_EQ(said_,
            "event=forwarded_headers decision=joined count=1\nevent=forwarded_headers_disagree count=1\n");
}

}  // namespace
}  // namespace obsync::http
