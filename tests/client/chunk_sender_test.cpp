#include "client/sync/chunk_sender.hpp"

#include <gtest/gtest.h>

#include <latch>

#include "crypto/digest.hpp"
#include "tests/support/memory_remote.hpp"
#include "wire/limits.hpp"

namespace obsync::client {
namespace {

using namespace testing;

// A session that has a server and nothing else.
class ChunkSender : public ::testing::Test {
 protected:
  // A chunk of `size` bytes of its own.
  sealed_chunk make(std::size_t size) {
    sealed_chunk out;
    out.ciphertext = bytes(size, ++made_);
    out.sid.raw = crypto::sha256(out.ciphertext).raw;
    return out;
  }
  std::size_t stored() {
    const std::lock_guard lock(server_.mutex);
    return server_.state.chunks.size();
  }

  memory_server server_;
  memory_remote remote_{server_, device_id{{1}}};
  system_clock time_;
  seeded_random random_{1};
  sync_session session_{{}, {}, remote_, time_, random_};
  chunk_knowledge there_;
  std::uint8_t made_ = 0;
};

TEST_F(ChunkSender, FinishesWhenTheServerHasEveryChunk) {
  chunk_sender sender(session_, there_);
  for (int i = 0; i < 9; ++i) ASSERT_TRUE(sender.send(make(1u << 20)).ok());
  ASSERT_TRUE(sender.finish().ok());
  EXPECT_EQ(stored(), 9u);
}

TEST_F(ChunkSender, HasNoMoreUnderWayThanOneChunkMayWeigh) {
  std::latch open(1);
  remote_.before = [&](const std::string& call) -> std::optional<remote_error> {
    if (call == "put_chunk") open.wait();
    return std::nullopt;
  };
  chunk_sender sender(session_, there_);
  std::atomic<int> taken = 0;
  std::thread handing([&] {
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(sender.send(make(3u << 20)).ok());
      if (i == 2) {
        EXPECT_GE(stored(), 1u) << "a third has no room beside two of three MiB";
      }
      ++taken;
    }
  });
  while (taken < 2) std::this_thread::yield();
  open.count_down();
  handing.join();
  EXPECT_TRUE(sender.finish().ok());
  EXPECT_EQ(stored(), 3u);
}

TEST_F(ChunkSender, SendsTwoSmallerOnesAtOnce) {
  std::latch both(2);
  remote_.before = [&](const std::string& call) -> std::optional<remote_error> {
    if (call == "put_chunk") both.arrive_and_wait();
    return std::nullopt;
  };
  chunk_sender sender(session_, there_);
  ASSERT_TRUE(sender.send(make(1u << 20)).ok());
  ASSERT_TRUE(sender.send(make(1u << 20)).ok());
  EXPECT_TRUE(sender.finish().ok());
}

TEST_F(ChunkSender, AFailureIsTheAnswerToAllThatComesAfter) {
  remote_.before = [&](const std::string& call) -> std::optional<remote_error> {
    if (call != "put_chunk") return std::nullopt;
    return remote_error{remote_error::kind::refused, wire::refusal::storage_full, "full", {}};
  };
  chunk_sender sender(session_, there_);
  static_cast<void>(sender.send(make(1u << 20)));
  const auto end = sender.finish();
  ASSERT_FALSE(end.ok());
  EXPECT_EQ(end.error().refusal, wire::refusal::storage_full);
  EXPECT_FALSE(sender.send(make(1u << 20)).ok());
}

TEST_F(ChunkSender, AsksBeforeItSendsALargeOneAndSkipsWhatIsThere) {
  const sealed_chunk there = make(2u << 20);
  ASSERT_TRUE(remote_.put_chunk(there.sid, there.ciphertext).ok());
  const std::uint64_t before = remote_.bytes_sent();
  chunk_sender sender(session_, there_);
  sealed_chunk again = there;
  ASSERT_TRUE(sender.send(std::move(again)).ok());
  ASSERT_TRUE(sender.finish().ok());
  EXPECT_EQ(remote_.bytes_sent(), before);
}

}  // namespace
}  // namespace obsync::client
