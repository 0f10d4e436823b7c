#include "tests/support/sim_disk.hpp"

#include <gtest/gtest.h>

namespace obsync::test {
namespace {

class SimDisk : public ::testing::Test {
 protected:
  std::string content(const std::string& path) {
    const auto file = on.open(path);
    if (!file.ok()) return "<none>";
    bytes out(100);
    out.resize((*file)->read_at(0, out).value());
    return std::string(as_text(out));
  }
  sim_disk on;
};

TEST_F(SimDisk, ForgetsAtACutWhatWasNotSynced) {
  const auto file = on.create("/a").value();
  ASSERT_TRUE(file->write_at(0, as_bytes("kept")).ok());
  ASSERT_TRUE(file->sync().ok());
  ASSERT_TRUE(on.sync_folder("/").ok());
  ASSERT_TRUE(file->write_at(0, as_bytes("lost")).ok());
  ASSERT_TRUE(on.create("/b").ok());
  on.power_cut(cut::drop);
  EXPECT_EQ(content("/a"), "kept");
  EXPECT_EQ(content("/b"), "<none>");
  EXPECT_EQ(file->sync().error().code, errc::io_failed);
}

TEST_F(SimDisk, ForgetsARenameWhoseFolderWasNotSynced) {
  ASSERT_TRUE(on.create("/a").ok());
  ASSERT_TRUE(on.sync_folder("/").ok());
  ASSERT_TRUE(on.rename("/a", "/b").ok());
  on.power_cut(cut::drop);
  EXPECT_EQ(content("/a"), "");
  EXPECT_EQ(content("/b"), "<none>");
}

TEST_F(SimDisk, LosesForGoodWhatAFailedSyncShouldHaveFlushed) {
  const auto file = on.create("/a").value();
  ASSERT_TRUE(on.sync_folder("/").ok());
  ASSERT_TRUE(file->write_at(0, as_bytes("x")).ok());
  on.fail_at(0, errc::io_failed);
  EXPECT_FALSE(file->sync().ok());
  EXPECT_TRUE(file->sync().ok());
  EXPECT_EQ(content("/a"), "x");
  on.power_cut(cut::drop);
  EXPECT_EQ(content("/a"), "");
}

TEST_F(SimDisk, WritesHalfWhenAWriteFails) {
  const auto file = on.create("/a").value();
  on.fail_at(0, errc::no_space);
  EXPECT_EQ(file->write_at(0, as_bytes("abcd")).error().code, errc::no_space);
  EXPECT_EQ(content("/a"), "ab");
}

TEST_F(SimDisk, TearsSomeUnsyncedWritesAtSomeSeed) {
  bool whole = false, half = false, none = false;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    sim_disk one(seed);
    const auto file = one.create("/a").value();
    ASSERT_TRUE(one.sync_folder("/").ok());
    ASSERT_TRUE(file->write_at(0, as_bytes("abcd")).ok());
    one.power_cut(cut::tear);
    const auto left = one.open("/a").value();
    bytes out(10);
    out.resize(left->read_at(0, out).value());
    whole = whole || as_text(out) == "abcd";
    half = half || as_text(out) == std::string_view("ab\0\0", 4);
    none = none || out.empty();
  }
  EXPECT_TRUE(whole && half && none);
}

}  // namespace
}  // namespace obsync::test
