// A server that lost chunks, and devices that still have them.
#include <gtest/gtest.h>

#include "client/sync/vault_sync.hpp"
#include "tests/support/sync_world.hpp"

namespace obsync::client {
namespace {

using namespace testing;

class Mend : public ::testing::Test {
 protected:
  void SetUp() override {
    a.folder.write("note.md", "hello");
    a.folder.write("other.md", "other");
    ASSERT_TRUE(a.round().up_to_date);
    whole_ = server.state.chunks;
    ASSERT_GE(whole_.size(), 2u);
    a.remote->before = [this](const std::string& call) -> std::optional<remote_error> {
      ++calls_[call];
      if (call == "put_chunk" && refusal_) return refused(*refusal_);
      return std::nullopt;
    };
  }

  void lose_everything() {
    for (auto& [id, file] : server.state.files)
      for (const auto& version : file.versions)
        for (const chunk_sid& sid : version.sids) server.state.chunks.erase(sid);
    ASSERT_LT(server.state.chunks.size(), whole_.size());
  }
  round_report verify() {
    round_scope scope;
    scope.verify = true;
    return a.sync->round(scope, a.progress);
  }

  memory_server server;
  device a{server, 1, "laptop"};
  std::map<chunk_sid, bytes> whole_;
  std::map<std::string, int> calls_;
  std::optional<wire::refusal> refusal_;
};

TEST_F(Mend, SendsTheSameChunksAgainAndNoVersion) {
  lose_everything();
  const auto posts = a.remote->posts();
  const auto report = verify();
  EXPECT_TRUE(report.up_to_date) << describe(report);
  EXPECT_EQ(report.mended, 2u);
  EXPECT_EQ(server.state.chunks, whole_);
  EXPECT_EQ(a.remote->posts(), posts);
  EXPECT_EQ(a.progress.notes.back(), "the server had lost parts of 2 files: they were sent again");
}

TEST_F(Mend, AsksOnceAndSendsNothingWhereNothingIsLost) {
  EXPECT_EQ(verify().mended, 0u);
  EXPECT_EQ(calls_["missing"], 1);
  EXPECT_EQ(calls_["put_chunk"], 0);
}

TEST_F(Mend, AskedForByNobodyHappensOnceADay) {
  lose_everything();
  EXPECT_EQ(a.round().mended, 0u);
  EXPECT_EQ(calls_["missing"], 0);
  a.advance_ms(86'400'000);
  EXPECT_EQ(a.round(std::set<std::string>{}).mended, 2u);
  EXPECT_EQ(a.round().mended, 0u);
  EXPECT_EQ(calls_["missing"], 1);
  EXPECT_EQ(server.state.chunks, whole_);
}

TEST_F(Mend, AFileThatWasEditedMeanwhileIsSentAsItIsAndNotAsItWas) {
  lose_everything();
  a.folder.write("note.md", "edited");
  const auto report = verify();
  EXPECT_TRUE(report.up_to_date) << describe(report);
  EXPECT_EQ(report.pushed, 1u);
  EXPECT_EQ(report.mended, 1u);
}

TEST_F(Mend, AFullServerIsTheFilesTroubleAndAReadOnlyDeviceSaysNothing) {
  lose_everything();
  refusal_ = wire::refusal::volume_full;
  EXPECT_EQ(verify().troubles.size(), 2u);
  refusal_ = wire::refusal::read_only;
  a.round();
  const auto report = verify();
  EXPECT_TRUE(report.up_to_date) << describe(report);
  EXPECT_EQ(report.mended, 0u);
  refusal_.reset();
  EXPECT_EQ(verify().mended, 2u);
}

}  // namespace
}  // namespace obsync::client
