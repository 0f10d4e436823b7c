// SIGKILL in the middle of everything a server does by itself: collection, scrub, backup, under writers.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "tests/e2e/raw_device.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::test {
namespace {

// Names what it sends, and leaves some of it unnamed for the collector.
class careless_writer {
 public:
  careless_writer(const server_process& server, const client::credential& who, std::uint64_t seed)
      : device_(server, who), random_(seed) {}

  // Until told to stop or the server is gone.
  void run(const std::atomic<bool>& stop) {
    for (int i = 0; !stop; ++i) {
      const made_note note = make_note(random_, i % 7 == 6 ? 150'000 : 2'048);
      if (!device_.server().put_chunk(note.sid, note.sealed)) return;
      if (i % 3 == 2) continue;
      auto posted = device_.server().post_version(note.file, note.post);
      for (int attempt = 0; attempt < 5 && !posted; ++attempt) {
        if (!device_.server().put_chunk(note.sid, note.sealed)) return;
        posted = device_.server().post_version(note.file, note.post);
      }
      if (!posted) return;
      acknowledged.push_back(note);
    }
  }

  std::vector<made_note> acknowledged;

 private:
  raw_device device_;
  seeded_random random_;
};

class UpkeepKill : public testing::Test {
 protected:
  finished beside(std::vector<std::string> words) const {
    words.push_back("--store.blobs_dir=" + scratch_.path() + "/blobs");
    return server_.operate(words);
  }

  // Four writers, a collection, a scrub and a backup; then the kill.
  void work_and_kill(std::uint64_t round, std::vector<made_note>& acknowledged) {
    std::atomic<bool> stop{false};
    std::vector<std::unique_ptr<careless_writer>> writers;
    for (std::uint64_t i = 0; i < 4; ++i)
      writers.push_back(std::make_unique<careless_writer>(server_, who_, 100 * round + i));
    std::vector<std::thread> threads;
    for (auto& one : writers) threads.emplace_back([&stop, &one] { one->run(stop); });
    server_.operate({"gc", "run"});
    server_.operate({"scrub", "run"});
    const std::string folder = scratch_.path() + "/backup";
    process backup(std::string(OBSYNC_BINARY_DIR) + "/obsyncd",
                   {"backup", "create", folder, "--store.journal_dir=" + scratch_.path() + "/journal",
                    "--store.blobs_dir=" + scratch_.path() + "/blobs"},
                   scratch_ / "backup.log");
    // The moment of the kill is the point of this test, not a way to wait for something.
    std::this_thread::sleep_for(std::chrono::milliseconds(30 + when_.next() % 200));
    server_.kill();
    if (when_.next() % 2 == 0) backup.kill();
    backup.wait();
    stop = true;
    for (std::thread& one : threads) one.join();
    for (const auto& one : writers)
      acknowledged.insert(acknowledged.end(), one->acknowledged.begin(), one->acknowledged.end());
  }

  void expect_all(const std::vector<made_note>& acknowledged) {
    raw_device reader(server_, who_);
    for (const made_note& note : acknowledged) {
      const auto chunk = reader.server().get_chunk(note.sid);
      ASSERT_TRUE(chunk.ok()) << chunk.error().detail;
      ASSERT_EQ(*chunk, note.sealed);
      ASSERT_TRUE(reader.server().version(note.file, note.post.id).ok());
    }
  }

  scratch_folder scratch_;
  server_process server_{scratch_.path(),
                         {"--gc.grace=0ms", "--scrub.rate=1TiB/s", "--session.nonces_per_device=1000000",
                          "--session.nonces_total=1000000"}};
  client::credential who_;
  seeded_random when_{7};
};

// By hand for longer: TEST_KILLS=100.
TEST_F(UpkeepKill, LosesNothingThatAnAcknowledgedVersionNames) {
  ASSERT_TRUE(server_.start());
  {
    raw_device first(server_, "family");
    ASSERT_TRUE(first.ok());
    who_ = first.who();
  }
  const char* asked = std::getenv("TEST_KILLS");
  const int kills = asked != nullptr ? std::atoi(asked) : 8;
  std::vector<made_note> acknowledged;
  for (int kill = 0; kill < kills; ++kill) {
    std::vector<made_note> fresh;
    work_and_kill(static_cast<std::uint64_t>(kill), fresh);
    ASSERT_TRUE(server_.start()) << "after kill " << kill;
    expect_all(fresh);
    acknowledged.insert(acknowledged.end(), fresh.begin(), fresh.end());
  }
  EXPECT_GT(acknowledged.size(), 50u) << "the writers hardly wrote";
  expect_all(acknowledged);
  const finished checked = beside({"check", "--deep"});
  EXPECT_EQ(checked.status, 0) << checked.output;
  const finished made = beside({"backup", "create", scratch_.path() + "/backup"});
  EXPECT_EQ(made.status, 0) << made.output;
  const finished verified = beside({"backup", "verify", scratch_.path() + "/backup"});
  EXPECT_EQ(verified.status, 0) << verified.output;
  std::cout << kills << " kills, " << acknowledged.size() << " versions acknowledged\n";
}

}  // namespace
}  // namespace obsync::test
