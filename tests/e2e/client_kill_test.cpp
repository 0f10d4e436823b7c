// obsync killed in the middle of a transfer, at points counted in bytes: what is whole stays, what is not is
// under no real name, and going on costs less than a chunk.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "client/format/chunker.hpp"
#include "core/random.hpp"
#include "tests/e2e/counting_relay.hpp"
#include "tests/e2e/device.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/server_process.hpp"

namespace obsync::test {
namespace {

using way = counting_relay::way;

constexpr std::size_t big_bytes = 40u << 20;
constexpr int notes = 50;
// Requests, answers and manifests of one process, roughly: nothing beside a chunk.
constexpr std::uint64_t talk_bytes_max = 128u << 10;
const std::string nothing_done = "0 sent, 0 received, 0 deleted there, 0 deleted here";

std::uint64_t largest_chunk_of(const std::string& content) {
  client::chunker cuts(content.size());
  byte_view left(reinterpret_cast<const std::uint8_t*>(content.data()), content.size());
  std::uint64_t largest = 0;
  std::uint64_t length = 0;
  while (!left.empty()) {
    const auto step = cuts.feed(left);
    left = left.subspan(step.taken);
    length += step.taken;
    largest = std::max(largest, length);
    if (step.chunk_ends) length = 0;
  }
  return largest;
}

class ClientKill : public testing::TestWithParam<std::uint64_t> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(server_.start());
    relay_ = std::make_unique<counting_relay>(server_.port());
    const finished made = a_.init(relay_->url(), server_.setup_token());
    ASSERT_EQ(made.status, 0) << made.output;
    ASSERT_NO_FATAL_FAILURE(a_.pair(b_, relay_->url()));
    big_.resize(big_bytes);
    random_.fill({reinterpret_cast<std::uint8_t*>(big_.data()), big_.size()});
    a_.write("big.bin", big_);
    for (int i = 0; i < notes; ++i)
      a_.write("note " + std::to_string(i) + ".md", "the text of note " + std::to_string(i) + "\n");
  }

  // Anything at all a device shows must be whole.
  void expect_nothing_torn(const device& one) {
    const file_tree all = a_.tree();
    for (const auto& [path, text] : one.tree()) {
      const auto whole = all.find(path);
      ASSERT_NE(whole, all.end()) << path << " is nobody's file";
      EXPECT_TRUE(whole->second == text) << path << " is torn: " << text.size() << " bytes";
    }
  }

  // Points in the talk before the first chunk, among the notes, and deep in the large file. Together they are
  // less than there is to move, so that every kill finds its transfer unfinished.
  std::uint64_t next_point(int kill) {
    const std::uint64_t range = kill % 3 == 0 ? 32u << 10 : 9u << 20;
    return 1 + random_.next() % range;
  }

  // Starts `one`'s sync and kills it when `bytes` more have passed.
  void kill_after(const device& one, way which, std::uint64_t bytes) {
    relay_->hold_after(which, bytes);
    process running = one.start({"sync", one.root()});
    ASSERT_TRUE(eventually([&] { return relay_->holding() || !running.running(); }));
    ASSERT_TRUE(running.running()) << "it ended before the kill: " << running.output();
    running.kill();
    relay_->release();
    ASSERT_TRUE(relay_->wait_until_drained());
  }

  static constexpr int kills = 6;

  scratch_folder scratch_;
  server_process server_{scratch_.path()};
  std::unique_ptr<counting_relay> relay_;
  device a_{scratch_.path(), "a"};
  device b_{scratch_.path(), "b"};
  seeded_random random_{GetParam()};
  std::string big_;
};

TEST_P(ClientKill, AnUploadKilledSixTimesSendsLessThanAChunkAgainEachTimeAndEndsWhole) {
  const std::uint64_t before = relay_->count(way::to_server);
  for (int kill = 0; kill < kills; ++kill) {
    ASSERT_NO_FATAL_FAILURE(kill_after(a_, way::to_server, next_point(kill)));
  }
  a_.sync();
  const std::uint64_t sent = relay_->count(way::to_server) - before;
  EXPECT_LT(sent, big_bytes + kills * largest_chunk_of(big_) + (kills + 1) * talk_bytes_max);
  b_.sync();
  EXPECT_EQ(difference(a_.tree(), b_.tree()), "");
  EXPECT_EQ(b_.tree().size(), notes + 1u);
  EXPECT_NE(a_.sync().find(nothing_done), std::string::npos);
}

TEST_P(ClientKill, WhatAHalfDoneUploadPublishedIsWholeOnTheOtherDevice) {
  for (int kill = 0; kill < kills; ++kill) {
    ASSERT_NO_FATAL_FAILURE(kill_after(a_, way::to_server, next_point(kill)));
    b_.sync();
    expect_nothing_torn(b_);
  }
  a_.sync();
  b_.sync();
  EXPECT_EQ(difference(a_.tree(), b_.tree()), "");
}

TEST_P(ClientKill, ADownloadKilledSixTimesShowsNothingTornAndFetchesLessThanAChunkAgainEachTime) {
  a_.sync();
  const std::uint64_t before = relay_->count(way::to_client);
  for (int kill = 0; kill < kills; ++kill) {
    ASSERT_NO_FATAL_FAILURE(kill_after(b_, way::to_client, next_point(kill)));
    expect_nothing_torn(b_);
  }
  b_.sync();
  const std::uint64_t received = relay_->count(way::to_client) - before;
  EXPECT_LT(received, big_bytes + kills * largest_chunk_of(big_) + (kills + 1) * talk_bytes_max);
  EXPECT_EQ(difference(a_.tree(), b_.tree()), "");
  EXPECT_NE(a_.sync().find(nothing_done), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Seeds, ClientKill, testing::Values(1, 2));

}  // namespace
}  // namespace obsync::test
