#include "core/new_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/scratch_folder.hpp"

namespace obsync {
namespace {

namespace fs = std::filesystem;

class NewFile : public testing::Test {
 protected:
  std::string text_of(const std::string& name) const {
    std::stringstream out;
    out << std::ifstream(scratch / name).rdbuf();
    return out.str();
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(scratch / name) << text;
  }

  test::scratch_folder scratch;
  std::unique_ptr<disk> files = make_posix_disk();
};

TEST_F(NewFile, AppearsOnlyWhenPublishedAndForItsOwnerAlone) {
  const auto made = new_file::begin(*files, scratch / "a");
  ASSERT_TRUE(made) << made.error().detail;
  ASSERT_TRUE((*made)->file().write_at(0, as_bytes("text")));
  EXPECT_FALSE(fs::exists(scratch / "a"));
  ASSERT_TRUE((*made)->publish());
  EXPECT_EQ(text_of("a"), "text");
  struct stat info {};
  ASSERT_EQ(::stat((scratch / "a").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  EXPECT_FALSE(fs::exists(scratch / "a.part"));
}

TEST_F(NewFile, LeavesNothingWhenItIsNotPublished) {
  {
    const auto made = new_file::begin(*files, scratch / "a");
    ASSERT_TRUE(made);
    ASSERT_TRUE((*made)->file().write_at(0, as_bytes("half")));
  }
  EXPECT_TRUE(fs::is_empty(scratch.path()));
}

TEST_F(NewFile, NeverReplacesWhatIsThereBeforeOrComesMeanwhile) {
  write("a", "precious");
  EXPECT_EQ(new_file::begin(*files, scratch / "a").error().code, errc::exists);
  const auto made = new_file::begin(*files, scratch / "b");
  ASSERT_TRUE(made);
  write("b", "came meanwhile");
  EXPECT_EQ((*made)->publish().error().code, errc::exists);
  EXPECT_EQ(text_of("a") + text_of("b"), "preciouscame meanwhile");
}

TEST_F(NewFile, ADanglingLinkCountsAsTaken) {
  fs::create_symlink(scratch / "nowhere", scratch / "a");
  EXPECT_EQ(new_file::begin(*files, scratch / "a").error().code, errc::exists);
  EXPECT_FALSE(fs::exists(scratch / "nowhere"));
}

TEST_F(NewFile, TakesAwayWhatAKilledWriterLeftButNothingThatIsBeingWritten) {
  write("a.part", "left behind, and longer than what comes");
  const auto made = new_file::begin(*files, scratch / "a");
  ASSERT_TRUE(made) << made.error().detail;
  ASSERT_TRUE((*made)->file().write_at(0, as_bytes("new")));
  const auto second = new_file::begin(*files, scratch / "a");
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, errc::exists);
  ASSERT_TRUE((*made)->publish());
  EXPECT_EQ(text_of("a"), "new");
}

TEST_F(NewFile, IsNotPublishedWhenSomebodyElseReplacedItsPart) {
  const auto made = new_file::begin(*files, scratch / "a");
  ASSERT_TRUE(made);
  ASSERT_TRUE((*made)->file().write_at(0, as_bytes("text")));
  fs::remove(scratch / "a.part");
  write("a.part", "other");
  EXPECT_EQ((*made)->publish().error().code, errc::unavailable);
  EXPECT_FALSE(fs::exists(scratch / "a"));
}

}  // namespace
}  // namespace obsync
