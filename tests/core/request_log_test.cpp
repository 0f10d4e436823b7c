#include "core/request_log.hpp"

#include <gtest/gtest.h>

namespace obsync {
namespace {

account_id account_of(std::uint8_t number) {
  account_id out;
  out.raw[0] = number;
  return out;
}

class RequestLog : public testing::Test {
 protected:
  void SetUp() override {
    log::set_sink([this](std::string_view line) { written_.emplace_back(line); });
  }
  void TearDown() override { log::set_sink({}); }

  void proved(const account_id& account, const std::string& device, std::string decision = "ok") {
    request_line line{0, "GET", "/v1/account", device, 200, 1, 2, std::move(decision)};
    line.proved = true;
    line.account = account;
    log_.add(std::move(line), log::level::info);
  }
  void stranger(std::string decision = "bad_signature", int code = 401) {
    log_.add({0, "GET", "/v1/account", "", code, 1, 2, std::move(decision)}, log::level::warn);
  }
  std::vector<std::string> decisions(const request_log_view& view) const {
    std::vector<std::string> out;
    for (const request_line& line : log_.newest(view)) out.push_back(line.decision);
    return out;
  }
  std::size_t count_written(const std::string& text) const {
    std::size_t count = 0;
    for (const std::string& line : written_) count += line.find(text) != std::string::npos ? 1 : 0;
    return count;
  }

  static request_log_view of(std::uint8_t account, bool shows_nobodys = false, std::string prefix = {},
                             std::size_t lines_max = 100) {
    return {account_of(account), shows_nobodys, std::move(prefix), lines_max};
  }

  std::vector<std::string> written_;
  std::shared_ptr<manual_clock> time_ = std::make_shared<manual_clock>(1'000'000);
  request_log log_{time_, {5, 3, {10'000, 2, 16}}};
};

TEST_F(RequestLog, WritesOneLineWithTheFieldsOfTheProtocolAndTheFirstEightDigits) {
  proved(account_of(1), "00112233445566778899aabbccddeeff");
  ASSERT_EQ(written_.size(), 1u);
  EXPECT_NE(written_[0].find(" level=info event=request method=GET path_class=/v1/account device=00112233 "
                             "status=200 bytes=1 duration_ms=2 decision=ok"),
            std::string::npos)
      << written_[0];
}

TEST_F(RequestLog, AnAccountSeesItsOwnLinesAndOnlyThem) {
  proved(account_of(1), "aa", "mine");
  proved(account_of(2), "bb", "theirs");
  stranger();
  EXPECT_EQ(decisions(of(1)), (std::vector<std::string>{"mine"}));
  EXPECT_EQ(decisions(of(1, true)), (std::vector<std::string>{"bad_signature", "mine"}));
  EXPECT_EQ(decisions({}), std::vector<std::string>{});
}

TEST_F(RequestLog, NoiseOfStrangersDoesNotPushOutWhatWasProved) {
  proved(account_of(1), "aa", "kept");
  for (int i = 0; i < 1000; ++i) stranger(std::to_string(i));
  const auto seen = decisions(of(1, true));
  EXPECT_EQ(seen.size(), 4u) << "three of strangers and the one that was proved";
  EXPECT_EQ(seen.back(), "kept");
}

TEST_F(RequestLog, TheOldestProvedLineGoesFirst) {
  for (int i = 0; i < 7; ++i) proved(account_of(1), "aa", std::to_string(i));
  EXPECT_EQ(decisions(of(1)), (std::vector<std::string>{"6", "5", "4", "3", "2"}));
}

TEST_F(RequestLog, FiltersByDeviceAndStopsAtTheLimit) {
  proved(account_of(1), "aabb", "first");
  proved(account_of(1), "aacc", "second");
  proved(account_of(1), "dd", "third");
  EXPECT_EQ(decisions(of(1, false, "aa")), (std::vector<std::string>{"second", "first"}));
  EXPECT_EQ(decisions(of(1, false, "", 1)), (std::vector<std::string>{"third"}));
}

TEST_F(RequestLog, AFloodOfRefusalsIsAFewLinesAndOneSum) {
  for (int i = 0; i < 100'000; ++i) stranger();
  EXPECT_EQ(written_.size(), 2u);
  EXPECT_TRUE(log_.close_windows()) << "the sum is told only when its window is over";
  EXPECT_EQ(written_.size(), 2u);
  time_->advance_ms(10'000);
  EXPECT_FALSE(log_.close_windows());
  ASSERT_EQ(written_.size(), 3u);
  EXPECT_NE(written_[2].find("event=request_repeated of=request path_class=/v1/account status=401 "
                             "decision=bad_signature count=99998 window_ms=10000"),
            std::string::npos)
      << written_[2];
}

TEST_F(RequestLog, TheNextLineTellsASumThatNobodyAskedFor) {
  for (int i = 0; i < 5; ++i) stranger();
  time_->advance_ms(60'000);
  proved(account_of(1), "aa");
  EXPECT_EQ(count_written("event=request_repeated"), 1u);
}

TEST_F(RequestLog, WhatProvedACredentialIsNeverSummed) {
  for (int i = 0; i < 50; ++i) proved(account_of(1), "aa");
  EXPECT_EQ(count_written("event=request "), 50u);
}

TEST_F(RequestLog, OtherEventsOfStrangersAreSummedToo) {
  for (int i = 0; i < 50; ++i) log_.note(log::level::warn, "http_refused", "parser_refusal", 400);
  EXPECT_EQ(count_written("event=http_refused decision=parser_refusal status=400"), 2u);
}

TEST(RequestLogEnd, TellsWhatIsStillSummed) {
  std::vector<std::string> written;
  log::set_sink([&](std::string_view line) { written.emplace_back(line); });
  {
    request_log made(std::make_shared<manual_clock>(1), {5, 3, {10'000, 1, 16}});
    for (int i = 0; i < 3; ++i) made.note(log::level::warn, "http_refused", "parser_refusal", 400);
  }
  log::set_sink({});
  ASSERT_EQ(written.size(), 2u);
  EXPECT_NE(written[1].find("count=2"), std::string::npos);
}

}  // namespace
}  // namespace obsync
