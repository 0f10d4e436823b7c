// Two folders and the real programs: what lies in one comes to lie in the other.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <set>
#include <thread>

#include "core/random.hpp"
#include "tests/e2e/device.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/server_process.hpp"

namespace obsync::test {
namespace {

namespace fs = std::filesystem;

class TwoFolders : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(server_.start());
    const finished made = a_.init(server_.url(), server_.setup_token());
    ASSERT_EQ(made.status, 0) << made.output;
    a_.pair(b_, server_.url());
  }

  void expect_equal(const device& one, const device& other) {
    EXPECT_EQ(difference(one.everything(), other.everything()), "");
  }

  std::string noise(std::size_t size) {
    std::string text(size, '\0');
    random_.fill({reinterpret_cast<std::uint8_t*>(text.data()), size});
    return text;
  }

  void write_mixed_files() {
    for (const std::size_t size :
         {0u, 1u, 2'048u, 65'535u, 65'536u, 65'537u, 8'388'607u, 8'388'608u, 8'388'609u})
      a_.write("sizes/" + std::to_string(size), noise(size));
    a_.write("big/40 MiB.bin", noise(40u << 20));
    for (int i = 0; i < 980; ++i)
      a_.write("notes " + std::to_string(i % 31) + "/deep/er/note " + std::to_string(i) + ".md",
               noise(2'048));
    a_.write("\xf0\x9f\x8c\xb1 emoji/caf\xc3\xa9.md", "composed");
    a_.write("\xf0\x9f\x8c\xb1 emoji/cafe\xcc\x81.md", "decomposed");
    fs::create_directories(a_.root() + "/empty/folder");
  }

  scratch_folder scratch_;
  server_process server_{scratch_.path()};
  device a_{scratch_.path(), "a"};
  device b_{scratch_.path(), "b"};
  seeded_random random_{1000};
};

TEST_F(TwoFolders, AThousandMixedFilesAndWhatBecomesOfThemFollowBothWaysAndToAThird) {
  write_mixed_files();
  a_.sync();
  b_.sync();
  expect_equal(a_, b_);

  b_.write("notes 1/deep/er/note 1.md", "edited on b");
  fs::rename(b_.root() + "/big", b_.root() + "/large");
  fs::remove(b_.root() + "/sizes/1");
  fs::create_directory(b_.root() + "/another empty one");
  b_.sync();
  a_.sync();
  expect_equal(a_, b_);
  EXPECT_EQ(a_.tree().at("notes 1/deep/er/note 1.md"), "edited on b");

  fs::remove_all(a_.root() + "/notes 2");
  a_.sync();
  b_.sync();
  expect_equal(a_, b_);
  EXPECT_FALSE(b_.tree().contains("notes 2/"));

  device third(scratch_.path(), "third");
  a_.pair(third, server_.url());
  third.sync();
  expect_equal(a_, third);
}

TEST_F(TwoFolders, BothTextsOfANoteEditedAtOnceSurviveOnBothUnderTheSameTwoNames) {
  a_.write("note.md", "first\n");
  a_.sync();
  b_.sync();
  a_.write("note.md", "what a wrote\n");
  b_.write("note.md", "what b wrote, longer\n");
  a_.sync();
  b_.sync();
  a_.sync();
  b_.sync();
  expect_equal(a_, b_);
  std::set<std::string> texts;
  for (const auto& [path, text] : a_.tree()) texts.insert(text);
  EXPECT_EQ(a_.tree().size(), 2u);
  EXPECT_TRUE(texts.contains("what a wrote\n") && texts.contains("what b wrote, longer\n"));
}

TEST_F(TwoFolders, AClientKilledWhileItSendsAndReceivesLeavesNothingTornAndEndsEqual) {
  const std::string big = noise(40u << 20);
  a_.write("big.bin", big);
  for (int i = 0; i < 50; ++i) a_.write("note " + std::to_string(i), "text " + std::to_string(i));
  for (const device* one : {&a_, &b_}) {
    for (int kill = 0; kill < 5; ++kill) {
      process running = one->start({"sync", one->root()});
      // The moment of the kill is the point, not a way to wait.
      std::this_thread::sleep_for(std::chrono::milliseconds(20 + random_.next() % 300));
      running.signal(SIGKILL);
      running.wait();
      for (const auto& [path, text] : b_.everything()) {
        if (path.front() == '.' || path.find("/.") != std::string::npos)
          continue;  // staged, under no real name
        EXPECT_TRUE(path == "big.bin" ? text == big : text.starts_with("text ")) << path << " is torn";
      }
    }
    one->sync();
  }
  expect_equal(a_, b_);
  EXPECT_EQ(b_.tree().size(), 51u);
}

TEST_F(TwoFolders, WatchersFollowEachOtherAndOutliveARestartOfTheServer) {
  process left = a_.start({"watch", a_.root()});
  process right = b_.start({"watch", b_.root()});
  ASSERT_TRUE(left.wait_for_output("watching") && right.wait_for_output("watching"));
  a_.write("one.md", "from a");
  EXPECT_TRUE(eventually([&] { return b_.tree()["one.md"] == "from a"; }));
  server_.kill();
  b_.write("two.md", "written while nobody listens");
  ASSERT_TRUE(server_.start());
  EXPECT_TRUE(eventually([&] { return a_.tree()["two.md"] == "written while nobody listens"; },
                         std::chrono::minutes(2)));
  for (int i = 0; i < 20; ++i) {
    a_.write("replaced.tmp", "save " + std::to_string(i));
    fs::rename(a_.root() + "/replaced.tmp", a_.root() + "/replaced.md");
  }
  EXPECT_TRUE(eventually([&] { return b_.tree()["replaced.md"] == "save 19"; }));
  for (process* one : {&left, &right}) {
    one->signal(SIGINT);
    EXPECT_EQ(one->wait(), 0) << one->output();
  }
}

TEST_F(TwoFolders, WrongInputIsRefusedPlainlyAndChangesNothing) {
  const device c(scratch_.path(), "c");
  const finished nobody = c.run({"init", "--server", "http://127.0.0.1:1", "--token", "-", c.root()}, "x\n");
  EXPECT_EQ(nobody.status, 1) << nobody.output;
  const finished spent =
      c.run({"init", "--server", server_.url(), "--token", "-", c.root()}, std::string(64, '0') + "\n");
  EXPECT_EQ(spent.status, 1) << spent.output;
  const finished mistyped = c.run({"join", "--server", server_.url(), "--code", "-", c.root()}, "ABCDEFGH\n");
  EXPECT_EQ(mistyped.status, 1) << mistyped.output;
  EXPECT_NE(mistyped.output.find("code"), std::string::npos) << mistyped.output;
  fs::create_directories(a_.root() + "/inside");
  const finished nested = a_.run({"init", "--server", server_.url(), "--token", "-", a_.root() + "/inside"},
                                 server_.setup_token() + "\n");
  EXPECT_EQ(nested.status, 1) << nested.output;
  EXPECT_EQ(a_.run({"nonsense"}).status, 2);
  EXPECT_EQ(a_.run({"help"}).status, 0);
  EXPECT_TRUE(c.tree().empty());
}

}  // namespace
}  // namespace obsync::test
