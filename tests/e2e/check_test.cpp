// `obsyncd check` beside a running server and without one.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/e2e/raw_device.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::test {
namespace {

class Check : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(server_.start());
    raw_device device(server_, "family");
    ASSERT_TRUE(device.ok());
    seeded_random random(1);
    for (const std::size_t size : {1'000u, 200'000u}) {
      last_ = make_note(random, size);
      ASSERT_TRUE(device.server().put_chunk(last_.sid, last_.sealed).ok());
      ASSERT_TRUE(device.server().post_version(last_.file, last_.post).ok());
    }
  }

  finished check(std::vector<std::string> words = {}) const {
    words.insert(words.begin(), "check");
    words.push_back("--store.blobs_dir=" + scratch_.path() + "/blobs");
    return server_.operate(words);
  }
  static bool says(const finished& said, const std::string& text) {
    return said.output.find(text) != std::string::npos;
  }

  scratch_folder scratch_;
  server_process server_{scratch_.path()};
  made_note last_;
};

TEST_F(Check, IsOkBesideARunningServerAfterACrashAndAfterACleanStop) {
  const finished running = check({"--deep"});
  EXPECT_EQ(running.status, 0) << running.output;
  EXPECT_TRUE(says(running, "chunks verified: 2\n") && says(running, "result: ok\n")) << running.output;
  EXPECT_TRUE(says(running, "posture journal_root: ok 0700\n")) << running.output;
  server_.kill();
  EXPECT_EQ(check().status, 0) << check().output;
  ASSERT_TRUE(server_.start());
  ASSERT_EQ(server_.stop(), 0);
  EXPECT_EQ(check().status, 0);
}

TEST_F(Check, FailsAndNamesTheChunkThatIsGone) {
  const std::string sid = last_.sid.hex();
  std::filesystem::remove_all(scratch_ / ("blobs/v1/" + sid.substr(0, 2)));
  const finished said = check();
  EXPECT_EQ(said.status, 1);
  EXPECT_TRUE(says(said, "  " + sid) && says(said, ": missing (primary)")) << said.output;
  EXPECT_TRUE(says(said, "result: FAILED\n"));
  const finished json = check({"--json"});
  EXPECT_TRUE(says(json, "\"sid\":\"" + sid + "\"") && says(json, "\"result\":\"failed\"")) << json.output;
}

TEST_F(Check, SaysWhatIsWrongWithAModeAndLeavesItToTheNextStart) {
  ASSERT_EQ(server_.stop(), 0);
  namespace fs = std::filesystem;
  fs::permissions(scratch_ / "journal/v1/server.key", fs::perms::owner_all | fs::perms::group_read);
  const finished said = check();
  EXPECT_EQ(said.status, 1);
  EXPECT_TRUE(says(said, "posture server_key: wrong 0740, wanted 0600")) << said.output;
  ASSERT_TRUE(server_.start());
  EXPECT_NE(server_.log().find("event=posture object=server_key decision=repaired"), std::string::npos);
  EXPECT_EQ(check().status, 0);
}

TEST_F(Check, AWrongWordIsBadUsage) {
  EXPECT_EQ(check({"everything"}).status, 2);
}

TEST(PostureAtStart, AFolderThatAnybodyMayChangeIsRefusedWithAdvice) {
  const scratch_folder scratch;
  const std::string open = scratch.path() + "/open";
  std::filesystem::create_directory(open);
  std::filesystem::permissions(open, std::filesystem::perms::all);
  process server(std::string(OBSYNC_BINARY_DIR) + "/obsyncd",
                 {"serve", "--store.journal_dir=" + open + "/journal", "--store.blobs_dir=" + open + "/blobs",
                  "--server.listen=127.0.0.1:0"},
                 scratch / "log");
  EXPECT_EQ(server.wait(), 1);
  EXPECT_NE(server.output().find("writable_by_others"), std::string::npos) << server.output();
  EXPECT_NE(server.output().find("chmod o-w"), std::string::npos);
}

}  // namespace
}  // namespace obsync::test
