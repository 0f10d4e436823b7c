// Both devices watching: what happens in one folder happens in the other, whole.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <thread>

#include "core/random.hpp"
#include "tests/e2e/device.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/server_process.hpp"

namespace obsync::test {
namespace {

namespace fs = std::filesystem;

class Watching : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(server_.start());
    const finished made = a_.init(server_.url(), server_.setup_token());
    ASSERT_EQ(made.status, 0) << made.output;
    ASSERT_NO_FATAL_FAILURE(a_.pair(b_, server_.url()));
    on_a_.emplace(a_.start({"watch", a_.root()}));
    on_b_.emplace(b_.start({"watch", b_.root()}));
    ASSERT_TRUE(on_a_->wait_for_output("watching") && on_b_->wait_for_output("watching"));
  }

  bool come_to_hold(const file_tree& wanted) {
    return eventually([&] { return a_.tree() == wanted && b_.tree() == wanted; }, std::chrono::minutes(3));
  }
  static bool has(const device& one, const std::string& path) { return fs::exists(one.root() + "/" + path); }

  // Takes a note through both watchers: whatever else they meant to do at its time, they have had the chance.
  void pass_a_note(int number) {
    const std::string path = "passing/" + std::to_string(number) + ".md";
    a_.write(path, "passing by");
    ASSERT_TRUE(eventually([&] { return has(b_, path); })) << story();
  }

  // What a failure needs to be understood.
  std::string story() const {
    return difference(a_.tree(), b_.tree()) + "a said:\n" + on_a_->output() + "b said:\n" + on_b_->output();
  }

  scratch_folder scratch_;
  server_process server_{scratch_.path()};
  device a_{scratch_.path(), "a"};
  device b_{scratch_.path(), "b"};
  std::optional<process> on_a_;
  std::optional<process> on_b_;
};

TEST_F(Watching, EditsRenamesAndDeletionsOfFilesAndFoldersFollowBothWays) {
  a_.write("trips/lisbon.md", "first");
  ASSERT_TRUE(come_to_hold({{"trips/", ""}, {"trips/lisbon.md", "first"}})) << story();
  b_.write("trips/lisbon.md", "second, from the other side");
  ASSERT_TRUE(come_to_hold({{"trips/", ""}, {"trips/lisbon.md", "second, from the other side"}})) << story();
  fs::rename(a_.root() + "/trips/lisbon.md", a_.root() + "/trips/porto.md");
  ASSERT_TRUE(come_to_hold({{"trips/", ""}, {"trips/porto.md", "second, from the other side"}})) << story();
  fs::rename(b_.root() + "/trips", b_.root() + "/journeys");
  ASSERT_TRUE(come_to_hold({{"journeys/", ""}, {"journeys/porto.md", "second, from the other side"}}))
      << story();
  fs::create_directory(a_.root() + "/empty");
  fs::remove_all(a_.root() + "/journeys");
  EXPECT_TRUE(come_to_hold({{"empty/", ""}})) << story();
}

TEST_F(Watching, AFileThatGrowsWhileItIsOpenIsNeverSeenUnfinishedOnTheOtherSide) {
  std::string written;
  std::atomic<bool> enough{false};
  // Grows all the time the notes pass; the pause only keeps it from filling the disk.
  std::thread growing([&] {
    seeded_random random(3);
    std::ofstream file(a_.root() + "/recording.wav", std::ios::binary);
    while (!enough) {
      std::string piece(8'192, '\0');
      random.fill({reinterpret_cast<std::uint8_t*>(piece.data()), piece.size()});
      file << piece << std::flush;
      written += piece;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  });
  bool seen_early = false;
  for (int i = 0; i < 30 && !HasFatalFailure(); ++i) {
    pass_a_note(i);
    seen_early = seen_early || has(b_, "recording.wav");
  }
  enough = true;
  growing.join();
  EXPECT_FALSE(seen_early);
  ASSERT_TRUE(eventually([&] { return has(b_, "recording.wav"); }));
  EXPECT_TRUE(b_.tree().at("recording.wav") == written);
}

TEST_F(Watching, ANoteReplacedTwentyTimesByRenameEndsWithItsLastTextAndLeavesNoOtherName) {
  for (int i = 0; i < 20; ++i) {
    a_.write("note.md.tmp", "text number " + std::to_string(i));
    fs::rename(a_.root() + "/note.md.tmp", a_.root() + "/note.md");
  }
  EXPECT_TRUE(come_to_hold({{"note.md", "text number 19"}})) << story();
}

TEST_F(Watching, ClientsCatchUpByThemselvesWhenTheirServerComesBack) {
  a_.write("early.md", "before");
  ASSERT_TRUE(come_to_hold({{"early.md", "before"}})) << story();
  server_.kill();
  a_.write("from a.md", "written while nobody listens");
  b_.write("from b.md", "and on this side");
  fs::remove(b_.root() + "/early.md");
  ASSERT_TRUE(server_.start());
  EXPECT_TRUE(
      come_to_hold({{"from a.md", "written while nobody listens"}, {"from b.md", "and on this side"}}))
      << story();
}

TEST_F(Watching, OneNoteEditedOnBothSidesWhileTheServerIsAwayKeepsBothTextsUnderTheSameTwoNames) {
  a_.write("note.md", "what both know");
  ASSERT_TRUE(come_to_hold({{"note.md", "what both know"}})) << story();
  server_.kill();
  a_.write("note.md", "what a wrote");
  b_.write("note.md", "what b wrote, which is longer");
  ASSERT_TRUE(server_.start());
  ASSERT_TRUE(
      eventually([&] { return a_.tree().size() == 2 && a_.tree() == b_.tree(); }, std::chrono::minutes(3)))
      << story();
  std::set<std::string> texts;
  for (const auto& [path, text] : a_.tree()) texts.insert(text);
  EXPECT_EQ(texts, (std::set<std::string>{"what a wrote", "what b wrote, which is longer"}));
}

TEST_F(Watching, AnInterruptEndsItWithSuccess) {
  for (std::optional<process>* each : {&on_a_, &on_b_}) {
    (*each)->signal(SIGINT);
    EXPECT_EQ((*each)->wait(), 0) << (*each)->output();
    EXPECT_NE((*each)->output().find("stopped"), std::string::npos);
  }
}

}  // namespace
}  // namespace obsync::test
