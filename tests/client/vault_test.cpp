#include "client/vault/posix_vault.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "client/vault/name_rule.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::client {
namespace {

namespace fs = std::filesystem;

class Vault : public ::testing::Test {
 protected:
  Vault() {
    fs::create_directory(root_);
    vault_ = make_posix_vault(root_, 0, time_);
    EXPECT_TRUE(vault_->open_root().ok());
  }

  void write(const std::string& path, const std::string& text) {
    fs::create_directories(fs::path(root_ + "/" + path).parent_path());
    std::ofstream(root_ + "/" + path, std::ios::binary) << text;
  }
  std::string read(const std::string& path) {
    std::ifstream in(root_ + "/" + path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  file_mark mark(const std::string& path) { return vault_->look(path).value().value(); }

  result<file_mark> put(const std::string& path, const std::string& text,
                        const std::optional<file_mark>& expected) {
    auto staged = vault_->stage(path, "key");
    if (!staged) return staged.error();
    EXPECT_TRUE((*staged)->truncate(0).ok());
    EXPECT_TRUE((*staged)->write_at(0, as_bytes(text)).ok());
    return vault_->place(**staged, path, expected, 1'500'000'000'123);
  }

  // Somebody who saves into `path` in place the moment it has that name.
  std::thread eager_writer(const std::string& path) {
    return std::thread([whole = root_ + "/" + path] {
      int file = -1;
      while ((file = ::open(whole.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC)) < 0) std::this_thread::yield();
      const std::string text = "saved by somebody at once";
      EXPECT_EQ(::write(file, text.data(), text.size()), static_cast<ssize_t>(text.size()));
      ::close(file);
    });
  }

  std::vector<std::string> hidden() {
    std::vector<std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(root_)) {
      if (entry.path().filename().string().starts_with(".")) out.push_back(entry.path().filename());
    }
    return out;
  }

  obsync::test::scratch_folder scratch_;
  std::string root_ = scratch_ / "root";
  system_clock time_;
  std::unique_ptr<vault> vault_;
};

TEST_F(Vault, ScansFilesAndFoldersAndPassesOverWhatIsNeverSynced) {
  write("a.md", "a");
  write("deep/er/b", "b");
  write(".hidden", "h");
  write(".git/config", "g");
  write("deep/Thumbs.db", "t");
  write("back\\slash", "x");
  fs::create_symlink("/etc", root_ + "/link");
  fs::create_symlink("a.md", root_ + "/link to a");
  const auto seen = vault_->scan({}).value().view;
  std::vector<std::string> paths;
  for (const auto& [path, item] : seen.items) paths.push_back(path);
  EXPECT_EQ(paths, (std::vector<std::string>{"a.md", "deep", "deep/er", "deep/er/b"}));
  EXPECT_EQ(seen.blocked.at("back\\slash"), "refused_name");
  EXPECT_FALSE(seen.looked_at("link/passwd")) << "what hides behind a link is unknown, not missing";
  EXPECT_TRUE(seen.looked_at("gone"));
}

TEST_F(Vault, BelowAFileEveryNameIsFreeAndBelowALinkNothingIsKnown) {
  write("a", "a");
  fs::create_directory(scratch_ / "elsewhere");
  fs::create_symlink(scratch_ / "elsewhere", root_ + "/link");
  EXPECT_EQ(vault_->look("a/b/c").value(), std::nullopt);
  EXPECT_EQ(vault_->look("link/b").error().code, errc::exists);
  EXPECT_EQ(put("a/b", "b", {}).error().code, errc::exists) << "and nothing can be put there";
}

TEST_F(Vault, SaysThatALockedFolderIsUnknown) {
  if (::geteuid() == 0) GTEST_SKIP() << "root is let in everywhere";
  write("locked/a", "a");
  fs::permissions(root_ + "/locked", fs::perms::none);
  const auto seen = vault_->scan({}).value().view;
  fs::permissions(root_ + "/locked", fs::perms::owner_all);
  EXPECT_EQ(seen.blocked.at("locked"), "no_permission");
  EXPECT_FALSE(seen.looked_at("locked/a"));
}

TEST_F(Vault, ScansOnlyTheScope) {
  write("f/a", "a");
  write("f/g/b", "b");
  write("other", "o");
  const auto seen = vault_->scan(std::set<std::string, std::less<>>{"f", "gone"}).value().view;
  EXPECT_EQ(seen.items.size(), 4u);
  EXPECT_TRUE(seen.looked_at("gone"));
  EXPECT_TRUE(seen.looked_at("f/missing"));
  EXPECT_FALSE(seen.looked_at("other"));
}

TEST_F(Vault, ReportsAFileTouchedAMomentAgoAsSettling) {
  manual_clock now(system_clock().now_ms() + 10);
  const auto patient = make_posix_vault(root_, 10'000, now);
  ASSERT_TRUE(patient->open_root().ok());
  write("a", "a");
  now.set_ms(system_clock().now_ms() + 10);
  EXPECT_TRUE(patient->scan({}).value().view.items.at("a").settling);
  now.advance_ms(20'000);
  EXPECT_FALSE(patient->scan({}).value().view.items.at("a").settling);
}

TEST_F(Vault, PlacesAWholeFileWithItsTimeUnderAFreeName) {
  const auto placed = put("new/folder/a", "text", std::nullopt);
  ASSERT_TRUE(placed.ok()) << placed.error().detail;
  EXPECT_EQ(read("new/folder/a"), "text");
  EXPECT_EQ(placed->mtime_ns, 1'500'000'000'123'000'000);
  EXPECT_EQ(*placed, mark("new/folder/a"));
  EXPECT_TRUE(hidden().empty());
}

TEST_F(Vault, NeverPlacesOverANameInUse) {
  write("a", "mine");
  const auto placed = put("a", "theirs", std::nullopt);
  ASSERT_FALSE(placed.ok());
  EXPECT_EQ(placed.error().code, errc::exists);
  EXPECT_EQ(read("a"), "mine");
}

TEST_F(Vault, ReplacesExactlyTheExpectedFileAndKeepsItsMode) {
  write("a", "old");
  ::chmod((root_ + "/a").c_str(), 0640);
  const file_mark before = mark("a");
  const auto placed = put("a", "new", before);
  ASSERT_TRUE(placed.ok()) << placed.error().detail;
  EXPECT_EQ(read("a"), "new");
  struct stat info {};
  ::stat((root_ + "/a").c_str(), &info);
  EXPECT_EQ(info.st_mode & 0777u, 0640u);
  EXPECT_TRUE(hidden().empty());

  const auto again = put("a", "newer", before);
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code, errc::unavailable);
  EXPECT_EQ(read("a"), "new");
}

TEST_F(Vault, FindsAStagedFileAgain) {
  {
    const auto staged = vault_->stage("a", "key").value();
    ASSERT_TRUE(staged->write_at(0, as_bytes("half")).ok());
  }
  EXPECT_EQ(vault_->scan({}).value().staged, (std::vector<std::string>{".obsync-key.part"}));
  EXPECT_EQ(vault_->stage("a", "key").value()->size().value(), 4u);
  ASSERT_TRUE(vault_->drop_staged(".obsync-key.part").ok());
  EXPECT_TRUE(hidden().empty());
  write("a", "a");
  EXPECT_FALSE(vault_->drop_staged("a").ok()) << "nothing else is ever dropped";
}

TEST_F(Vault, NeverLeavesTheFolderThroughALink) {
  fs::create_directory(scratch_ / "outside");
  std::ofstream(scratch_ / "outside/secret") << "s";
  fs::create_directory_symlink(scratch_ / "outside", root_ + "/way");
  EXPECT_FALSE(vault_->open("way/secret").ok());
  EXPECT_FALSE(put("way/new", "text", std::nullopt).ok());
  EXPECT_FALSE(vault_->make_folder("way/sub").ok());
  EXPECT_FALSE(vault_->remove("way/secret", {}).ok());
  for (const char* path :
       {"../outside/secret", "/etc/passwd", "a/../../outside/secret", ".obsync-x", "a//b", ""}) {
    EXPECT_FALSE(vault_->open(path).ok()) << path;
    EXPECT_FALSE(vault_->stage(path, "key").ok()) << path;
    EXPECT_FALSE(vault_->make_folder(path).ok()) << path;
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(scratch_ / "outside"), fs::directory_iterator()), 1);
}

TEST_F(Vault, MovesOnlyTheExpectedFileToAFreeName) {
  write("a", "a");
  write("b", "b");
  EXPECT_EQ(vault_->move("a", "b", mark("a")).error().code, errc::exists);
  EXPECT_EQ(vault_->move("a", "c", mark("b")).error().code, errc::unavailable);
  ASSERT_TRUE(vault_->move("a", "d/c", mark("a")).ok());
  EXPECT_EQ(read("d/c"), "a");
  EXPECT_EQ(read("b"), "b");
}

// However the two fall together: a save taken for what was placed would never be sent, and be overwritten.
TEST_F(Vault, ASaveIntoAFileThatJustGotItsNameIsNeverTakenForWhatWasPlaced) {
  for (int i = 0; i < 50; ++i) {
    const std::string path = std::to_string(i) + ".md";
    std::thread writer = eager_writer(path);
    const auto placed = put(path, "from afar", {});
    writer.join();
    ASSERT_TRUE(placed.ok());
    ASSERT_NE(*placed, mark(path)) << "at file " << i;
  }
}

TEST_F(Vault, ASaveIntoAFileThatWasJustMovedIsNeverTakenForWhatWasMoved) {
  for (int i = 0; i < 50; ++i) {
    const std::string from = "from " + std::to_string(i);
    const std::string to = "to " + std::to_string(i);
    write(from, "text");
    std::thread writer = eager_writer(to);
    const auto moved = vault_->move(from, to, mark(from));
    writer.join();
    ASSERT_TRUE(moved.ok());
    ASSERT_NE(*moved, mark(to)) << "at file " << i;
  }
}

TEST_F(Vault, ExchangesTwoFiles) {
  write("a", "a");
  write("b", "b");
  ASSERT_TRUE(vault_->exchange("a", "b").ok());
  EXPECT_EQ(read("a"), "b");
  EXPECT_EQ(read("b"), "a");
}

TEST_F(Vault, RemovesOnlyTheExpectedFileAndOnlyEmptyFolders) {
  write("f/a", "a");
  const file_mark before = mark("f/a");
  write("f/a", "changed");
  EXPECT_EQ(vault_->remove("f/a", before).error().code, errc::unavailable);
  EXPECT_EQ(vault_->remove_folder("f").error().code, errc::exists);
  ASSERT_TRUE(vault_->remove("f/a", mark("f/a")).ok());
  ASSERT_TRUE(vault_->remove_folder("f").ok());
  EXPECT_FALSE(fs::exists(root_ + "/f"));
}

TEST_F(Vault, KeepsTwoSpellingsOfOneAccentApart) {
  ASSERT_TRUE(put("caf\xc3\xa9", "composed", std::nullopt).ok());
  ASSERT_TRUE(put("cafe\xcc\x81", "decomposed", std::nullopt).ok());
  EXPECT_EQ(vault_->scan({}).value().view.items.size(), 2u);
}

TEST_F(Vault, RefusesANameTheDiskCannotHold) {
  EXPECT_EQ(put(std::string(300, 'n'), "x", std::nullopt).error().code, errc::unsupported);
}

TEST_F(Vault, StaysInTheFolderItOpenedWhenAnotherTakesItsPlace) {
  write("a", "a");
  const auto first = vault_->open_root().value();
  fs::rename(root_, scratch_ / "away");
  fs::create_directory(root_);
  EXPECT_FALSE(vault_->root_in_place());
  ASSERT_TRUE(put("b", "b", std::nullopt).ok());
  EXPECT_TRUE(fs::exists(scratch_ / "away/b"));
  EXPECT_TRUE(fs::is_empty(root_));
  EXPECT_NE(vault_->open_root().value().inode, first.inode);
}

TEST(NameRule, PassesOverTheLitterOfDesktopsAndRefusesWhatNoManifestMayName) {
  EXPECT_EQ(judge_name("note.md"), name_verdict::synced);
  for (const char* name : {".DS_Store", "._x", ".obsync-1.part", "Icon\r", "Thumbs.db", "desktop.ini"}) {
    EXPECT_EQ(judge_name(name), name_verdict::passed_over) << name;
  }
  EXPECT_EQ(judge_name("a\\b"), name_verdict::refused);
  EXPECT_EQ(judge_name("\xff"), name_verdict::refused);
  EXPECT_FALSE(is_synced_path("a/.git/b"));
  EXPECT_FALSE(is_synced_path("a/Thumbs.db"));
  EXPECT_TRUE(is_synced_path("a/b c/d"));
}

}  // namespace
}  // namespace obsync::client
