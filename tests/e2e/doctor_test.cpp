// `obsyncd doctor` beside a server that is well, and beside what can be wrong with one.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "tests/support/scratch_folder.hpp"
#include "tests/support/server_process.hpp"

namespace obsync::test {
namespace {

namespace fs = std::filesystem;

class Doctor : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(server_.start()); }

  // What `words` say comes last, and counts.
  finished look(const std::vector<std::string>& words = {}) const {
    std::vector<std::string> all{"doctor", "--store.blobs_dir=" + scratch_.path() + "/blobs",
                                 "--store.free_watermark=1%,1MiB",
                                 "--server.listen=127.0.0.1:" + std::to_string(server_.port())};
    all.insert(all.end(), words.begin(), words.end());
    return server_.operate(all);
  }
  static bool says(const finished& said, const std::string& text) {
    return said.output.find(text) != std::string::npos;
  }

  scratch_folder scratch_;
  server_process server_{scratch_.path()};
};

TEST_F(Doctor, FindsNothingWrongWithAFreshServer) {
  const finished said = look({"--server.public_url=http://localhost:" + std::to_string(server_.port())});
  EXPECT_EQ(said.status, 0) << said.output;
  EXPECT_FALSE(says(said, "\nwrong ")) << said.output;
  for (const char* line : {"ok posture: journal_root: ok 0700\n", "ok server: ready at 127.0.0.1:",
                           "ok reachability: http://localhost:", "ok scrub: ", ": a flush takes "})
    EXPECT_TRUE(says(said, line)) << line << "\n" << said.output;
}

TEST_F(Doctor, LeavesNoFileBehind) {
  const auto files = [&] {
    std::set<std::string> out;
    for (const auto& one : fs::recursive_directory_iterator(scratch_.path()))
      if (one.path().string().find("/operation") == std::string::npos) out.insert(one.path());
    return out;
  };
  const auto before = files();
  look();
  for (const std::string& path : files())
    EXPECT_TRUE(before.contains(path) || !path.starts_with(scratch_ / "journal"));
}

TEST_F(Doctor, SaysThatNobodyAnswersAndHowToStartIt) {
  ASSERT_EQ(server_.stop(), 0);
  const finished said = look();
  EXPECT_EQ(said.status, 1);
  EXPECT_TRUE(says(said, "wrong server: nobody answers at 127.0.0.1:")) << said.output;
  EXPECT_TRUE(says(said, "  -> start it: ")) << said.output;
}

TEST_F(Doctor, NamesTheModeOfASecretThatOthersCanRead) {
  fs::permissions(scratch_ / "journal/v1/server.key", fs::perms::owner_all | fs::perms::group_read);
  const finished said = look();
  EXPECT_EQ(said.status, 1);
  EXPECT_TRUE(says(said, "wrong posture: server_key: wrong 0740, wanted 0600")) << said.output;
}

TEST_F(Doctor, SaysWhenThePublicAddressLeadsToNobodyOrToSomebodyElse) {
  const finished nobody = look({"--server.public_url=http://127.0.0.1:1"});
  EXPECT_EQ(nobody.status, 1);
  EXPECT_TRUE(says(nobody, "wrong reachability: http://127.0.0.1:1 cannot be reached")) << nobody.output;
  const finished below =
      look({"--server.public_url=http://127.0.0.1:" + std::to_string(server_.port()) + "/elsewhere"});
  EXPECT_EQ(below.status, 1);
  EXPECT_TRUE(says(below, " answers 404 where obsync says 200")) << below.output;
}

TEST_F(Doctor, SaysWhenAVolumeHasNoRoomLeftOrIsMissing) {
  const finished full = look({"--store.free_watermark=99%,1MiB"});
  EXPECT_TRUE(says(full, "are kept free")) << full.output;
  const finished missing = look({"--store.blobs_mirrors=" + scratch_.path() + "/nowhere"});
  EXPECT_EQ(missing.status, 1);
  EXPECT_TRUE(says(missing, "/nowhere: is not there")) << missing.output;
}

TEST_F(Doctor, SpeaksJsonAndRefusesAWrongWord) {
  const finished said = look({"--json"});
  EXPECT_EQ(said.status, 0) << said.output;
  EXPECT_TRUE(says(said, R"({"about":"clock","grade":)")) << said.output;
  EXPECT_TRUE(says(said, R"("result":"ok"})")) << said.output;
  EXPECT_EQ(look({"everything"}).status, 2);
}

}  // namespace
}  // namespace obsync::test
