// A vault taken out as plain files and brought in again, by the real programs.
#include <gtest/gtest.h>

#include <ctime>
#include <filesystem>
#include <fstream>

#include "core/clock.hpp"
#include "core/random.hpp"
#include "tests/e2e/device.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/server_process.hpp"

namespace obsync::test {
namespace {

namespace fs = std::filesystem;

file_tree tree_at(const std::string& root) {
  file_tree out;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string path = entry.path().lexically_relative(root);
    if (entry.is_directory()) {
      out[path + "/"] = "";
      continue;
    }
    std::ifstream in(entry.path(), std::ios::binary);
    out[path] = {std::istreambuf_iterator<char>(in), {}};
  }
  return out;
}

class TakeOut : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(server_.start());
    const finished made = a_.init(server_.url(), server_.setup_token());
    ASSERT_EQ(made.status, 0) << made.output;
    a_.write("note.md", "the first text");
    a_.write("deep/er/picture.bin", noise(300'000));
    a_.write("large.bin", noise(12u << 20));
    a_.write("gone.md", "deleted later");
    a_.sync();
  }

  std::string noise(std::size_t size) {
    std::string text(size, '\0');
    random_.fill({reinterpret_cast<std::uint8_t*>(text.data()), size});
    return text;
  }
  std::string out(const std::string& name = "out") const { return scratch_ / name; }

  // A moment after everything so far and before everything to come, by the clock that both share.
  std::string moment() const {
    const std::int64_t now_ms = system_clock().now_ms() + 1;
    EXPECT_TRUE(eventually([&] { return system_clock().now_ms() > now_ms + 1; }));
    const std::time_t seconds = now_ms / 1000;
    std::tm utc{};
    ::gmtime_r(&seconds, &utc);
    char text[64];
    const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
    char fraction[8];
    std::snprintf(fraction, sizeof fraction, ".%03dZ", static_cast<int>(now_ms % 1000));
    return std::string(text, size) + fraction;
  }

  finished archive(const std::string& account, const std::string& to, std::vector<std::string> more = {}) {
    std::vector<std::string> words{"export", "--account", account,
                                   "--out",  to,          "--store.blobs_dir=" + scratch_.path() + "/blobs"};
    words.insert(words.end(), more.begin(), more.end());
    return server_.operate(words);
  }

  void change_everything() {
    a_.write("note.md", "the second text, a longer one");
    a_.write("later.md", "came later");
    fs::remove(a_.root() + "/gone.md");
    a_.sync();
  }

  scratch_folder scratch_;
  server_process server_{scratch_.path()};
  device a_{scratch_.path(), "a"};
  device b_{scratch_.path(), "b"};
  seeded_random random_{11};
};

TEST_F(TakeOut, WritesTheVaultAsItIsAndAsItWas) {
  const file_tree first = a_.tree();
  const std::string then = moment();
  change_everything();
  const finished now = a_.run({"export", a_.root(), out()});
  EXPECT_EQ(now.status, 0) << now.output;
  EXPECT_EQ(difference(tree_at(out()), a_.everything()), "");
  const finished past = a_.run({"export", "--at", then, a_.root(), out("past")});
  EXPECT_EQ(past.status, 0) << past.output;
  EXPECT_EQ(difference(tree_at(out("past")), first), "");
  EXPECT_NE(a_.sync().find("0 sent, 0 received, 0 deleted there, 0 deleted here"), std::string::npos);
}

TEST_F(TakeOut, WritesTheSameFromAnArchiveWithoutAServer) {
  const file_tree first = a_.tree();
  const std::string then = moment();
  change_everything();
  ASSERT_EQ(archive("obsync", out("heads")).status, 0);
  const finished history = archive("obsync", out("history"), {"--history"});
  ASSERT_EQ(history.status, 0) << history.output;
  ASSERT_EQ(server_.stop(), 0);
  const finished heads = a_.run({"export", "--archive", out("heads"), a_.root(), out("now")});
  EXPECT_EQ(heads.status, 0) << heads.output;
  EXPECT_EQ(difference(tree_at(out("now")), a_.everything()), "");
  const finished past = a_.run({"export", "--archive", out("history"), "--at", then, a_.root(), out("past")});
  EXPECT_EQ(past.status, 0) << past.output;
  EXPECT_EQ(difference(tree_at(out("past")), first), "");
  const finished timeless = a_.run({"export", "--archive", out("heads"), "--at", then, a_.root(), out("no")});
  EXPECT_EQ(timeless.status, 1);
  EXPECT_NE(timeless.output.find("holds no history"), std::string::npos) << timeless.output;
  EXPECT_FALSE(fs::exists(out("no")));
}

TEST_F(TakeOut, TheArchiveOfAnotherAccountOpensForNobodyElse) {
  const std::string token = server_.invite("guest");
  ASSERT_EQ(b_.init(server_.url(), token).status, 0);
  b_.write("secret of b.md", "b's own");
  b_.sync();
  ASSERT_EQ(archive("guest", out("guest"), {"--history"}).status, 0);
  ASSERT_EQ(archive("obsync", out("family"), {"--history"}).status, 0);
  const finished wrong = a_.run({"export", "--archive", out("guest"), a_.root(), out("wrong")});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_NE(wrong.output.find("holds another vault"), std::string::npos) << wrong.output;
  EXPECT_FALSE(fs::exists(out("wrong")));
  ASSERT_EQ(b_.run({"export", "--archive", out("guest"), b_.root(), out("opened")}).status, 0);
  EXPECT_EQ(difference(tree_at(out("opened")), b_.everything()), "");
}

TEST_F(TakeOut, ADeviceSealsAnArchiveThatOnlyItsVaultOpens) {
  const finished sealed = a_.run({"export", "--sealed", out("sealed"), a_.root()});
  ASSERT_EQ(sealed.status, 0) << sealed.output;
  EXPECT_EQ(fs::status(out("sealed")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(a_.run({"export", "--sealed", out("sealed"), a_.root()}).status, 1) << "never overwritten";
  ASSERT_EQ(server_.stop(), 0);
  const finished opened = a_.run({"export", "--archive", out("sealed"), a_.root(), out()});
  EXPECT_EQ(opened.status, 0) << opened.output;
  EXPECT_EQ(difference(tree_at(out()), a_.everything()), "");
}

TEST_F(TakeOut, ASealedFileThatWasDamagedIsRefusedBeforeAnythingIsWritten) {
  ASSERT_EQ(a_.run({"export", "--sealed", out("sealed"), a_.root()}).status, 0);
  {
    std::fstream file(out("sealed"), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(-100'000, std::ios::end);
    file.put('?');
  }
  const finished refused = a_.run({"export", "--archive", out("sealed"), a_.root(), out()});
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.output.find("the archive is damaged"), std::string::npos) << refused.output;
  EXPECT_FALSE(fs::exists(out()));
}

TEST_F(TakeOut, WritesOnlyIntoANewOrEmptyFolderOutsideWhatIsSynced) {
  fs::create_directory(out());
  std::ofstream(out() + "/.hidden") << "x";
  EXPECT_EQ(a_.run({"export", a_.root(), out()}).status, 1);
  EXPECT_EQ(a_.run({"export", a_.root(), a_.root() + "/inside"}).status, 1);
  EXPECT_EQ(a_.run({"export", a_.root(), a_.home() + "/inside"}).status, 1);
  fs::create_directory_symlink(a_.root(), out("link"));
  EXPECT_EQ(a_.run({"export", a_.root(), out("link") + "/inside"}).status, 1) << "a link into the folder";
  EXPECT_EQ(a_.run({"export", a_.root(), out("missing/below")}).status, 1);
  EXPECT_EQ(a_.run({"export", a_.root()}).status, 2);
  EXPECT_EQ(a_.run({"export", "--at", "yesterday", a_.root(), out()}).status, 2);
  EXPECT_EQ(tree_at(out()).size(), 1u);
  fs::remove(out() + "/.hidden");
  EXPECT_EQ(a_.run({"export", a_.root(), out()}).status, 0);
}

TEST_F(TakeOut, NamesTheFileThatTheServerLostAndWritesTheOthers) {
  std::size_t lost = 0;
  for (const auto& entry : fs::recursive_directory_iterator(scratch_ / "blobs/v1")) {
    if (!entry.is_regular_file() || entry.file_size() != 300'016) continue;
    fs::remove(entry.path());
    ++lost;
  }
  ASSERT_EQ(lost, 1u);
  const finished said = a_.run({"export", a_.root(), out()});
  EXPECT_EQ(said.status, 1);
  EXPECT_NE(said.output.find("deep/er/picture.bin: "), std::string::npos) << said.output;
  file_tree rest = a_.everything();
  rest.erase("deep/er/picture.bin");
  file_tree found = tree_at(out());
  EXPECT_EQ(difference(found, rest), "");
}

TEST_F(TakeOut, AnExportOfTheServerKilledInTheMiddleLeavesNoFileAndTheNextOneSucceeds) {
  for (int i = 0; i < 12; ++i) a_.write("more " + std::to_string(i), noise(8u << 20));
  a_.sync();
  const std::string part = out("archive") + ".part";
  for (int kill = 0; kill < 3; ++kill) {
    process running(std::string(OBSYNC_BINARY_DIR) + "/obsyncd",
                    {"export", "--account", "obsync", "--out", out("archive"),
                     "--store.journal_dir=" + scratch_.path() + "/journal",
                     "--store.blobs_dir=" + scratch_.path() + "/blobs"},
                    scratch_ / "killed.log");
    // Some of it is written, and much is not.
    std::error_code none;
    ASSERT_TRUE(eventually([&] {
      const auto size = fs::file_size(part, none);
      return (!none && size > (1u << 20)) || !running.running();
    }));
    ASSERT_TRUE(running.running()) << running.output();
    running.kill();
    EXPECT_FALSE(fs::exists(out("archive")));
    EXPECT_TRUE(fs::exists(part));
  }
  const finished done = archive("obsync", out("archive"));
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_FALSE(fs::exists(part));
  const finished opened = a_.run({"export", "--archive", out("archive"), a_.root(), out()});
  EXPECT_EQ(opened.status, 0) << opened.output;
  EXPECT_EQ(difference(tree_at(out()), a_.everything()), "");
}

TEST_F(TakeOut, AFolderBroughtInComesToTheOtherDeviceAndAgainChangesNothing) {
  ASSERT_NO_FATAL_FAILURE(a_.pair(b_, server_.url()));
  b_.sync();
  const std::string source = scratch_ / "plain";
  fs::create_directories(source + "/deep/er");
  std::ofstream(source + "/new.md") << "new";
  std::ofstream(source + "/note.md") << "another text";
  std::ofstream(source + "/gone.md") << "deleted later";
  std::ofstream(source + "/deep/er/also new.md") << "new too";
  std::ofstream(source + "/.hidden") << "stays out";
  const file_tree before = a_.everything();
  const finished listed = a_.run({"import", "--dry-run", source, a_.root()});
  EXPECT_EQ(listed.status, 0) << listed.output;
  EXPECT_NE(listed.output.find("2 copied, 1 kept beside one that differs, 1 equal"), std::string::npos)
      << listed.output;
  EXPECT_EQ(difference(a_.everything(), before), "");
  const finished done = a_.run({"import", source, a_.root()});
  EXPECT_EQ(done.status, 0) << done.output;
  b_.sync();
  EXPECT_EQ(difference(a_.everything(), b_.everything()), "");
  const file_tree after = b_.everything();
  EXPECT_EQ(after.size(), before.size() + 3);
  EXPECT_EQ(after.at("note.md"), "the first text");
  EXPECT_EQ(after.at("deep/er/also new.md"), "new too");
  const finished again = a_.run({"import", source, a_.root()});
  EXPECT_EQ(again.status, 0) << again.output;
  EXPECT_NE(again.output.find("0 copied, 0 kept beside one that differs, 4 equal"), std::string::npos)
      << again.output;
  EXPECT_EQ(difference(a_.everything(), after), "");
}

TEST_F(TakeOut, WhatWasTakenOutIsBroughtIntoAnotherVaultWhole) {
  ASSERT_EQ(a_.run({"export", a_.root(), out()}).status, 0);
  ASSERT_EQ(b_.init(server_.url(), server_.invite("guest")).status, 0);
  const finished done = b_.run({"import", "--under", "From a", out(), b_.root()});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_EQ(difference(tree_at(b_.root() + "/From a"), a_.everything()), "");
  EXPECT_EQ(b_.run({"import", "--under", "../out", out(), b_.root()}).status, 1);
  EXPECT_EQ(b_.run({"import", b_.root() + "/From a", b_.root()}).status, 1) << "inside itself";
  EXPECT_EQ(b_.run({"import", scratch_.path(), b_.root()}).status, 1) << "around it";
}

TEST_F(TakeOut, AnImportBesideAWatchIsSentByTheWatch) {
  ASSERT_NO_FATAL_FAILURE(a_.pair(b_, server_.url()));
  process watch = a_.start({"watch", a_.root()});
  ASSERT_TRUE(watch.wait_for_output("watching"));
  const std::string source = scratch_ / "plain";
  fs::create_directories(source);
  for (int i = 0; i < 40; ++i) std::ofstream(source + "/n" + std::to_string(i) + ".md") << "text " << i;
  const finished done = a_.run({"import", source, a_.root()});
  EXPECT_EQ(done.status, 0) << done.output;
  EXPECT_NE(done.output.find("40 copied"), std::string::npos) << done.output;
  EXPECT_TRUE(eventually([&] {
    return b_.run({"sync", b_.root()}).status == 0 && fs::exists(b_.root() + "/n39.md") &&
           difference(a_.tree(), b_.tree()).empty();
  }));
}

}  // namespace
}  // namespace obsync::test
