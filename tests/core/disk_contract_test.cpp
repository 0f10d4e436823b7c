// What every disk keeps, asked of the machine's and of the simulated one.
#include "core/disk.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/scratch_folder.hpp"
#include "tests/support/sim_disk.hpp"

namespace obsync {
namespace {

enum class kind { posix, simulated };

class DiskContract : public ::testing::TestWithParam<kind> {
 protected:
  void SetUp() override {
    if (GetParam() == kind::posix) {
      on = make_posix_disk();
      root = folder.path();
    } else {
      on = std::make_unique<test::sim_disk>();
    }
  }

  std::string at(const std::string& name) const { return root + "/" + name; }

  std::unique_ptr<disk_file> make(const std::string& name, std::string_view content) {
    auto file = on->create(at(name)).value();
    EXPECT_TRUE(file->write_at(0, as_bytes(content)).ok());
    return file;
  }

  std::string read(const std::string& name) {
    const auto file = on->open(at(name));
    if (!file.ok()) return "<" + std::string(obsync::name(file.error().code)) + ">";
    bytes content(1000);
    content.resize((*file)->read_at(0, content).value());
    return std::string(as_text(content));
  }

  std::vector<std::string> names(const std::string& folder_name) {
    std::vector<std::string> out;
    const auto entries = on->list(at(folder_name)).value();
    for (const auto& entry : entries) out.push_back(entry.name);
    std::sort(out.begin(), out.end());
    return out;
  }

  test::scratch_folder folder;
  std::string root;
  std::unique_ptr<disk> on;
};

TEST_P(DiskContract, CreatesAFileOnce) {
  make("a", "1");
  EXPECT_EQ(on->create(at("a")).error().code, errc::exists);
  EXPECT_EQ(read("a"), "1");
}

TEST_P(DiskContract, CreatesNothingInAnAbsentFolder) {
  EXPECT_EQ(on->create(at("no/a")).error().code, errc::not_found);
}

TEST_P(DiskContract, WritesAtAnOffsetAndFillsTheGapWithZeros) {
  const auto file = make("a", "xy");
  ASSERT_TRUE(file->write_at(1, as_bytes("z")).ok());
  ASSERT_TRUE(file->write_at(4, as_bytes("!")).ok());
  ASSERT_TRUE(file->sync().ok());
  EXPECT_EQ(read("a"), std::string("xz\0\0!", 5));
  EXPECT_EQ(*file->size(), 5u);
  EXPECT_EQ(*on->size_of(at("a")), 5u);
}

TEST_P(DiskContract, ReadsLessOnlyAtTheEnd) {
  make("a", "abcdef");
  const auto file = on->open(at("a")).value();
  bytes out(4);
  EXPECT_EQ(*file->read_at(1, out), 4u);
  EXPECT_EQ(as_text(out), "bcde");
  EXPECT_EQ(*file->read_at(4, out), 2u);
  EXPECT_EQ(*file->read_at(6, out), 0u);
  EXPECT_EQ(*file->read_at(100, out), 0u);
}

TEST_P(DiskContract, OpensOnlyWhatIsAFile) {
  EXPECT_EQ(on->open(at("a")).error().code, errc::not_found);
  EXPECT_EQ(on->size_of(at("a")).error().code, errc::not_found);
  ASSERT_TRUE(on->make_folder(at("f")).ok());
  EXPECT_EQ(on->open(at("f")).error().code, errc::invalid);
}

TEST_P(DiskContract, RenamesOverAnExistingFile) {
  make("a", "1");
  make("b", "2");
  ASSERT_TRUE(on->rename(at("a"), at("b")).ok());
  EXPECT_EQ(read("a"), "<not_found>");
  EXPECT_EQ(read("b"), "1");
  EXPECT_EQ(on->rename(at("a"), at("b")).error().code, errc::not_found);
}

TEST_P(DiskContract, RenamesBetweenFolders) {
  ASSERT_TRUE(on->make_folder(at("f")).ok());
  make("a", "1");
  ASSERT_TRUE(on->rename(at("a"), at("f/b")).ok());
  EXPECT_EQ(read("f/b"), "1");
  EXPECT_EQ(on->rename(at("f/b"), at("no/c")).error().code, errc::not_found);
}

TEST_P(DiskContract, RemovesAFileOnceAndKeepsItForWhoeverHasItOpen) {
  make("a", "1");
  const auto file = on->open(at("a")).value();
  ASSERT_TRUE(on->remove(at("a")).ok());
  EXPECT_EQ(on->remove(at("a")).error().code, errc::not_found);
  bytes out(1);
  EXPECT_EQ(*file->read_at(0, out), 1u);
  EXPECT_EQ(as_text(out), "1");
}

TEST_P(DiskContract, MakesAFolderAlsoWhenItIsThere) {
  EXPECT_TRUE(on->make_folder(at("f")).ok());
  EXPECT_TRUE(on->make_folder(at("f")).ok());
  EXPECT_TRUE(on->sync_folder(at("f")).ok());
  make("a", "1");
  EXPECT_EQ(on->make_folder(at("a")).error().code, errc::invalid);
  EXPECT_EQ(on->make_folder(at("no/f")).error().code, errc::not_found);
}

TEST_P(DiskContract, ListsNamesAndKinds) {
  ASSERT_TRUE(on->make_folder(at("f")).ok());
  ASSERT_TRUE(on->make_folder(at("f/sub")).ok());
  make("f/a", "1");
  EXPECT_EQ(names("f"), (std::vector<std::string>{"a", "sub"}));
  const auto entries = on->list(at("f")).value();
  for (const auto& entry : entries) {
    EXPECT_EQ(entry.kind, entry.name == "a" ? disk_kind::file : disk_kind::folder);
  }
  EXPECT_EQ(on->list(at("no")).error().code, errc::not_found);
  EXPECT_EQ(on->sync_folder(at("no")).error().code, errc::not_found);
}

TEST_P(DiskContract, KnowsItsRoom) {
  const auto room = on->room(root.empty() ? "/" : root);
  ASSERT_TRUE(room.ok());
  EXPECT_GT(room->total_bytes, 0u);
  EXPECT_LE(room->free_bytes, room->total_bytes);
}

INSTANTIATE_TEST_SUITE_P(Disks, DiskContract, ::testing::Values(kind::posix, kind::simulated),
                         [](const auto& of) { return of.param == kind::posix ? "Posix" : "Simulated"; });

}  // namespace
}  // namespace obsync
