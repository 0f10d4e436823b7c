// Pruning, removal and giving pages back on files that fail: whatever goes wrong, at whichever operation,
// what is to be kept is there after a restart and after a power cut, and the databases are sound.
#include <gtest/gtest.h>

#include <cstdlib>

#include "store/catalog.hpp"
#include "store/small_store.hpp"
#include "store/sqlite.hpp"
#include "tests/support/catalog_fixture.hpp"
#include "tests/support/faulty_vfs.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::store {
namespace {

using test::id_of;
using test::vfs_fault;

const account_id family = id_of<account_id>(1);
constexpr std::uint64_t versions = 60;  // of one file; the last two are kept
constexpr std::uint64_t kept = 2;

void expect_sound(const std::string& path) {
  const auto on = sql::connection::open(path);
  ASSERT_TRUE(on.ok());
  sql::statement sound(**on, "PRAGMA integrity_check");
  sql::cursor row = sound.query();
  ASSERT_TRUE(row.next());
  EXPECT_EQ(row.text(0), "ok");
}

// Every point of failure by hand: TEST_EVERY_POINT=1.
std::uint64_t stride() {
  return std::getenv("TEST_EVERY_POINT") != nullptr ? 1 : 5;
}

class UpkeepFaults : public testing::TestWithParam<test::fault_plan> {};

std::unique_ptr<catalog_writer> catalog_of_many_versions(const std::string& folder,
                                                         chunk_presence& presence) {
  auto writer = open_catalog_writer({folder}, presence).value();
  std::vector<operation> batch{test::account_of(1, 1)};
  for (std::uint64_t n = 1; n <= versions; ++n) {
    post_version post = test::post_of(1, n);
    if (n > 1) post.post.parents = {id_of<version_id>(n - 1)};
    post.post.manifest_ct.assign(6'000, static_cast<std::uint8_t>(n));
    batch.push_back(post);
  }
  EXPECT_TRUE(writer->commit(batch).ok());
  return writer;
}

void check_catalog(const std::string& folder, std::int64_t removed_acknowledged) {
  test::chunks_in_memory presence;
  ASSERT_TRUE(open_catalog_writer({folder}, presence).ok());
  auto reader = open_catalog_reader({folder}).value();
  std::int64_t found = 0;
  for (std::uint64_t n = 1; n <= versions; ++n) {
    const auto one = reader->version(family, id_of<file_id>(1), id_of<version_id>(n)).value();
    if (one.ok()) ++found;
    if (n > versions - kept) {
      EXPECT_TRUE(one.ok()) << "a version that is kept is gone: " << n;
    }
  }
  EXPECT_LE(found, static_cast<std::int64_t>(versions) - removed_acknowledged);
  expect_sound(folder + "/catalog.db");
}

// False when the run was over before operation `n`.
bool pruning_survives(std::uint64_t n, test::fault_plan plan) {
  test::faulty_vfs files;
  test::scratch_folder folder, after_cut;
  test::chunks_in_memory presence;
  auto writer = catalog_of_many_versions(folder.path(), presence);
  test::arm(files, n, plan);
  std::int64_t removed = 0;
  for (std::int64_t from = 1; from <= static_cast<std::int64_t>(versions - kept); from += 20) {
    prune_file step{family, id_of<file_id>(1), false, {}, 1LL << 60};
    for (std::int64_t seq = from; seq < from + 20 && seq <= static_cast<std::int64_t>(versions - kept); ++seq)
      step.versions.push_back(seq);
    const std::vector<operation> act{step, set_upkeep{"unswept", "1"}, give_pages_back{16}};
    const auto done = writer->commit(act);
    if (done.ok()) removed += std::get<pruned>(*done->front()).versions;
  }
  const bool reached = files.fault_was_reached();
  files.heal();
  files.copy_durable(folder.path(), after_cut.path());
  check_catalog(after_cut.path(), removed);
  writer.reset();
  check_catalog(folder.path(), removed);
  return reached;
}

TEST_P(UpkeepFaults, PruningNeverTakesWhatIsKept) {
  std::uint64_t n = 0;
  while (!HasFailure() && pruning_survives(n, GetParam())) n += stride();
  EXPECT_GT(n, 100u) << "so many operations there were";
}

bytes body_of(std::uint64_t n) {
  return bytes(5'000, static_cast<std::uint8_t>(n));
}

void check_small(const std::string& folder, std::int64_t removed_acknowledged) {
  ASSERT_TRUE(open_small_writer({folder}).ok());
  auto reader = open_small_reader({folder}).value();
  std::int64_t found = 0;
  for (std::uint64_t n = 1; n <= versions; ++n) {
    const auto body = reader->get(family, id_of<chunk_sid>(n)).value();
    if (body) ++found;
    if (n > versions - kept) {
      ASSERT_TRUE(body) << "a chunk that is kept is gone: " << n;
      EXPECT_EQ(*body, body_of(n));
    }
  }
  EXPECT_LE(found, static_cast<std::int64_t>(versions) - removed_acknowledged);
  EXPECT_EQ(reader->usage().value().front().second, found * 5'000) << "counted exactly";
  expect_sound(folder + "/small.db");
}

bool removal_survives(std::uint64_t n, test::fault_plan plan) {
  test::faulty_vfs files;
  test::scratch_folder folder, after_cut;
  auto writer = open_small_writer({folder.path()}).value();
  std::vector<bytes> bodies;
  for (std::uint64_t at = 1; at <= versions; ++at) bodies.push_back(body_of(at));
  std::vector<small_put> puts;
  for (std::uint64_t at = 1; at <= versions; ++at)
    puts.push_back({family, id_of<chunk_sid>(at), bodies[at - 1], at > versions - kept ? 1'000 : 1});
  EXPECT_TRUE(writer->put(puts).ok());
  test::arm(files, n, plan);
  std::int64_t removed = 0;
  for (std::uint64_t from = 1; from <= versions; from += 20) {
    std::vector<chunk_sid> sids;  // also the young: they stay for their age
    for (std::uint64_t at = from; at < from + 20; ++at) sids.push_back(id_of<chunk_sid>(at));
    if (const auto done = writer->remove(family, sids, 500)) removed += done->chunks;
    static_cast<void>(writer->give_pages_back(16));
  }
  const bool reached = files.fault_was_reached();
  files.heal();
  files.copy_durable(folder.path(), after_cut.path());
  check_small(after_cut.path(), removed);
  writer.reset();
  check_small(folder.path(), removed);
  return reached;
}

TEST_P(UpkeepFaults, RemovalNeverTakesAChunkThatIsKept) {
  std::uint64_t n = 0;
  while (!HasFailure() && removal_survives(n, GetParam())) n += stride();
  EXPECT_GT(n, 100u) << "so many operations there were";
}

INSTANTIATE_TEST_SUITE_P(Each, UpkeepFaults,
                         testing::Values(test::fault_plan{vfs_fault::no_space, false},
                                         test::fault_plan{vfs_fault::no_space, true},
                                         test::fault_plan{vfs_fault::input_output, false},
                                         test::fault_plan{vfs_fault::input_output, true},
                                         test::fault_plan{vfs_fault::flush, false},
                                         test::fault_plan{vfs_fault::flush, true}));

}  // namespace
}  // namespace obsync::store
