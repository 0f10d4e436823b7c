// The watcher with the real kernel: each test waits for the event it caused, with a deadline, and never
// sleeps.
#include "client/watch/folder_watcher.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/support/scratch_folder.hpp"

namespace obsync::client {
namespace {

namespace fs = std::filesystem;
using paths = std::set<std::string>;

constexpr std::int64_t patience_ms = 20'000;
constexpr settle_limits quick{.settle_ms = 5, .settle_ms_max = 100, .quiet_ms = 60'000};

class FolderWatcherTest : public ::testing::Test {
 protected:
  FolderWatcherTest() {
    fs::create_directories(root / "vault/sub");
    auto opened = folder_watcher::open(root / "vault", quick);
    EXPECT_TRUE(opened);
    watcher = *std::move(opened);
  }

  void write(const std::string& path, const std::string& text) {
    std::ofstream(root / ("vault/" + path)) << text;
  }

  // Gathers until all of `wanted` were seen or patience ends.
  paths wait_for(const paths& wanted) {
    paths seen;
    wake_signal wake;
    while (!std::includes(seen.begin(), seen.end(), wanted.begin(), wanted.end())) {
      auto changes = watcher->wait(patience_ms, wake);
      if (changes.paths.empty()) break;
      seen.merge(changes.paths);
    }
    return seen;
  }

  test::scratch_folder root;
  std::unique_ptr<folder_watcher> watcher;
};

TEST_F(FolderWatcherTest, SeesAClosedFile) {
  write("a.md", "text");
  EXPECT_EQ(wait_for({"a.md"}), paths{"a.md"});
}

TEST_F(FolderWatcherTest, SeesFilesOfNewFoldersHoweverQuicklyTheyCame) {
  fs::create_directories(root / "vault/x/y/z");
  write("x/y/z/deep.md", "text");
  write("x/top.md", "text");
  const paths wanted{"x", "x/y", "x/y/z", "x/y/z/deep.md", "x/top.md"};
  EXPECT_EQ(wait_for(wanted), wanted);
  write("x/y/z/later.md", "text");
  EXPECT_TRUE(wait_for({"x/y/z/later.md"}).contains("x/y/z/later.md"));
}

TEST_F(FolderWatcherTest, SeesBothEndsOfARenameAndGoesOnInTheMovedFolder) {
  write("sub/a.md", "text");
  wait_for({"sub/a.md"});
  fs::rename(root / "vault/sub", root / "vault/moved");
  const auto seen = wait_for({"sub", "moved", "moved/a.md"});
  EXPECT_TRUE(seen.contains("sub"));
  EXPECT_TRUE(seen.contains("moved/a.md"));
  write("moved/b.md", "text");
  EXPECT_EQ(wait_for({"moved/b.md"}), paths{"moved/b.md"});
}

TEST_F(FolderWatcherTest, SeesAFileRenamedIntoPlaceFromOutside) {
  std::ofstream(root / "draft") << "text";
  fs::rename(root / "draft", root / "vault/a.md");
  EXPECT_EQ(wait_for({"a.md"}), paths{"a.md"});
}

TEST_F(FolderWatcherTest, SeesADeletion) {
  write("a.md", "text");
  wait_for({"a.md"});
  fs::remove(root / "vault/a.md");
  EXPECT_EQ(wait_for({"a.md"}), paths{"a.md"});
}

TEST_F(FolderWatcherTest, WaitsForAnOpenFileToBeClosed) {
  const int file = ::open((root / "vault/slow.md").c_str(), O_CREAT | O_WRONLY, 0600);
  ASSERT_GE(file, 0);
  ASSERT_EQ(::write(file, "half", 4), 4);
  write("other.md", "whole");
  EXPECT_EQ(wait_for({"other.md"}), paths{"other.md"});
  ::close(file);
  EXPECT_EQ(wait_for({"slow.md"}), paths{"slow.md"});
}

TEST_F(FolderWatcherTest, IgnoresHiddenNames) {
  write(".obsync-part", "half");
  fs::create_directory(root / "vault/.git");
  write("a.md", "text");
  EXPECT_EQ(wait_for({"a.md"}), paths{"a.md"});
}

TEST_F(FolderWatcherTest, EndsItsWaitWhenWoken) {
  wake_signal wake;
  wake.raise();
  const auto changes = watcher->wait(patience_ms, wake);
  EXPECT_TRUE(changes.paths.empty());
  EXPECT_FALSE(changes.root_gone);
}

TEST_F(FolderWatcherTest, TellsWhenTheFolderIsMovedAway) {
  fs::rename(root / "vault", root / "away");
  fs::create_directory(root / "vault");
  wake_signal wake;
  EXPECT_TRUE(watcher->wait(patience_ms, wake).root_gone);
}

TEST_F(FolderWatcherTest, RefusesAMissingFolder) {
  const auto opened = folder_watcher::open(root / "nowhere", quick);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, errc::not_found);
}

}  // namespace
}  // namespace obsync::client
