// What a server acknowledged is there after SIGKILL, and what it accepted once it never accepts again.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/e2e/raw_device.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::test {
namespace {

// Writes notes as fast as the server takes them, until told to stop or the server is gone; keeps what was
// acknowledged.
class writer {
 public:
  writer(const server_process& server, const client::credential& who, std::uint64_t seed)
      : device_(server, who), random_(seed) {}

  void run(const std::atomic<bool>& stop) {
    for (int i = 0; !stop; ++i) {
      const bool large = i % 10 == 9;
      const made_note note = make_note(random_, large ? 200'000 : 2'048);
      if (!device_.server().put_chunk(note.sid, note.sealed)) return;
      chunks_.push_back(note);
      if (!device_.server().post_version(note.file, note.post)) return;
      versions_.push_back(note);
    }
  }

  std::vector<made_note> chunks_;    // acknowledged
  std::vector<made_note> versions_;  // acknowledged

 private:
  raw_device device_;
  seeded_random random_;
};

void expect_readable(raw_device& device, const made_note& note, bool with_version) {
  const auto chunk = device.server().get_chunk(note.sid);
  ASSERT_TRUE(chunk.ok()) << "an acknowledged chunk is gone: " << chunk.error().detail;
  EXPECT_EQ(*chunk, note.sealed);
  if (!with_version) return;
  const auto version = device.server().version(note.file, note.post.id);
  ASSERT_TRUE(version.ok()) << "an acknowledged version is gone: " << version.error().detail;
  EXPECT_EQ(version->manifest_ct, note.post.manifest_ct);
  EXPECT_EQ(version->sids, note.post.sids);
}

TEST(ServerKill, LosesNothingAcknowledgedOverThirtyKillsUnderFourWriters) {
  scratch_folder scratch;
  server_process server(scratch.path());
  ASSERT_TRUE(server.start());
  client::credential who;
  {
    raw_device first(server, "family");
    ASSERT_TRUE(first.ok());
    who = first.who();
  }
  std::vector<made_note> chunks;
  std::vector<made_note> versions;
  seeded_random when(30);
  for (int kill = 0; kill < 30; ++kill) {
    std::atomic<bool> stop{false};
    std::vector<std::unique_ptr<writer>> writers;
    for (std::uint64_t i = 0; i < 4; ++i)
      writers.push_back(std::make_unique<writer>(server, who, static_cast<std::uint64_t>(kill) * 4 + i));
    std::vector<std::thread> threads;
    for (auto& one : writers) threads.emplace_back([&stop, &one] { one->run(stop); });
    // The moment of the kill is the point of this test, not a way to wait for something.
    std::this_thread::sleep_for(std::chrono::milliseconds(50 + when.next() % 250));
    server.kill();
    stop = true;
    for (std::thread& one : threads) one.join();
    ASSERT_TRUE(server.start()) << "after kill " << kill;
    raw_device reader(server, who);
    for (const auto& one : writers) {
      for (const made_note& note : one->versions_) expect_readable(reader, note, true);
      chunks.insert(chunks.end(), one->chunks_.begin(), one->chunks_.end());
      versions.insert(versions.end(), one->versions_.begin(), one->versions_.end());
    }
  }
  EXPECT_GT(versions.size(), 100u) << "the writers hardly wrote";
  raw_device reader(server, who);
  for (const made_note& note : chunks) expect_readable(reader, note, false);
  for (const made_note& note : versions) expect_readable(reader, note, true);
}

class Replay : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(server_.start());
    device_ = std::make_unique<raw_device>(server_, "family");
    ASSERT_TRUE(device_->ok());
    seeded_random random(1);
    for (int i = 0; i < 20; ++i) {
      const made_note note = make_note(random, i == 0 ? 100'000 : 2'048);
      ASSERT_TRUE(device_->server().put_chunk(note.sid, note.sealed));
      ASSERT_TRUE(device_->server().post_version(note.file, note.post));
      ASSERT_TRUE(device_->server().account());
      ASSERT_TRUE(device_->server().changes(0, 0, 10));
    }
  }

  void expect_none_accepted() {
    // A connection of its own: the old one ended with the old server.
    raw_device again(server_, device_->who());
    for (const recorded_request& one : device_->recorded()) {
      const auto [status, body] = again.replay(one);
      EXPECT_EQ(status, 401) << one.request.method << " " << one.request.target << ": " << body;
    }
    EXPECT_TRUE(again.server().account()) << "an honest request must pass";
  }

  scratch_folder scratch_;
  server_process server_{scratch_.path()};
  std::unique_ptr<raw_device> device_;
};

TEST_F(Replay, NothingRecordedIsAcceptedAgainWhileTheServerLives) {
  expect_none_accepted();
}

TEST_F(Replay, NothingRecordedIsAcceptedAgainAfterAKill) {
  server_.kill();
  ASSERT_TRUE(server_.start());
  expect_none_accepted();
}

TEST_F(Replay, NothingRecordedIsAcceptedAgainAfterACleanStop) {
  ASSERT_EQ(server_.stop(), 0);
  ASSERT_TRUE(server_.start());
  expect_none_accepted();
}

}  // namespace
}  // namespace obsync::test
