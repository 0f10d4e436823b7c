// A catalog as the first version left it becomes one of today, with everything in it.
#include "store/catalog_schema.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <fstream>

#include "tests/support/catalog_fixture.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::store {
namespace {

// tests/store/catalog_N.sql is what version N wrote, as text: its tables and rows. Never to be edited.
std::string text_of_version(int version) {
  std::ifstream in(
      std::string(OBSYNC_SOURCE_DIR) + "/tests/store/catalog_" + std::to_string(version) + ".sql",
      std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class CatalogMigration : public testing::Test {
 protected:
  void write(int version) {
    const std::string text = text_of_version(version);
    ASSERT_FALSE(text.empty());
    sqlite3* file = nullptr;
    ASSERT_EQ(sqlite3_open((scratch_.path() + "/catalog.db").c_str(), &file), SQLITE_OK);
    char* wrong = nullptr;
    ASSERT_EQ(sqlite3_exec(file, text.c_str(), nullptr, nullptr, &wrong), SQLITE_OK) << wrong;
    sqlite3_close(file);
  }

  test::scratch_folder scratch_;
  test::chunks_in_memory chunks_;
};

TEST_F(CatalogMigration, KeepsWhatTheFirstVersionStored) {
  write(1);
  ASSERT_TRUE(open_catalog_writer({scratch_.path()}, chunks_).ok());
  const auto reader = open_catalog_reader({scratch_.path()});
  ASSERT_TRUE(reader.ok()) << reader.error().detail;
  const auto accounts = *(*reader)->accounts();
  ASSERT_EQ(accounts.size(), 1u);
  EXPECT_EQ(accounts[0].name, "family");
  EXPECT_EQ(accounts[0].head, 2);
  EXPECT_FALSE(accounts[0].invited);
  EXPECT_EQ(accounts[0].disabled_ms, std::nullopt);
  EXPECT_EQ(accounts[0].delete_after_ms, std::nullopt);
  const auto devices = *(*reader)->devices();
  ASSERT_EQ(devices.size(), 2u);
  for (const device_row& device : devices) EXPECT_FALSE(device.read_only);
  EXPECT_EQ((*(*reader)->changes(accounts[0].id, 0, 10, 1 << 20)).changes.size(), 2u);
  EXPECT_TRUE((*(*reader)->audit(std::nullopt, 10)).empty());
}

TEST_F(CatalogMigration, KeepsWhatTheSecondVersionStored) {
  write(2);
  ASSERT_TRUE(open_catalog_writer({scratch_.path()}, chunks_).ok());
  const auto reader = open_catalog_reader({scratch_.path()});
  ASSERT_TRUE(reader.ok()) << reader.error().detail;
  const auto invitations = *(*reader)->invitations();
  ASSERT_EQ(invitations.size(), 1u);
  EXPECT_EQ(invitations[0].name, "anna");
  const auto devices = *(*reader)->devices();
  ASSERT_EQ(devices.size(), 2u);
  EXPECT_TRUE(devices[1].read_only);
  EXPECT_EQ((*(*reader)->audit(std::nullopt, 10)).size(), 1u);
  EXPECT_EQ((*(*reader)->changes((*(*reader)->accounts())[0].id, 0, 10, 1 << 20)).changes.size(), 2u);
}

TEST_F(CatalogMigration, LetsTheOldAccountBeUsedAndTheNewActsBeDone) {
  write(1);
  auto writer = open_catalog_writer({scratch_.path()}, chunks_);
  ASSERT_TRUE(writer.ok());
  const std::vector<operation> batch{
      test::post_of(9, 9),
      create_invitation{{test::id_of<digest>(1), "guest", {}, 1, 2, {}}, {0, {}}},
      disable_account{test::id_of<account_id>(1), {0, {}}, 1},
  };
  const auto done = (*writer)->commit(batch);
  ASSERT_TRUE(done.ok());
  for (const commit_outcome& one : *done) EXPECT_TRUE(one.ok()) << one.error().detail;
}

}  // namespace
}  // namespace obsync::store
