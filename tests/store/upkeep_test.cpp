// Versions that retention does not keep: found slice by slice, removed step by step.
#include "store/upkeep_reader.hpp"

#include <gtest/gtest.h>

#include "tests/support/catalog_fixture.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::store {
namespace {

using test::id_of;
using test::post_of;

constexpr std::int64_t day = 86'400'000;
const account_id family = id_of<account_id>(1);
const retention_rule rule{30, 2};

class Upkeep : public testing::Test {
 protected:
  void SetUp() override {
    writer_ = open_catalog_writer({folder_.path()}, chunks_).value();
    reader_ = open_catalog_reader({folder_.path()}).value();
    upkeep_ = open_upkeep_reader({folder_.path()}).value();
    ASSERT_TRUE(commit(test::account_of(1, 1)).ok());
  }

  commit_outcome commit(operation one) { return std::move(writer_->commit({&one, 1}).value().front()); }

  // Version n of a file, on top of n - 1, arrived on that day.
  void post(std::uint64_t file, std::uint64_t version, std::int64_t on_day, bool deleted = false) {
    post_version out = post_of(file, 100 * file + version);
    if (version > 1) out.post.parents = {id_of<version_id>(100 * file + version - 1)};
    out.post.deleted = deleted;
    out.now_ms = on_day * day;
    ASSERT_TRUE(commit(out).ok());
  }

  void hear(std::uint64_t device, std::int64_t on_day) {
    ASSERT_TRUE(commit(record_heartbeat{id_of<device_id>(device), {}, on_day * day}).ok());
  }

  prune_progress progress() { return upkeep_->progress()->front(); }

  // A whole round as the collector makes it; the versions that went.
  std::int64_t round(std::int64_t on_day, std::int64_t slice = 3, const retention_rule& by = rule) {
    std::int64_t removed = 0;
    prune_progress at = progress();
    hear(1, on_day);
    for (bool finished = false; !finished;) {
      const auto found = upkeep_->doomed(at, by, on_day * day, slice).value();
      for (const doomed_file& one : found.files) {
        const auto done = commit(prune_file{family, one.file, one.verdict.whole_file, one.verdict.versions,
                                            by.cutoff_ms(on_day * day), found.heard_ms});
        removed += std::get<pruned>(*done).versions;
      }
      at.aged = found.aged;
      at.looked = found.looked;
      at.rule = by;
      at.waiting = found.waiting;
      finished = found.finished;
      looked_at_ += static_cast<int>(found.files.size());
    }
    EXPECT_TRUE(commit(note_pruned{family, at.aged, at.looked, by}).ok());
    const std::string oldest = at.waiting ? std::to_string(*at.waiting) : "";
    EXPECT_TRUE(commit(set_upkeep{"waiting " + family.hex(), oldest}).ok());
    return removed;
  }

  std::size_t versions_of(std::uint64_t file) {
    const auto record = reader_->file(family, id_of<file_id>(file), 1'000, 1 << 20).value();
    return record ? record->versions.size() : 0;
  }

  test::scratch_folder folder_;
  test::chunks_in_memory chunks_;
  std::unique_ptr<catalog_writer> writer_;
  std::unique_ptr<catalog_reader> reader_;
  std::unique_ptr<upkeep_reader> upkeep_;
  int looked_at_ = 0;
};

TEST_F(Upkeep, WhatGrewOldGoesAndTheNewestStay) {
  for (std::uint64_t version = 1; version <= 6; ++version)
    post(1, version, static_cast<std::int64_t>(version));
  EXPECT_EQ(round(20), 0);
  EXPECT_EQ(versions_of(1), 6u);
  EXPECT_EQ(round(34), 3) << "those of days 1 to 3";
  EXPECT_EQ(versions_of(1), 3u);
  EXPECT_EQ(round(400), 1) << "two stay whatever their age";
  EXPECT_EQ(versions_of(1), 2u);
}

TEST_F(Upkeep, AnOldOneGoesOnceNewerOnesArrive) {
  post(1, 1, 1);
  post(1, 2, 2);
  EXPECT_EQ(round(100), 0);
  post(1, 3, 101);
  post(1, 4, 101);
  EXPECT_EQ(round(101), 2);
}

TEST_F(Upkeep, AFileDeletedLongAgoIsForgottenAndMayComeBack) {
  post(1, 1, 1);
  post(1, 2, 2, true);
  EXPECT_EQ(round(20), 0);
  EXPECT_EQ(round(40), 2);
  EXPECT_EQ(versions_of(1), 0u);
  post(1, 1, 41);
  EXPECT_EQ(versions_of(1), 1u);
}

TEST_F(Upkeep, ATombstoneOutlivesTheAbsenceOfADevice) {
  ASSERT_TRUE(commit(enrol_device{test::device_row_of(1, 2)}).ok());
  hear(2, 3);
  post(1, 1, 1);
  post(1, 2, 1, true);  // the second device was there after it
  post(2, 1, 1);
  post(2, 2, 4, true);
  for (std::uint64_t version = 1; version <= 4; ++version) post(3, version, 5);
  EXPECT_EQ(round(40), 5) << "two of file 1, one of file 2, two of file 3";
  EXPECT_EQ(versions_of(2), 1u) << "the tombstone waits";
  EXPECT_EQ(progress().waiting, 4);
  EXPECT_EQ(round(80), 0);
  EXPECT_EQ(progress().aged, progress().head) << "and keeps nothing else from being judged";
  hear(2, 90);
  EXPECT_EQ(round(90), 1);
  EXPECT_EQ(versions_of(2), 0u);
  EXPECT_EQ(progress().waiting, std::nullopt);
}

TEST_F(Upkeep, NobodyWaitsForADeviceThatWasShutOut) {
  ASSERT_TRUE(commit(enrol_device{test::device_row_of(1, 2)}).ok());
  post(1, 1, 1);
  post(1, 2, 4, true);
  EXPECT_EQ(round(40), 1);
  ASSERT_TRUE(commit(revoke_device{family, id_of<device_id>(2), 40 * day}).ok());
  EXPECT_EQ(round(41), 1);
}

TEST_F(Upkeep, LooksAtNothingTwiceWhileNothingHappens) {
  for (std::uint64_t file = 1; file <= 20; ++file) post(file, 1, 1);
  round(100);
  const prune_progress at = progress();
  EXPECT_EQ(at.aged, at.head);
  EXPECT_EQ(at.looked, at.head);
  looked_at_ = 0;
  const auto found = upkeep_->doomed(at, rule, 200 * day, 3).value();
  EXPECT_TRUE(found.finished);
  EXPECT_EQ(found.aged, at.aged);
  EXPECT_EQ(looked_at_, 0);
}

TEST_F(Upkeep, AStricterRuleIsAppliedToWhatWasKeptBefore) {
  for (std::uint64_t version = 1; version <= 5; ++version) post(1, version, 1);
  EXPECT_EQ(round(100, 3, {30, 5}), 0);
  EXPECT_EQ(round(100, 3, {30, 1}), 4);
}

TEST_F(Upkeep, AHeadThatArrivedSinceTheVerdictIsSpared) {
  post(1, 1, 1);
  // Judged while 1 was the only version; a whole file is taken only while its tombstone is the one head.
  const prune_file stale{family, id_of<file_id>(1), true, {1}, 50 * day};
  EXPECT_EQ(std::get<pruned>(*commit(stale)).versions, 0);
  EXPECT_EQ(versions_of(1), 1u);
}

TEST_F(Upkeep, AVersionOfAnotherFileIsNotRemovedByMistake) {
  post(1, 1, 1);
  post(1, 2, 1);
  post(2, 1, 1);
  const prune_file wrong{family, id_of<file_id>(2), false, {1}, 50 * day};
  EXPECT_EQ(std::get<pruned>(*commit(wrong)).versions, 0);
  EXPECT_EQ(versions_of(1), 2u);
}

TEST_F(Upkeep, TheFeedSkipsWhatWasPruned) {
  for (std::uint64_t version = 1; version <= 4; ++version) post(1, version, 1);
  round(100);
  const auto page = reader_->changes(family, 0, 100, 1 << 20).value();
  ASSERT_EQ(page.changes.size(), 2u);
  EXPECT_EQ(page.changes.front().seq, 3);
  EXPECT_EQ(page.head_seq, 4);
}

TEST_F(Upkeep, ReferencesComeInTheFeedsOrderAndToItsEnd) {
  for (std::uint64_t n = 1; n <= 5; ++n) {
    post_version out = post_of(n, 100 + n);
    out.post.sids = {id_of<chunk_sid>(n), id_of<chunk_sid>(10 * n)};
    for (const chunk_sid& sid : out.post.sids) chunks_.held.insert({family, sid});
    ASSERT_TRUE(commit(out).ok());
  }
  const auto first = upkeep_->references(family, 0, 3).value();
  EXPECT_EQ(first.upto, 3);
  EXPECT_FALSE(first.finished);
  ASSERT_EQ(first.sids.size(), 3u);
  EXPECT_EQ(first.sids.front().size(), 2u);
  const auto second = upkeep_->references(family, first.upto, 3).value();
  EXPECT_TRUE(second.finished);
  EXPECT_EQ(second.sids.size(), 2u);
  EXPECT_TRUE(upkeep_->references(id_of<account_id>(9), 0, 3)->finished);
}

TEST_F(Upkeep, ANoteIsReadAsItWasLeft) {
  EXPECT_EQ(*upkeep_->note("x"), std::nullopt);
  ASSERT_TRUE(commit(set_upkeep{"x", "1"}).ok());
  ASSERT_TRUE(commit(set_upkeep{"x", "2"}).ok());
  EXPECT_EQ(*upkeep_->note("x"), "2");
}

}  // namespace
}  // namespace obsync::store
