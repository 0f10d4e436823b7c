#include "client/restore/archive_source.hpp"

#include "client/format/archive_proof.hpp"
#include "client/restore/sealed_archive.hpp"
#include "tests/client/restore_world.hpp"

namespace obsync::client {
namespace {

using namespace testing;
using names = std::vector<std::string>;

class ArchiveSource : public RestoreWorld {
 protected:
  void SetUp() override {
    a.folder.write("a.md", "one");
    a.folder.write("gone.md", "deleted later");
    a.round();
    first = now();
    a.folder.write("a.md", "number two");
    a.folder.remove("gone.md");
    ASSERT_TRUE(a.round().up_to_date);
  }
  result<sealed_report> seal(disk_file& to) {
    server_source source(*a.remote);
    return seal_archive(
        source, [&] { return source.newest(); }, world_key(), to, progress, [this] { return stop; });
  }

  std::int64_t first = 0;
  silent_progress progress;
  bool stop = false;
};

TEST_F(ArchiveSource, OfAHistoryShowsEveryMomentOfIt) {
  test::memory_file file(archive_of(server, true));
  const auto source = archive_source::open(file, world_key(), {});
  ASSERT_TRUE(source) << source.error().detail;
  ASSERT_TRUE((*source)->tells_time());
  const past_vault then = read_past(**source, keys, first);
  EXPECT_EQ(paths_of(then), (names{"a.md", "gone.md"}));
  EXPECT_EQ(then.files[0].size, 3);
  EXPECT_EQ(paths_of(read_past(**source, keys)), names{"a.md"});
}

TEST_F(ArchiveSource, OfHeadsTellsNoTime) {
  test::memory_file file(archive_of(server, false));
  const auto source = archive_source::open(file, world_key(), {});
  ASSERT_TRUE(source);
  EXPECT_FALSE((*source)->tells_time());
  EXPECT_EQ(paths_of(read_past(**source, keys)), names{"a.md"});
}

TEST_F(ArchiveSource, OfAnotherVaultOpensNothing) {
  test::memory_file file(archive_of(server, true));
  crypto::secret32 other;
  other.raw.fill(8);
  const auto source = archive_source::open(file, other, {});
  ASSERT_TRUE(source) << "a server vouches for nothing";
  const past_vault seen = read_past(**source, vault_keys(other));
  EXPECT_TRUE(seen.files.empty());
  EXPECT_FALSE(seen.troubles.empty());
}

TEST_F(ArchiveSource, KeepsConflictsApartWithoutKnowingWhoseTheyAre) {
  ASSERT_NO_FATAL_FAILURE(make_conflict());
  test::memory_file file(archive_of(server, true));
  const auto source = archive_source::open(file, world_key(), {});
  ASSERT_TRUE(source);
  const past_vault both = read_past(**source, keys);
  EXPECT_EQ(both.conflicts, 1u);
  EXPECT_TRUE(paths_of(both)[1].starts_with("note (conflict from another device, ")) << paths_of(both)[1];
}

TEST_F(ArchiveSource, ADevicesArchiveIsVouchedForAndHoldsTheHeads) {
  test::memory_file file;
  const auto sealed = seal(file);
  ASSERT_TRUE(sealed) << sealed.error().detail;
  EXPECT_EQ(sealed->chunks, 1u);
  const auto source = archive_source::open(file, world_key(), {});
  ASSERT_TRUE(source) << source.error().detail;
  EXPECT_TRUE((*source)->is_vouched_for());
  EXPECT_EQ(paths_of(read_past(**source, keys)), names{"a.md"});
}

TEST_F(ArchiveSource, ADevicesArchiveIsRefusedWhereTheProofDoesNotFit) {
  test::memory_file file;
  ASSERT_TRUE(seal(file));
  crypto::secret32 other;
  other.raw.fill(8);
  EXPECT_EQ(archive_source::open(file, other, {}).error().code, errc::corrupt);
  const std::size_t index = file.data[16] << 24 | file.data[17] << 16 | file.data[18] << 8 | file.data[19];
  file.data[20 + index + 32] ^= 1;
  EXPECT_EQ(archive_source::open(file, world_key(), {}).error().code, errc::corrupt);
}

TEST_F(ArchiveSource, SealingFailsByNameWhereAChunkIsMissingOrAVersionIsAStrangers) {
  const auto whole = server.snapshot();
  server.state.chunks.clear();
  test::memory_file file;
  const auto lacking = seal(file);
  ASSERT_FALSE(lacking);
  EXPECT_NE(lacking.error().detail.find("the server lacks chunk "), std::string::npos);
  server.restore(whole);
  for (auto& [id, one] : server.state.files) one.versions.back().manifest_ct[0] ^= 1;
  test::memory_file again;
  EXPECT_NE(seal(again).error().detail.find("is not this vault's"), std::string::npos);
  server.restore(whole);
  stop = true;
  test::memory_file never;
  EXPECT_EQ(seal(never).error().code, errc::shutting_down);
}

TEST(ArchiveProof, IsTheMacOfTheIndexUnderAKeyOfItsOwn) {
  digest index;
  index.raw.fill(1);
  const digest proof = archive_proof(world_key(), index);
  EXPECT_EQ(proof.hex(), "f2fe2d77c831d2147315601fee70cb0ed14a440fb396a0190a33c1a841365cd7");
  index.raw[0] = 2;
  EXPECT_NE(archive_proof(world_key(), index), proof);
}

}  // namespace
}  // namespace obsync::client
