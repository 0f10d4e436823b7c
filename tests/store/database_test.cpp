#include "store/database.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "store/catalog_schema.hpp"
#include "tests/support/faulty_vfs.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::store {
namespace {

using test::scratch_folder;

constexpr std::string_view one_step[] = {"CREATE TABLE thing (n INTEGER); INSERT INTO thing VALUES (1);"};
constexpr std::string_view two_steps[] = {one_step[0], "UPDATE thing SET n = n + 10;"};
constexpr std::string_view broken_steps[] = {one_step[0],
                                             "UPDATE thing SET n = 5; UPDATE nothing SET n = 1;"};
constexpr schema first = {"thing", 77, one_step};
constexpr schema second = {"thing", 77, two_steps};
constexpr schema broken = {"thing", 77, broken_steps};

database_options in(const scratch_folder& folder) {
  return {folder.path(), "thing.db", 1 << 20};
}

std::string content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

unsigned mode_of(const std::string& path) {
  struct stat info {};
  EXPECT_EQ(::stat(path.c_str(), &info), 0) << path;
  return info.st_mode & 0777;
}

TEST(Database, IsMadeWithTheDocumentedSettings) {
  scratch_folder folder;
  const auto on = open_for_writing(in(folder), first);
  ASSERT_TRUE(on.ok()) << on.error().detail;
  EXPECT_EQ((*on)->number("PRAGMA page_size"), 8192);
  EXPECT_EQ((*on)->number("PRAGMA auto_vacuum"), 2);  // incremental
  EXPECT_EQ((*on)->number("PRAGMA synchronous"), 2);  // full
  EXPECT_EQ((*on)->number("PRAGMA foreign_keys"), 1);
  EXPECT_EQ((*on)->number("PRAGMA cache_size"), -1024);
  EXPECT_EQ((*on)->number("PRAGMA wal_autocheckpoint"), 1000);
  EXPECT_EQ((*on)->number("PRAGMA application_id"), 77);
  EXPECT_EQ((*on)->number("PRAGMA user_version"), 1);
}

TEST(Database, IsReadableByItsOwnerOnlyAsAreItsLogAndItsSharedMemory) {
  scratch_folder folder;
  const auto on = open_for_writing(in(folder), first);
  ASSERT_TRUE(on.ok());
  (*on)->run("UPDATE thing SET n = 2");
  for (const char* name : {"thing.db", "thing.db-wal", "thing.db-shm"}) {
    EXPECT_EQ(mode_of(folder / name), 0600u) << name;
  }
}

TEST(Database, TakesTheUpgradeStepsItHasNotTakenYet) {
  scratch_folder folder;
  ASSERT_TRUE(open_for_writing(in(folder), first).ok());
  for (int opening = 0; opening < 2; ++opening) {
    const auto on = open_for_writing(in(folder), second);
    ASSERT_TRUE(on.ok());
    EXPECT_EQ((*on)->number("SELECT n FROM thing"), 11);
    EXPECT_EQ((*on)->number("PRAGMA user_version"), 2);
  }
}

TEST(Database, StaysAtItsVersionWhenAnUpgradeFails) {
  scratch_folder folder;
  ASSERT_TRUE(open_for_writing(in(folder), first).ok());
  EXPECT_FALSE(open_for_writing(in(folder), broken).ok());
  const auto on = open_for_writing(in(folder), first);
  ASSERT_TRUE(on.ok());
  EXPECT_EQ((*on)->number("SELECT n FROM thing"), 1);
}

TEST(Database, KeepsACopyOfWhatItWasBeforeAnUpgradeAndOnlyThen) {
  scratch_folder folder;
  {
    const auto on = open_for_writing(in(folder), first);
    ASSERT_TRUE(on.ok());
    (*on)->run("UPDATE thing SET n = 3");
  }
  std::ofstream(folder / "thing.db.schema-1.part") << "left by a crash in the middle of a copy";
  ASSERT_TRUE(open_for_writing(in(folder), second).ok());
  const std::string copy = folder / "thing.db.schema-1";
  EXPECT_EQ(mode_of(copy), 0600u);
  EXPECT_FALSE(std::filesystem::exists(copy + ".part"));
  const std::string kept = content(copy);
  ASSERT_TRUE(open_for_writing(in(folder), second).ok());
  EXPECT_EQ(content(copy), kept);

  scratch_folder back;
  std::filesystem::copy_file(copy, back / "thing.db");
  const auto on = open_for_writing(in(back), first);
  ASSERT_TRUE(on.ok()) << on.error().detail;
  EXPECT_EQ((*on)->number("SELECT n FROM thing"), 3);
}

TEST(Database, IsCopiedWithWhatAKilledProcessLeftInItsLog) {
  scratch_folder folder, killed, back;
  {
    const auto on = open_for_writing(in(folder), first);
    ASSERT_TRUE(on.ok());
    (*on)->run("UPDATE thing SET n = 3");
    for (const char* name : {"thing.db", "thing.db-wal"})
      std::filesystem::copy_file(folder / name, killed / name);
  }
  ASSERT_TRUE(open_for_writing(in(killed), second).ok());
  std::filesystem::copy_file(killed / "thing.db.schema-1", back / "thing.db");
  EXPECT_EQ((*open_for_writing(in(back), first))->number("SELECT n FROM thing"), 3);
}

// A check or a backup that reads beside the start keeps the log from being moved into the file.
TEST(Database, IsCopiedWholeWhileSomebodyReadsIt) {
  scratch_folder folder, back;
  const auto before = open_for_writing(in(folder), first);
  ASSERT_TRUE(before.ok());
  const auto beside = open_for_reading(in(folder), first);
  ASSERT_TRUE(beside.ok());
  (*beside)->run("BEGIN");
  ASSERT_EQ((*beside)->number("SELECT n FROM thing"), 1);
  (*before)->run("UPDATE thing SET n = 3");
  ASSERT_TRUE(open_for_writing(in(folder), second).ok());
  std::filesystem::copy_file(folder / "thing.db.schema-1", back / "thing.db");
  EXPECT_EQ((*open_for_writing(in(back), first))->number("SELECT n FROM thing"), 3);
}

TEST(Database, IsNotUpgradedWhereNoCopyCanBeKept) {
  scratch_folder folder;
  ASSERT_TRUE(open_for_writing(in(folder), first).ok());
  std::filesystem::create_directories(folder / "thing.db.schema-1/taken");
  const auto refused = open_for_writing(in(folder), second);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().detail.find("before its upgrade"), std::string::npos) << refused.error().detail;
  EXPECT_EQ((*open_for_writing(in(folder), first))->number("SELECT n FROM thing"), 1);
}

TEST(Database, RefusesANewerSchemaNamingBothVersionsAndChangesNothing) {
  scratch_folder folder;
  ASSERT_TRUE(open_for_writing(in(folder), second).ok());
  const std::string before = content(folder / "thing.db");
  for (const auto open : {open_for_writing, open_for_reading}) {
    const auto refused = open(in(folder), first);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, errc::unsupported);
    EXPECT_NE(refused.error().detail.find("schema 2"), std::string::npos);
    EXPECT_NE(refused.error().detail.find("up to 1"), std::string::npos);
    EXPECT_EQ(content(folder / "thing.db"), before);
  }
}

TEST(Database, LeavesTheLogOfANewerSchemaWhereItIs) {
  scratch_folder folder, killed;
  {
    const auto on = open_for_writing(in(folder), second);
    ASSERT_TRUE(on.ok());
    (*on)->run("UPDATE thing SET n = 12");
    for (const char* name : {"thing.db", "thing.db-wal"}) {
      std::filesystem::copy_file(folder / name, killed / name);
    }
  }
  const std::string log = content(killed / "thing.db-wal");
  ASSERT_FALSE(log.empty());
  for (const auto open : {open_for_writing, open_for_reading}) {
    EXPECT_EQ(open(in(killed), first).error().code, errc::unsupported);
    EXPECT_EQ(content(killed / "thing.db-wal"), log);
  }
  EXPECT_EQ((*open_for_writing(in(killed), second))->number("SELECT n FROM thing"), 12);
}

// The change of mode is committed by the very last call of its statement. Without the log a commit would not
// be durable when it is answered, so a database that kept its rollback journal must not be used.
TEST(Database, IsNotOpenedWhereItsLogCouldNotBeBegun) {
  int refused = 0;
  for (std::uint64_t n = 0;; ++n) {
    test::faulty_vfs files;
    scratch_folder folder;
    {
      std::ofstream(folder / "thing.db").flush();
      const auto old = sql::connection::open(folder / "thing.db");
      ASSERT_TRUE(old.ok());
      (*old)->run(std::string(one_step[0]) + "PRAGMA application_id = 77; PRAGMA user_version = 1;");
      ASSERT_FALSE((*old)->failed());
    }
    files.fail_once_at(n, test::vfs_fault::input_output);
    const auto on = open_for_writing(in(folder), first);
    if (!on.ok()) ++refused;
    const bool reached = files.fault_was_reached();
    files.heal();
    if (!on.ok()) continue;
    sql::statement mode(**on, "PRAGMA journal_mode");
    sql::cursor row = mode.query();
    ASSERT_TRUE(row.next());
    ASSERT_EQ(row.text(0), "wal") << "operation " << n;
    if (!reached) break;
  }
  EXPECT_GT(refused, 3);
}

TEST(Database, RefusesAnotherProgramsFileAndChangesNothing) {
  scratch_folder folder;
  constexpr schema other = {"other", 78, two_steps};
  ASSERT_TRUE(open_for_writing(in(folder), other).ok());
  const std::string before = content(folder / "thing.db");
  EXPECT_EQ(open_for_writing(in(folder), first).error().code, errc::invalid);
  EXPECT_EQ(content(folder / "thing.db"), before);
}

TEST(Database, RefusesAFileThatIsNoDatabaseAndChangesNothing) {
  scratch_folder folder;
  const std::string text(10'000, 'x');
  std::ofstream(folder / "thing.db", std::ios::binary) << text;
  EXPECT_EQ(open_for_writing(in(folder), first).error().code, errc::corrupt);
  EXPECT_EQ(content(folder / "thing.db"), text);
}

TEST(Database, IsNotReadBeforeItWasWritten) {
  scratch_folder folder;
  EXPECT_EQ(open_for_reading(in(folder), first).error().code, errc::not_found);
  std::ofstream(folder / "thing.db").flush();
  EXPECT_EQ(open_for_reading(in(folder), first).error().code, errc::unavailable);
}

TEST(Database, TakesNoChangesFromAReader) {
  scratch_folder folder;
  const auto writer = open_for_writing(in(folder), first);
  const auto reader = open_for_reading(in(folder), first);
  ASSERT_TRUE(reader.ok());
  (*reader)->run("UPDATE thing SET n = 9");
  EXPECT_TRUE((*reader)->failed());
  EXPECT_EQ((*writer)->number("SELECT n FROM thing"), 1);
}

// A process killed between writing its log and flushing it leaves a log that reads as committed. What an
// opened database shows must survive a power cut all the same, for it will be answered as stored.
TEST(Database, FlushesWhatAKilledProcessLeftUnflushed) {
  test::faulty_vfs files;
  scratch_folder folder, killed, after;
  {
    const auto on = open_for_writing(in(folder), first);
    ASSERT_TRUE(on.ok());
    (*on)->run("PRAGMA synchronous = OFF");
    (*on)->run("UPDATE thing SET n = 2");
    for (const char* name : {"thing.db", "thing.db-wal"}) {
      std::filesystem::copy_file(folder / name, killed / name);
    }
  }
  const auto on = open_for_writing(in(killed), first);
  ASSERT_TRUE(on.ok());
  ASSERT_EQ((*on)->number("SELECT n FROM thing"), 2);
  files.copy_durable(killed.path(), after.path());
  const auto survived = open_for_writing(in(after), first);
  ASSERT_TRUE(survived.ok()) << survived.error().detail;
  EXPECT_EQ((*survived)->number("SELECT n FROM thing"), 2);
}

TEST(CatalogSchema, KeepsTheAuditTableAppendOnly) {
  scratch_folder folder;
  const auto on = open_for_writing(in(folder), catalog_schema);
  ASSERT_TRUE(on.ok()) << on.error().detail;
  (*on)->run("INSERT INTO audit (account, ts_ms, event, detail) VALUES (1, 2, 'e', 'd')");
  EXPECT_FALSE((*on)->failed());
  for (const char* change : {"UPDATE audit SET detail = ''", "DELETE FROM audit"}) {
    (*on)->run(change);
    ASSERT_TRUE((*on)->failed()) << change;
    EXPECT_NE((*on)->take_failure().detail.find("append-only"), std::string::npos);
  }
  EXPECT_EQ((*on)->number("SELECT count(*) FROM audit WHERE detail = 'd'"), 1);
}

}  // namespace
}  // namespace obsync::store
