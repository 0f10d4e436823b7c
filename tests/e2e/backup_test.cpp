// Backup and restore of the real server, with real folders on both sides.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "tests/e2e/device.hpp"
#include "tests/e2e/raw_device.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::test {
namespace {

class Restore : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(server_.start());
    ASSERT_EQ(laptop_.init(server_.url(), server_.setup_token()).status, 0);
    laptop_.pair(phone_, server_.url());
  }

  finished backup(std::vector<std::string> words) const {
    words.insert(words.begin(), "backup");
    words.insert(words.begin() + 2, scratch_.path() + "/backup");
    words.push_back("--store.blobs_dir=" + scratch_.path() + "/blobs");
    return server_.operate(words);
  }
  void restore() {
    ASSERT_EQ(server_.stop(), 0);
    const finished done = backup({"restore", "--replace"});
    ASSERT_EQ(done.status, 0) << done.output;
    ASSERT_TRUE(server_.start());
  }
  void sync_all() {
    for (int round = 0; round < 2; ++round) {
      laptop_.sync();
      phone_.sync();
    }
  }

  scratch_folder scratch_;
  server_process server_{scratch_.path()};
  device laptop_{scratch_.path(), "laptop"};
  device phone_{scratch_.path(), "phone"};
};

TEST_F(Restore, NothingIsLostOfWhatEitherDeviceHasSinceTheBackup) {
  laptop_.write("old.md", "before");
  laptop_.write("edited.md", "first");
  laptop_.write("deleted.md", "will go");
  sync_all();
  const finished made = backup({"create"});
  ASSERT_EQ(made.status, 0) << made.output;

  laptop_.write("edited.md", "second");
  laptop_.write("new from laptop.md", "new");
  std::filesystem::remove(scratch_ / "laptop/deleted.md");
  sync_all();
  phone_.write("new from phone.md", std::string(200'000, 'p'));
  sync_all();
  const auto before = laptop_.everything();

  restore();
  sync_all();
  EXPECT_EQ(laptop_.everything().at("edited.md"), "second");
  EXPECT_EQ(difference(before, laptop_.everything()), "");
  EXPECT_EQ(difference(before, phone_.everything()), "");

  // A third device sees all of it from the server alone.
  device tablet(scratch_.path(), "tablet");
  laptop_.pair(tablet, server_.url());
  tablet.sync();
  EXPECT_EQ(difference(before, tablet.everything()), "");
}

// By the time the phone comes back the laptop has brought the feed to the number the phone had seen: only the
// epoch tells it that these are other changes.
TEST_F(Restore, ADeviceWhoseNumberWasReachedAgainStillNotices) {
  laptop_.write("old.md", "before");
  sync_all();
  ASSERT_EQ(backup({"create"}).status, 0);
  phone_.write("only on the phone.md", "precious");
  phone_.sync();
  restore();
  for (int i = 0; i < 10; ++i) laptop_.write("later " + std::to_string(i) + ".md", "x");
  laptop_.sync();
  sync_all();
  EXPECT_EQ(laptop_.everything().at("only on the phone.md"), "precious");
  EXPECT_EQ(difference(laptop_.everything(), phone_.everything()), "");
}

TEST_F(Restore, ADeviceThatWatchedAllTheWhileSendsWhatWasLost) {
  laptop_.write("old.md", "before");
  sync_all();
  ASSERT_EQ(backup({"create"}).status, 0);
  process watching = phone_.start({"watch", scratch_ / "phone"});
  phone_.write("while watching.md", "precious");
  ASSERT_TRUE(eventually([&] {
    laptop_.sync();
    return laptop_.everything().contains("while watching.md");
  }));
  restore();
  device tablet(scratch_.path(), "tablet");
  laptop_.write("later.md", "x");
  EXPECT_TRUE(eventually([&] {
    laptop_.sync();
    return phone_.everything().contains("later.md");
  })) << watching.output();
  laptop_.pair(tablet, server_.url());
  EXPECT_TRUE(eventually([&] {
    tablet.sync();
    return tablet.everything().contains("while watching.md");
  })) << watching.output();
}

TEST_F(Restore, ARecordedRequestFromBeforeIsNotAcceptedAfter) {
  raw_device guest(server_, "x", server_.invite("guest"));
  ASSERT_TRUE(guest.ok());
  ASSERT_EQ(backup({"create"}).status, 0);
  ASSERT_TRUE(guest.server().account().ok());
  const auto captured = guest.recorded().back();
  restore();
  EXPECT_EQ(guest.replay(captured).first, 401);
  EXPECT_TRUE(guest.server().account().ok());
}

TEST_F(Restore, IsRefusedWhileTheServerRunsAndWithoutAWordOverAStoreThatIsThere) {
  ASSERT_EQ(backup({"create"}).status, 0);
  const finished running = backup({"restore", "--replace"});
  EXPECT_EQ(running.status, 1);
  EXPECT_NE(running.output.find("stop it first"), std::string::npos) << running.output;
  ASSERT_EQ(server_.stop(), 0);
  const finished there = backup({"restore"});
  EXPECT_EQ(there.status, 1);
  EXPECT_NE(there.output.find("--replace"), std::string::npos) << there.output;
  EXPECT_TRUE(server_.start()) << "nothing was changed";
}

TEST_F(Restore, VerbsAnswerInWordsAndInJson) {
  laptop_.write("a.md", "text");
  laptop_.sync();
  const finished made = backup({"create", "--json"});
  EXPECT_NE(made.output.find("\"chunks_lacking\":0"), std::string::npos) << made.output;
  const finished again = backup({"create"});
  EXPECT_EQ(again.status, 0) << again.output;
  const finished verified = backup({"verify"});
  EXPECT_EQ(verified.status, 0);
  EXPECT_NE(verified.output.find("result: ok"), std::string::npos) << verified.output;
  const finished pruned = backup({"prune", "--keep", "1", "--json"});
  EXPECT_EQ(pruned.status, 0) << pruned.output;
  EXPECT_EQ(backup({"prune"}).status, 2);
  EXPECT_EQ(backup({"explode"}).status, 2);
  EXPECT_EQ(backup({"verify", "--snapshot", "20000101T000000Z"}).status, 1);
}

// Snapshots are made all the while four writers work, and each holds every chunk that its versions name.
TEST(BackupWhileServing, EverySnapshotIsConsistent) {
  const scratch_folder scratch;
  server_process server(scratch.path());
  ASSERT_TRUE(server.start());
  const raw_device first(server, "family");
  ASSERT_TRUE(first.ok());
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    threads.emplace_back([&, seed] {
      raw_device device(server, first.who());
      seeded_random random(seed);
      while (!stop) {
        const made_note note = make_note(random, random.next() % 8 == 0 ? 90'000 : 1'500);
        EXPECT_TRUE(device.server().put_chunk(note.sid, note.sealed));
        EXPECT_TRUE(device.server().post_version(note.file, note.post));
      }
    });
  }
  const auto verb = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "backup");
    words.insert(words.begin() + 2, scratch.path() + "/backup");
    words.push_back("--store.blobs_dir=" + scratch.path() + "/blobs");
    return server.operate(words);
  };
  for (int round = 0; round < 3; ++round) {
    const finished made = verb({"create"});
    EXPECT_EQ(made.status, 0) << made.output;
    const finished verified = verb({"verify"});
    EXPECT_EQ(verified.status, 0) << verified.output;
  }
  stop = true;
  for (std::thread& one : threads) one.join();
}

}  // namespace
}  // namespace obsync::test
