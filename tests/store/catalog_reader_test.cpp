#include "store/catalog.hpp"

#include <gtest/gtest.h>

#include "tests/support/catalog_fixture.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::store {
namespace {

using test::id_of;
using test::post_of;

const account_id family = id_of<account_id>(1);
constexpr std::uint64_t plenty = 8 << 20;

class CatalogReader : public ::testing::Test {
 protected:
  void SetUp() override {
    writer = open_catalog_writer({folder.path()}, presence).value();
    reader = open_catalog_reader({folder.path()}).value();
    commit(test::account_of(1, 1));
  }

  void commit(operation one) {
    const auto outcomes = writer->commit({&one, 1});
    ASSERT_TRUE(outcomes.ok());
    ASSERT_TRUE((*outcomes)[0].ok()) << (*outcomes)[0].error().detail;
  }

  static std::vector<std::int64_t> numbers(const wire::change_page& page) {
    std::vector<std::int64_t> out;
    for (const auto& change : page.changes) out.push_back(change.seq);
    return out;
  }

  wire::change_page changes(sequence since, std::int64_t limit, std::uint64_t bytes_max = plenty) {
    return reader->changes(family, since, limit, bytes_max).value();
  }

  std::vector<version_id> version_ids(std::uint64_t file, std::int64_t versions_max,
                                      std::uint64_t bytes_max = plenty) {
    std::vector<version_id> out;
    const auto record = reader->file(family, id_of<file_id>(file), versions_max, bytes_max).value();
    EXPECT_TRUE(record);
    if (!record) return out;
    for (const auto& version : record->versions) out.push_back(version.id);
    return out;
  }

  static std::vector<version_id> ids(std::vector<std::uint64_t> of) {
    std::vector<version_id> out;
    for (const std::uint64_t number : of) out.push_back(id_of<version_id>(number));
    return out;
  }

  test::scratch_folder folder;
  test::chunks_in_memory presence;
  std::unique_ptr<catalog_writer> writer;
  std::unique_ptr<catalog_reader> reader;
};

TEST_F(CatalogReader, GivesBackAVersionAsItWasPosted) {
  presence.held = {{family, id_of<chunk_sid>(1)}, {family, id_of<chunk_sid>(2)}};
  auto posted = post_of(1, 1, {8, 9});
  posted.post.sids = {id_of<chunk_sid>(2), id_of<chunk_sid>(1), id_of<chunk_sid>(2)};
  posted.post.manifest_ct = {0, 255, 0};
  posted.post.manifest_nonce = id_of<seal_nonce>(5);
  posted.post.bytes = 1LL << 40;
  commit(posted);
  const auto read = reader->version(family, posted.file, posted.post.id).value();
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->id, posted.post.id);
  EXPECT_EQ(read->parents, posted.post.parents);
  EXPECT_EQ(read->sids, posted.post.sids);
  EXPECT_EQ(read->bytes, posted.post.bytes);
  EXPECT_EQ(read->manifest_ct, posted.post.manifest_ct);
  EXPECT_EQ(read->manifest_nonce, posted.post.manifest_nonce);
  EXPECT_EQ(read->device, posted.device);
  EXPECT_EQ(read->ts_ms, posted.now_ms);
  EXPECT_FALSE(read->deleted);
}

TEST_F(CatalogReader, TellsAnUnknownFileFromAnUnknownVersion) {
  commit(post_of(1, 1));
  EXPECT_EQ(reader->version(family, id_of<file_id>(2), id_of<version_id>(1))->error().code,
            wire::refusal::unknown_file);
  EXPECT_EQ(reader->version(family, id_of<file_id>(1), id_of<version_id>(2))->error().code,
            wire::refusal::unknown_version);
  EXPECT_EQ(reader->version(id_of<account_id>(2), id_of<file_id>(1), id_of<version_id>(1))->error().code,
            wire::refusal::unknown_file);
}

TEST_F(CatalogReader, PagesFilesInIdOrder) {
  for (const std::uint64_t file : {3u, 1u, 2u}) commit(post_of(file, file));
  const auto first = reader->files(family, std::nullopt, 2).value();
  ASSERT_EQ(first.files.size(), 2u);
  EXPECT_EQ(first.files[0].id, id_of<file_id>(1));
  EXPECT_EQ(first.files[1].heads, ids({2}));
  EXPECT_EQ(first.files[1].latest_ms, 2'000'500);
  EXPECT_EQ(first.next, id_of<file_id>(2));
  const auto rest = reader->files(family, first.next, 2).value();
  ASSERT_EQ(rest.files.size(), 1u);
  EXPECT_EQ(rest.files[0].id, id_of<file_id>(3));
  EXPECT_EQ(rest.next, std::nullopt);
  EXPECT_TRUE(reader->files(id_of<account_id>(2), std::nullopt, 2)->files.empty());
}

TEST_F(CatalogReader, ListsVersionsNewestFirstWithEveryHeadBeyondTheLimit) {
  commit(post_of(1, 1));
  for (std::uint64_t version = 2; version <= 6; ++version) {
    commit(version == 2 ? post_of(1, 2) : post_of(1, version, {version - 1}));
  }
  EXPECT_EQ(version_ids(1, 100), ids({6, 5, 4, 3, 2, 1}));
  EXPECT_EQ(version_ids(1, 2), ids({6, 5, 1}));
}

TEST_F(CatalogReader, HoldsAFileRecordToItsBytesByLeavingOutTheOldest) {
  for (std::uint64_t version = 1; version <= 4; ++version) {
    auto one = post_of(1, version);
    one.post.manifest_ct = bytes(3000);
    commit(one);
  }
  EXPECT_EQ(version_ids(1, 100, 11'000), ids({4, 3}));
  EXPECT_EQ(version_ids(1, 100, 10), ids({4}));
}

TEST_F(CatalogReader, KnowsNoFileOfAnotherAccount) {
  commit(post_of(1, 1));
  EXPECT_FALSE(reader->file(id_of<account_id>(2), id_of<file_id>(1), 10, plenty)->has_value());
}

TEST_F(CatalogReader, ContinuesTheFeedAfterATruncatedPage) {
  for (std::uint64_t version = 1; version <= 5; ++version) commit(post_of(version, version));
  const auto page = changes(1, 2);
  EXPECT_EQ(numbers(page), (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(page.seq, 3);
  EXPECT_EQ(page.head_seq, 5);
  const auto rest = changes(3, 2);
  EXPECT_EQ(numbers(rest), (std::vector<std::int64_t>{4, 5}));
  EXPECT_EQ(rest.seq, 5);
}

TEST_F(CatalogReader, AnswersAnUpToDateReaderWithTheHead) {
  commit(post_of(1, 1));
  EXPECT_EQ(changes(1, 10).seq, 1);
  EXPECT_TRUE(changes(1, 10).changes.empty());
  EXPECT_EQ(changes(7, 10).head_seq, 1);
}

TEST_F(CatalogReader, HoldsAPageToItsBytesButGivesAtLeastOneChange) {
  for (std::uint64_t version = 1; version <= 4; ++version) {
    auto one = post_of(version, version);
    one.post.manifest_ct = bytes(3000);
    commit(one);
  }
  EXPECT_EQ(numbers(changes(0, 10, 10'000)), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(numbers(changes(0, 10, 10)), (std::vector<std::int64_t>{1}));
  EXPECT_EQ(changes(0, 10, 10).seq, 1);
}

TEST_F(CatalogReader, ShowsTheHeadsOfNowInOldChanges) {
  commit(post_of(1, 1));
  commit(post_of(1, 2, {1}));
  EXPECT_EQ(changes(0, 10).changes[0].heads, ids({2}));
}

TEST_F(CatalogReader, ShowsWhatWasCommittedAfterItWasOpened) {
  EXPECT_EQ(reader->account(family).value()->head, 0);
  commit(post_of(1, 1));
  EXPECT_EQ(reader->account(family).value()->head, 1);
}

TEST_F(CatalogReader, ListsAccountsAndDevicesInIdOrderWithTheirOwners) {
  commit(test::account_of(2, 4));
  commit(enrol_device{test::device_row_of(1, 3)});
  commit(enrol_device{test::device_row_of(1, 2, wire::device_state::pending)});
  EXPECT_EQ(reader->accounts()->size(), 2u);
  const auto devices = reader->devices().value();
  ASSERT_EQ(devices.size(), 4u);
  EXPECT_EQ(devices[3].account, id_of<account_id>(2));
  EXPECT_EQ(devices[3].wrapped_secret, id_of<digest>(4));
  const auto own = reader->devices_of(family).value();
  ASSERT_EQ(own.size(), 3u);
  EXPECT_EQ(own[1].id, id_of<device_id>(2));
  EXPECT_EQ(own[1].state, wire::device_state::pending);
  EXPECT_EQ(own[1].card.platform, "linux");
}

TEST_F(CatalogReader, CountsAnAccountsOwnVersionsAndFilesAndWhenTheNewestCame) {
  commit(test::account_of(2, 9));
  commit(post_of(1, 10));
  commit(post_of(1, 11));
  commit(post_of(2, 12));
  const auto all = reader->activity(family, 1000).value();
  EXPECT_EQ(all.versions, 3);
  EXPECT_EQ(all.files, 2);
  EXPECT_EQ(all.recent_ms, (std::vector<std::int64_t>{2'000'500, 2'000'500, 2'000'500}));
  EXPECT_LT(reader->activity(family, 1).value().recent_ms.size(), 3u) << "looks only so far back";
  const auto none = reader->activity(id_of<account_id>(2), 1000).value();
  EXPECT_EQ(none.versions + none.files, 0);
}

}  // namespace
}  // namespace obsync::store
