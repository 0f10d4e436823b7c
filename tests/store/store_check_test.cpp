#include "store/store_check.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>

#include "crypto/digest.hpp"
#include "store/blob_store.hpp"
#include "store/small_store.hpp"
#include "tests/support/catalog_fixture.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::store {
namespace {

using test::id_of;
namespace fs = std::filesystem;

const account_id family = id_of<account_id>(1);

class StoreCheck : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* folder : {"j", "b", "m"}) fs::create_directory(path(folder));
    auto small = open_small_writer({path("b")}).value();
    auto mirror = open_small_writer({path("m")}).value();
    const auto blobs = open_blob_store(*disk_, {path("b"), {path("m")}}).value();
    const auto catalog = open_catalog_writer({path("j")}, chunks_).value();
    const operation made = test::account_of(1, 1);
    ASSERT_TRUE(catalog->commit({&made, 1}).ok());
    const bytes small_body(100, 's'), large_body(100'000, 'l');
    small_ = chunk_sid{crypto::sha256(small_body).raw};
    large_ = chunk_sid{crypto::sha256(large_body).raw};
    const small_put put{family, small_, small_body, 1};
    ASSERT_TRUE(small->put({&put, 1}).ok() && mirror->put({&put, 1}).ok());
    auto upload = blobs->begin(family, large_, large_body.size()).value();
    ASSERT_TRUE(upload->write(large_body).ok() && upload->finish().ok());
    post_version post = test::post_of(1, 1);
    post.post.sids = {small_, large_};
    for (const chunk_sid& sid : post.post.sids) chunks_.held.insert({family, sid});
    const operation posted = post;
    ASSERT_TRUE(catalog->commit({&posted, 1})->front().ok());
  }

  std::string path(const std::string& name) const { return scratch_.path() + "/" + name; }
  std::string file_of(const std::string& volume) const {
    return path(volume) + "/" + large_.hex().substr(0, 2) + "/" + large_.hex() + "." + family.hex();
  }
  check_report check(bool deep) {
    return check_store(*disk_, {path("j"), path("b"), {path("m")}}, deep, [](const check_progress&) {})
        .value();
  }
  static void run_sql(const std::string& file, const std::string& text) {
    sqlite3* on = nullptr;
    ASSERT_EQ(sqlite3_open(file.c_str(), &on), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(on, text.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(on);
    sqlite3_close(on);
  }

  test::scratch_folder scratch_;
  std::unique_ptr<disk> disk_ = make_posix_disk();
  test::chunks_in_memory chunks_;
  chunk_sid small_, large_;
};

TEST_F(StoreCheck, OfAStoreInOrderFindsNothingAndCountsWhatItSaw) {
  const check_report shallow = check(false);
  EXPECT_TRUE(shallow.is_clean());
  EXPECT_EQ(shallow.references, 2);
  EXPECT_EQ(shallow.chunks, 0);
  const check_report deep = check(true);
  EXPECT_TRUE(deep.is_clean());
  EXPECT_EQ(deep.chunks, 4) << "two, and their copies";
  EXPECT_EQ(deep.bytes, 2 * (100 + 100'000));
}

TEST_F(StoreCheck, NamesEveryChunkThatAVersionNamesAndNobodyHas) {
  fs::remove(file_of("b"));
  run_sql(path("b") + "/small.db", "DELETE FROM chunk");
  const check_report found = check(false);
  ASSERT_EQ(found.failed.size(), 2u);
  for (const failed_chunk& one : found.failed) EXPECT_EQ(one.reason, "missing");
  EXPECT_TRUE(found.databases.empty());
}

TEST_F(StoreCheck, FindsRottenBytesOnEveryVolumeButOnlyWhenDeep) {
  std::fstream(file_of("m"), std::ios::in | std::ios::out).put('x');
  run_sql(path("b") + "/small.db", "UPDATE chunk SET body = zeroblob(100)");
  EXPECT_TRUE(check(false).is_clean());
  const check_report found = check(true);
  ASSERT_EQ(found.failed.size(), 2u);
  EXPECT_EQ(found.failed[0].sid, small_);
  EXPECT_EQ(found.failed[0].where, "primary");
  EXPECT_EQ(found.failed[1].sid, large_);
  EXPECT_EQ(found.failed[1].where, path("m"));
  for (const failed_chunk& one : found.failed) EXPECT_EQ(one.reason, "mismatch");
}

TEST_F(StoreCheck, SaysWhatTheLibrarySaysOfAnUnsoundDatabase) {
  run_sql(path("j") + "/catalog.db", "PRAGMA foreign_keys = OFF; DELETE FROM file");
  const check_report found = check(false);
  ASSERT_FALSE(found.databases.empty());
  EXPECT_NE(found.databases.front().find("refers to nothing"), std::string::npos) << found.databases.front();
}

TEST_F(StoreCheck, APageOfNoiseInADatabaseIsFound) {
  std::fstream file(path("b") + "/small.db", std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(2 * 8'192);
  file << std::string(8'192, '\xa5');
  file.close();
  EXPECT_FALSE(check(true).is_clean());
}

TEST_F(StoreCheck, ChangesNothing) {
  std::map<std::string, std::string> before;
  const auto read_all = [&] {
    std::map<std::string, std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(scratch_.path())) {
      if (!entry.is_regular_file() || entry.path().extension() == ".db-shm") continue;
      std::ifstream in(entry.path(), std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(in), {}};
      if (!text.empty()) out[entry.path()] = text;
    }
    return out;
  };
  std::ofstream(path("b") + "/tmp/7") << "an upload under way";
  before = read_all();
  check(true);
  EXPECT_EQ(read_all(), before);
}

}  // namespace
}  // namespace obsync::store
