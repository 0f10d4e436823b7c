// A catalog as the first version left it becomes one of today, with everything in it.
#include "store/catalog_schema.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <fstream>

#include "tests/support/catalog_fixture.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::store {
namespace {

// tests/store/catalog_1.sql is what the first version wrote, as text: its tables and rows. Never to be
// edited.
std::string first_version() {
  std::ifstream in(std::string(OBSYNC_SOURCE_DIR) + "/tests/store/catalog_1.sql", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class CatalogMigration : public testing::Test {
 protected:
  void SetUp() override {
    const std::string text = first_version();
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

TEST_F(CatalogMigration, LetsTheOldAccountBeUsedAndTheNewActsBeDone) {
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
