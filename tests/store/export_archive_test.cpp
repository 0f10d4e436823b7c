#include "store/export_archive.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "crypto/digest.hpp"
#include "store/small_store.hpp"
#include "tests/support/catalog_fixture.hpp"
#include "tests/support/scratch_folder.hpp"
#include "wire/archive_reader.hpp"

namespace obsync::store {
namespace {

namespace fs = std::filesystem;
using test::id_of;

const account_id family = id_of<account_id>(1);

class ExportArchive : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* folder : {"j", "b"}) fs::create_directory(scratch_ / folder);
    small_ = open_small_writer({scratch_ / "b"}).value();
    catalog_ = open_catalog_writer({scratch_ / "j"}, presence_).value();
    const operation made = test::account_of(1, 1);
    ASSERT_TRUE(catalog_->commit({&made, 1})->front().ok());
  }

  // A version of its own chunk.
  version_id post(std::uint64_t file, std::vector<version_id> parents, std::int64_t now_ms) {
    const std::string text = "chunk " + std::to_string(++chunks_);
    const chunk_sid sid{crypto::sha256(as_bytes(text)).raw};
    const bytes body(text.begin(), text.end());
    const small_put put{family, sid, body, now_ms};
    EXPECT_TRUE(small_->put({&put, 1}).ok());
    presence_.held.insert({family, sid});
    post_version one = test::post_of(file, 1);
    one.post.parents = std::move(parents);
    one.post.sids = {sid};
    one.post.manifest_ct = body;
    one.post.id = wire::identify_version(one.file, one.post.parents, one.post.manifest_ct, one.post.sids);
    one.now_ms = now_ms;
    const operation posted = one;
    EXPECT_TRUE(catalog_->commit({&posted, 1})->front().ok());
    sids_.push_back(sid);
    return one.post.id;
  }
  void prune(std::uint64_t file, sequence seq) {
    prune_file one;
    one.account = family;
    one.file = id_of<file_id>(file);
    one.versions = {seq};
    one.cutoff_ms = 1LL << 60;
    const operation pruned = one;
    EXPECT_TRUE(catalog_->commit({&pruned, 1})->front().ok());
  }
  void remove_chunk(const chunk_sid& sid) {
    const std::vector<chunk_sid> one{sid};
    EXPECT_TRUE(small_->remove(family, one, any_age).ok());
  }

  result<export_report> run(const export_wish& wish) {
    return export_account(*disk_, {scratch_ / "j", scratch_ / "b"}, wish, scratch_ / "out", told_);
  }
  // What is in the file, which must be whole.
  std::unique_ptr<wire::archive_reader> read() {
    file_ = disk_->open(scratch_ / "out").value();
    auto read = wire::archive_reader::open(*file_, {});
    EXPECT_TRUE(read) << read.error().detail;
    return read ? std::move(*read) : nullptr;
  }

  test::scratch_folder scratch_;
  std::unique_ptr<disk> disk_ = make_posix_disk();
  test::chunks_in_memory presence_;
  std::unique_ptr<small_writer> small_;
  std::unique_ptr<catalog_writer> catalog_;
  int chunks_ = 0;
  std::vector<chunk_sid> sids_;
  std::function<void(const export_report&)> told_ = [](const export_report&) {};
  std::unique_ptr<disk_file> file_;
};

TEST_F(ExportArchive, IsAsOfOneMomentWhateverIsWrittenMeanwhile) {
  const version_id first = post(1, {}, 1'000);
  post(2, {}, 2'000);
  bool wrote = false;
  told_ = [&](const export_report&) {
    if (std::exchange(wrote, true)) return;
    post(1, {first}, 3'000);
    post(2, {}, 4'000);
    post(3, {}, 5'000);
  };
  const auto report = run({family});
  ASSERT_TRUE(report) << report.error().detail;
  EXPECT_EQ(report->files, 2);
  EXPECT_EQ(report->versions, 2);
  const auto archive = read();
  EXPECT_EQ(archive->header().snapshot, 2);
  EXPECT_TRUE(archive->chunk(sids_[0])->has_value());
  EXPECT_EQ(archive->chunk_count(), 2u);
}

TEST_F(ExportArchive, BeginsAnewWhenAChunkWasCollectedMeanwhile) {
  const version_id first = post(1, {}, 1'000);
  post(1, {first}, 2'000);
  int starts = 0;
  told_ = [&](const export_report& at) {
    if (at.chunks > 0 || ++starts > 1) return;
    prune(1, 1);
    remove_chunk(sids_[0]);
  };
  const auto report = run({family, {}, true});
  ASSERT_TRUE(report) << report.error().detail;
  EXPECT_EQ(report->versions, 1) << "counted once, for the attempt that succeeded";
  EXPECT_EQ(starts, 2);
  EXPECT_EQ(read()->version_count(), 1);
}

TEST_F(ExportArchive, RefusesAndNamesAChunkThatIsLackingAndNotJustCollected) {
  post(1, {}, 1'000);
  post(2, {}, 2'000);
  remove_chunk(sids_[1]);
  const auto report = run({family});
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, errc::corrupt);
  EXPECT_NE(report.error().detail.find("chunk " + sids_[1].hex() + " is missing"), std::string::npos);
  EXPECT_FALSE(fs::exists(scratch_ / "out") || fs::exists(scratch_ / "out.part"));
}

TEST_F(ExportArchive, TakesTombstonesAndAllHeadsButNoMoreWithoutHistory) {
  const version_id base = post(1, {}, 1'000);
  post(1, {base}, 2'000);
  post(1, {base}, 3'000);
  post_version gone = test::post_of(2, 1);
  gone.post.deleted = true;
  gone.post.id = wire::identify_version(gone.file, {}, gone.post.manifest_ct, {});
  const operation posted = gone;
  ASSERT_TRUE(catalog_->commit({&posted, 1})->front().ok());
  ASSERT_TRUE(run({family}));
  EXPECT_EQ(read()->version_count(), 3) << "two heads and a tombstone";
  EXPECT_EQ(read()->chunk_count(), 2u);
  fs::remove(scratch_ / "out");
  ASSERT_TRUE(run({family, {}, true}));
  EXPECT_EQ(read()->version_count(), 4);
}

TEST_F(ExportArchive, AnswersForNoAccountThatIsNotThere) {
  EXPECT_EQ(run({id_of<account_id>(9)}).error().code, errc::not_found);
  EXPECT_FALSE(fs::exists(scratch_ / "out.part"));
}

}  // namespace
}  // namespace obsync::store
