// A device that may only read: it receives, sends nothing, and loses no edit.
#include <gtest/gtest.h>

#include "client/sync/vault_sync.hpp"
#include "tests/support/sync_world.hpp"

namespace obsync::client {
namespace {

using namespace testing;
using text_map = std::map<std::string, std::string>;

class ReadOnlyDevice : public ::testing::Test {
 protected:
  void SetUp() override {
    a.folder.write("note.md", "agreed");
    a.folder.write("other.md", "other");
    a.round();
    ASSERT_TRUE(b.round().up_to_date);
    forbid();
  }

  void forbid() {
    b.remote->before = [this](const std::string& call) -> std::optional<remote_error> {
      if (call != "put_chunk" && call != "post_version") return std::nullopt;
      ++refused_;
      return refused(wire::refusal::read_only);
    };
  }

  std::vector<std::string> troubled(const round_report& report) {
    std::vector<std::string> out;
    for (const file_trouble& one : report.troubles) {
      EXPECT_EQ(one.code, "read_only");
      out.push_back(one.path);
    }
    return out;
  }

  memory_server server;
  device a{server, 1, "laptop"};
  device b{server, 2, "tablet"};
  int refused_ = 0;
};

TEST_F(ReadOnlyDevice, GoesOnReceivingWhileItsOwnEditStaysHere) {
  b.folder.write("note.md", "edited on the tablet");
  a.folder.write("other.md", "newer");
  a.round();
  const auto report = b.round();
  EXPECT_FALSE(report.remote.has_value());
  EXPECT_EQ(troubled(report), std::vector<std::string>{"note.md"});
  EXPECT_EQ(b.folder.texts(), (text_map{{"note.md", "edited on the tablet"}, {"other.md", "newer"}}));
  EXPECT_EQ(a.folder.texts().at("note.md"), "agreed");
}

TEST_F(ReadOnlyDevice, KeepsItsEditBesideANewerVersion) {
  b.folder.write("note.md", "edited on the tablet");
  b.round();
  a.folder.write("note.md", "newer");
  a.round();
  b.round();
  const auto now = b.folder.texts();
  EXPECT_EQ(now.at("note.md"), "newer");
  ASSERT_EQ(now.size(), 3u);
  int copies = 0;
  for (const auto& [path, text] : now) copies += text == "edited on the tablet" ? 1 : 0;
  EXPECT_EQ(copies, 1);
  b.round();
  EXPECT_EQ(b.folder.texts(), now);
}

TEST_F(ReadOnlyDevice, AsksTheServerOnceARoundHoweverManyFilesChanged) {
  for (int i = 0; i < 20; ++i) b.folder.write("new " + std::to_string(i), std::to_string(i));
  EXPECT_EQ(troubled(b.round()).size(), 20u);
  EXPECT_EQ(refused_, 1);
}

TEST_F(ReadOnlyDevice, SendsOneBatchARoundHoweverManyItsFilesWouldFill) {
  b.remote->offers = wire::batch_limits{1, 1, 64 << 10, 16 << 20};
  b.remote->before = [this](const std::string& call) -> std::optional<remote_error> {
    if (call != "batch" && call != "put_chunk" && call != "post_version") return std::nullopt;
    ++refused_;
    return refused(wire::refusal::read_only);
  };
  for (int i = 0; i < 20; ++i) b.folder.write("new " + std::to_string(i), std::to_string(i));
  EXPECT_EQ(troubled(b.round()).size(), 20u);
  EXPECT_EQ(refused_, 1);
}

TEST_F(ReadOnlyDevice, TellsItsPersonOnce) {
  const auto told = [this] {
    return std::count_if(b.progress.notes.begin(), b.progress.notes.end(), [](const std::string& note) {
      return note.find("may only read") != std::string::npos;
    });
  };
  b.round();
  EXPECT_EQ(told(), 0);
  b.folder.write("note.md", "edited on the tablet");
  b.round();
  b.round();
  EXPECT_EQ(told(), 1);
}

TEST_F(ReadOnlyDevice, SendsWhatItKeptOnceItMayWriteAgain) {
  b.folder.write("note.md", "edited on the tablet");
  b.folder.remove("other.md");
  EXPECT_EQ(troubled(b.round()).size(), 2u);
  b.remote->before = nullptr;
  EXPECT_TRUE(b.round().up_to_date);
  a.round();
  EXPECT_EQ(a.folder.texts(), (text_map{{"note.md", "edited on the tablet"}}));
}

TEST_F(ReadOnlyDevice, LetsAFileComeBackThatItDeletedAndOthersEdited) {
  b.folder.remove("note.md");
  b.round();
  a.folder.write("note.md", "newer");
  a.round();
  b.round();
  EXPECT_EQ(b.folder.texts().at("note.md"), "newer");
}

}  // namespace
}  // namespace obsync::client
