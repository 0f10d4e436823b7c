// Backups of a real store on real files, and what happens when an operation on them fails.
#include "store/backup.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "crypto/digest.hpp"
#include "store/catalog.hpp"
#include "store/small_store.hpp"
#include "tests/support/catalog_fixture.hpp"
#include "tests/support/faulty_disk.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::store {
namespace {

using test::id_of;
namespace fs = std::filesystem;

const account_id family = id_of<account_id>(1);
constexpr std::int64_t noon = 1'796'126'400'000;  // 2026-12-01 12:00:00 UTC

// Every point of failure by hand: TEST_EVERY_POINT=1. Otherwise some, others each time the code moves.
std::uint64_t stride() {
  return std::getenv("TEST_EVERY_POINT") != nullptr ? 1 : 9;
}

void nobody(const copy_report&) {}
void no_one(const check_progress&) {}

class Backup : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* folder : {"j", "j/v1", "b", "b/v1"}) fs::create_directory(path(folder));
    std::ofstream(path("j/v1/server.key")) << std::string(64, 'a') << "\n";
    small_ = open_small_writer({path("b/v1")}).value();
    blobs_ = open_blob_store(*real_, {path("b/v1"), {}}).value();
    catalog_ = open_catalog_writer({path("j/v1")}, chunks_).value();
    const operation made = test::account_of(1, 1);
    ASSERT_TRUE(catalog_->commit({&made, 1}).ok());
  }

  std::string path(const std::string& name) const { return scratch_.path() + "/" + name; }
  check_places live() const { return {path("j/v1"), path("b/v1")}; }

  // One version of a file of its own.
  chunk_sid post(std::uint64_t number, std::size_t size) {
    bytes body(size, static_cast<std::uint8_t>(number));
    for (std::size_t at = 0; at < 8; ++at) body[at] = static_cast<std::uint8_t>(number >> (8 * at));
    const chunk_sid sid{crypto::sha256(body).raw};
    if (size > 64 << 10) {
      auto upload = blobs_->begin(family, sid, size).value();
      EXPECT_TRUE(upload->write(body).ok() && upload->finish().ok());
    } else {
      const small_put put{family, sid, body, 1};
      EXPECT_TRUE(small_->put({&put, 1}).ok());
    }
    chunks_.held.insert({family, sid});
    post_version out = test::post_of(number, 1'000 + number);
    out.post.sids = {sid};
    const operation asked = out;
    EXPECT_TRUE(catalog_->commit({&asked, 1})->front().ok());
    return sid;
  }
  void fill(std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t number = from; number <= to; ++number) post(number, number % 3 == 0 ? 100'000 : 500);
  }

  result<backup_report> create(std::int64_t minutes = 0, disk* on = nullptr) {
    return create_backup(on != nullptr ? *on : *real_, live(), path("backup"), noon + minutes * 60'000,
                         nobody);
  }
  bool verifies(const std::string& name) {
    const auto found = verify_backup(*real_, path("backup"), name, true, no_one);
    return found.ok() && found->is_clean();
  }
  std::size_t versions_in(const std::string& journal) {
    const auto reader = open_catalog_reader({journal});
    EXPECT_TRUE(reader.ok()) << reader.error().detail;
    return (*reader)->changes(family, 0, 1'000, 1 << 24)->changes.size();
  }

  test::scratch_folder scratch_;
  std::unique_ptr<disk> real_ = make_posix_disk();
  test::chunks_in_memory chunks_;
  std::unique_ptr<small_writer> small_;
  std::unique_ptr<blob_store> blobs_;
  std::unique_ptr<catalog_writer> catalog_;
};

TEST_F(Backup, HoldsEverythingAndCanBeVerified) {
  fill(1, 9);
  const auto made = create();
  ASSERT_TRUE(made.ok()) << made.error().detail;
  EXPECT_EQ(made->name, "20261201T120000Z");
  EXPECT_EQ(made->chunks.copied, 9);
  EXPECT_EQ(made->chunks.bytes, 3 * 100'000 + 6 * 500);
  EXPECT_EQ(made->chunks.lacking, 0);
  EXPECT_TRUE(verifies(made->name));
  EXPECT_EQ(*list_backups(*real_, path("backup")), (std::vector{made->name}));
}

TEST_F(Backup, ASecondRunOfAnUnchangedStoreCopiesNoChunk) {
  fill(1, 9);
  ASSERT_TRUE(create().ok());
  const auto again = create(1);
  ASSERT_TRUE(again.ok()) << again.error().detail;
  EXPECT_EQ(again->chunks.copied, 0);
  EXPECT_EQ(again->chunks.bytes, 0);
  EXPECT_EQ(again->chunks.kept, 9);
}

TEST_F(Backup, ARestoredStoreIsTheSnapshotInAnotherLife) {
  fill(1, 6);
  ASSERT_TRUE(create().ok());
  fill(7, 9);
  const epoch_id before = *open_catalog_reader({path("j/v1")}).value()->epoch();
  for (const char* folder : {"j2", "b2"}) fs::create_directory(path(folder));
  seeded_random random(1);
  const auto done = restore_backup(*real_, path("backup"), "20261201T120000Z", {path("j2/v1"), path("b2/v1")},
                                   9'999, random, nobody);
  ASSERT_TRUE(done.ok()) << done.error().detail;
  EXPECT_EQ(done->copied, 6);
  EXPECT_EQ(versions_in(path("j2/v1")), 6u);
  const auto reader = open_catalog_reader({path("j2/v1")}).value();
  EXPECT_NE(*reader->epoch(), before);
  EXPECT_EQ(reader->devices()->front().horizon_s, 9'999);
  EXPECT_TRUE(fs::exists(path("j2/v1/server.key")));
  EXPECT_TRUE(check_store(*real_, {path("j2/v1"), path("b2/v1")}, true, no_one)->is_clean());
}

TEST_F(Backup, AStoreThatLacksAChunkIsBackedUpAndTheLackIsCounted) {
  fill(1, 6);
  const chunk_sid rotten = post(99, 200'000);
  std::fstream(path("b/v1/") + rotten.hex().substr(0, 2) + "/" + rotten.hex() + "." + family.hex(),
               std::ios::in | std::ios::out)
      .put('?');
  const auto made = create();
  ASSERT_TRUE(made.ok()) << made.error().detail;
  EXPECT_EQ(made->chunks.lacking, 1);
  EXPECT_EQ(made->chunks.copied, 6);
}

TEST_F(Backup, PruningKeepsTheNewestAndExactlyTheirChunks) {
  fill(1, 6);
  ASSERT_TRUE(create(0).ok());
  // Version 1's file is forgotten, as retention does.
  const operation prune = prune_file{family, id_of<file_id>(1), false, {1}, 1LL << 60};
  ASSERT_TRUE(catalog_->commit({&prune, 1}).ok());
  fill(7, 9);
  ASSERT_TRUE(create(1).ok());
  ASSERT_TRUE(create(2).ok());
  seeded_random random(1);
  const auto pruned = prune_backups(*real_, path("backup"), 2, random);
  ASSERT_TRUE(pruned.ok()) << pruned.error().detail;
  EXPECT_EQ(pruned->removed, (std::vector<std::string>{"20261201T120000Z"}));
  const auto names = *list_backups(*real_, path("backup"));
  ASSERT_EQ(names.size(), 2u);
  for (const std::string& one : names) EXPECT_TRUE(verifies(one)) << one;
}

TEST_F(Backup, TwoAtOnceAreRefused) {
  fill(1, 1);
  ASSERT_TRUE(create().ok());
  const auto held = lock_file(path("backup/lock"));
  ASSERT_TRUE(held.ok());
  EXPECT_EQ(create(1).error().code, errc::exists);
}

// Operation n fails, for every n: the snapshot from before stays whole, the next run succeeds.
TEST_F(Backup, WhereverOneFailsTheLastOneCanBeRestoredAndTheNextOneWorks) {
  fill(1, 4);
  ASSERT_TRUE(create(0).ok());
  fill(5, 8);
  int points = 0;
  for (std::uint64_t n = 0;; n += stride()) {
    test::faulty_disk faulty(*real_, n);
    const auto tried = create(static_cast<std::int64_t>(n) + 1, &faulty);
    if (!faulty.fault_was_reached()) break;
    ++points;
    const auto names = *list_backups(*real_, path("backup"));
    ASSERT_GE(names.size(), 1u);
    ASSERT_TRUE(verifies(names.front())) << n;
    ASSERT_TRUE(verifies(names.back())) << n << (tried.ok() ? "" : tried.error().detail);
  }
  EXPECT_GT(points, 20);
  std::printf("%d points of failure tried\n", points);
  const auto next = create(10'000);
  ASSERT_TRUE(next.ok()) << next.error().detail;
  EXPECT_TRUE(verifies(next->name));
  EXPECT_EQ(versions_in(path("j/v1")), 8u) << "the store itself was never touched";
}

TEST_F(Backup, WhereverARestoreFailsItCanBeDoneAgain) {
  fill(1, 6);
  ASSERT_TRUE(create().ok());
  for (const char* folder : {"j2", "b2"}) fs::create_directory(path(folder));
  const check_places target{path("j2/v1"), path("b2/v1")};
  seeded_random random(1);
  int points = 0;
  for (std::uint64_t n = 0;; n += stride()) {
    test::faulty_disk faulty(*real_, n);
    const auto tried = restore_backup(faulty, path("backup"), "20261201T120000Z", target, 1, random, nobody);
    if (!faulty.fault_was_reached()) break;
    ++points;
    if (!fs::exists(target.journal_folder)) continue;
    // The last step failed after its rename: what has its name is whole.
    ASSERT_TRUE(check_store(*real_, target, true, no_one)->is_clean()) << n;
    fs::remove_all(target.journal_folder);
  }
  std::printf("%d points of failure tried\n", points);
  EXPECT_GT(points, 20);
  EXPECT_TRUE(check_store(*real_, target, true, no_one)->is_clean());
  EXPECT_EQ(versions_in(target.journal_folder), 6u);
}

}  // namespace
}  // namespace obsync::store
