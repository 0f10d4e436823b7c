// The databases on files that fail: every write, truncation and flush of a run fails once, and what was
// acknowledged is looked for after a restart and after a power cut.
#include "store/catalog.hpp"
#include "store/small_store.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/catalog_fixture.hpp"
#include "tests/support/faulty_vfs.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::store {
namespace {

using test::id_of;
using test::post_of;
using test::vfs_fault;

const account_id family = id_of<account_id>(1);

// Batch k posts versions 10k+1 and 10k+2, each the first of its file.
std::vector<operation> batch_of(std::uint64_t k) {
  return {post_of(10 * k + 1, 10 * k + 1), post_of(10 * k + 2, 10 * k + 2)};
}

constexpr std::uint64_t batches = 3;

// How many of the two versions of batch k are there.
int versions_of(catalog_reader& reader, std::uint64_t k) {
  int found = 0;
  for (std::uint64_t at = 10 * k + 1; at <= 10 * k + 2; ++at) {
    const auto version = reader.version(family, id_of<file_id>(at), id_of<version_id>(at));
    EXPECT_TRUE(version.ok());
    if (version.ok() && version->ok()) ++found;
  }
  return found;
}

// Every acknowledged batch is whole, every other one whole or absent, and numbers follow each other.
void check_catalog(const std::string& folder, const std::vector<bool>& acknowledged) {
  test::chunks_in_memory presence;
  auto writer = open_catalog_writer({folder}, presence);
  ASSERT_TRUE(writer.ok()) << writer.error().detail;
  auto reader = open_catalog_reader({folder}).value();
  std::int64_t found = 0;
  for (std::uint64_t k = 0; k < acknowledged.size(); ++k) {
    const int versions = versions_of(*reader, k);
    EXPECT_TRUE(versions == 2 || (versions == 0 && !acknowledged[k])) << "batch " << k << ": " << versions;
    found += versions;
  }
  const auto page = reader->changes(family, 0, 1000, 1 << 20).value();
  EXPECT_EQ(page.head_seq, found);
  ASSERT_EQ(std::ssize(page.changes), found);
  for (std::int64_t at = 0; at < found; ++at) {
    EXPECT_EQ(page.changes[static_cast<std::size_t>(at)].seq, at + 1);
  }
}

// The writer is closed and opened before the last batch, so that moving the log into the database is in the
// run. False when the run was over before operation `n`.
bool catalog_survives(std::uint64_t n, test::fault_plan plan) {
  test::faulty_vfs files;
  test::scratch_folder folder, after_cut;
  test::chunks_in_memory presence;
  auto writer = open_catalog_writer({folder.path()}, presence).value();
  const std::vector<operation> account = {test::account_of(1, 1)};
  EXPECT_TRUE(writer->commit(account).ok());
  test::arm(files, n, plan);
  std::vector<bool> acknowledged;
  for (std::uint64_t k = 0; k < batches; ++k) {
    if (k + 1 == batches) {
      writer.reset();
      auto opened = open_catalog_writer({folder.path()}, presence);
      if (opened.ok()) writer = std::move(opened).value();
    }
    acknowledged.push_back(writer && writer->commit(batch_of(k)).ok());
  }
  const bool reached = files.fault_was_reached();
  files.heal();
  files.copy_durable(folder.path(), after_cut.path());
  check_catalog(after_cut.path(), acknowledged);
  writer.reset();
  check_catalog(folder.path(), acknowledged);
  return reached;
}

class DatabaseFaults : public ::testing::TestWithParam<test::fault_plan> {};

TEST_P(DatabaseFaults, LoseNothingTheCatalogAcknowledged) {
  std::uint64_t n = 0;
  while (!HasFailure() && catalog_survives(n, GetParam())) ++n;
  EXPECT_GT(n, 20u);
}

class FailingCatalog : public ::testing::Test {
 protected:
  void SetUp() override {
    writer = open_catalog_writer({folder.path()}, presence).value();
    const std::vector<operation> account = {test::account_of(1, 1)};
    ASSERT_TRUE(writer->commit(account).ok());
  }
  test::faulty_vfs files;
  test::scratch_folder folder;
  test::chunks_in_memory presence;
  std::unique_ptr<catalog_writer> writer;
};

TEST_F(FailingCatalog, GoesOnAfterAFullVolumeOnceThereIsRoom) {
  files.fail_from(0, vfs_fault::no_space);
  EXPECT_EQ(writer->commit(batch_of(0)).error().code, errc::no_space);
  EXPECT_EQ(writer->commit(batch_of(0)).error().code, errc::no_space);
  files.heal();
  const auto again = writer->commit(batch_of(0));
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(std::get<posted>(*(*again)[0]).created);
  EXPECT_EQ(std::get<posted>(*(*again)[0]).answer.seq, 1);
}

TEST_F(FailingCatalog, OpensOnAFullVolumeWithTheLogOfAKilledProcess) {
  ASSERT_TRUE(writer->commit(batch_of(0)).ok());
  test::scratch_folder as_killed;
  for (const char* name : {"/catalog.db", "/catalog.db-wal"})
    std::filesystem::copy_file(folder.path() + name, as_killed.path() + name);
  ASSERT_GT(std::filesystem::file_size(as_killed.path() + "/catalog.db-wal"), 0u);
  files.fail_from(0, vfs_fault::full);
  auto opened = open_catalog_writer({as_killed.path()}, presence);
  ASSERT_TRUE(opened.ok()) << opened.error().detail;
  auto reader = open_catalog_reader({as_killed.path()}).value();
  EXPECT_EQ(versions_of(*reader, 0), 2);
  EXPECT_EQ((*opened)->commit(batch_of(1)).error().code, errc::no_space);
  files.heal();
  EXPECT_TRUE((*opened)->commit(batch_of(1)).ok());
}

TEST_F(FailingCatalog, StaysClosedAfterAFailedFlushUntilItIsOpenedAnew) {
  const auto before = files.sync_count();
  files.fail_from(0, vfs_fault::flush);
  EXPECT_EQ(writer->commit(batch_of(0)).error().code, errc::io_failed);
  files.heal();
  EXPECT_EQ(writer->commit(batch_of(1)).error().code, errc::io_failed);
  EXPECT_EQ(files.sync_count(), before);
  writer.reset();
  writer = open_catalog_writer({folder.path()}, presence).value();
  EXPECT_TRUE(writer->commit(batch_of(1)).ok());
}

std::vector<small_put> puts_of(std::uint64_t k) {
  static const bytes ours(5000, 1), theirs(300, 2);
  return {{family, id_of<chunk_sid>(10 * k + 1), ours, 1},
          {id_of<account_id>(2), id_of<chunk_sid>(10 * k + 2), theirs, 1}};
}

void check_small(const std::string& folder, const std::vector<bool>& acknowledged) {
  auto writer = open_small_writer({folder});
  ASSERT_TRUE(writer.ok()) << writer.error().detail;
  auto reader = open_small_reader({folder}).value();
  std::int64_t used = 0;
  for (std::uint64_t k = 0; k < acknowledged.size(); ++k) {
    std::size_t found = 0;
    for (const small_put& one : puts_of(k)) {
      const auto body = reader->get(one.account, one.sid).value();
      if (!body) continue;
      EXPECT_EQ(as_text(*body), as_text(one.body));
      used += std::ssize(*body);
      ++found;
    }
    EXPECT_TRUE(found == 2 || (found == 0 && !acknowledged[k])) << "batch " << k << ": " << found;
  }
  std::int64_t counted = 0;
  const auto usage = reader->usage().value();
  for (const auto& [account, bytes_used] : usage) counted += bytes_used;
  EXPECT_EQ(counted, used);
}

bool small_survives(std::uint64_t n, test::fault_plan plan) {
  test::faulty_vfs files;
  test::scratch_folder folder, after_cut;
  auto writer = open_small_writer({folder.path()}).value();
  test::arm(files, n, plan);
  std::vector<bool> acknowledged;
  for (std::uint64_t k = 0; k < batches; ++k) {
    if (k + 1 == batches) {
      writer.reset();
      auto opened = open_small_writer({folder.path()});
      if (opened.ok()) writer = std::move(opened).value();
    }
    acknowledged.push_back(writer && writer->put(puts_of(k)).ok());
  }
  const bool reached = files.fault_was_reached();
  files.heal();
  files.copy_durable(folder.path(), after_cut.path());
  check_small(after_cut.path(), acknowledged);
  writer.reset();
  check_small(folder.path(), acknowledged);
  return reached;
}

TEST_P(DatabaseFaults, LoseNoSmallChunkAcknowledged) {
  std::uint64_t n = 0;
  while (!HasFailure() && small_survives(n, GetParam())) ++n;
  EXPECT_GT(n, 20u);
}

INSTANTIATE_TEST_SUITE_P(Plans, DatabaseFaults,
                         ::testing::Values(test::fault_plan{vfs_fault::full, true},
                                           test::fault_plan{vfs_fault::full, false},
                                           test::fault_plan{vfs_fault::no_space, true},
                                           test::fault_plan{vfs_fault::no_space, false},
                                           test::fault_plan{vfs_fault::input_output, true},
                                           test::fault_plan{vfs_fault::input_output, false},
                                           test::fault_plan{vfs_fault::flush, true},
                                           test::fault_plan{vfs_fault::flush, false}),
                         [](const auto& of) {
                           const test::fault_plan& plan = of.param;
                           const std::string what = plan.kind == vfs_fault::full           ? "Full"
                                                    : plan.kind == vfs_fault::no_space     ? "NoSpace"
                                                    : plan.kind == vfs_fault::input_output ? "InputOutput"
                                                                                           : "Flush";
                           return what + (plan.once ? "Once" : "FromThereOn");
                         });

}  // namespace
}  // namespace obsync::store
