#include "client/restore/past_vault.hpp"

#include "client/format/chunk_seal.hpp"
#include "client/format/manifest_seal.hpp"
#include "crypto/digest.hpp"
#include "tests/client/restore_world.hpp"

namespace obsync::client {
namespace {

using namespace testing;
using names = std::vector<std::string>;

class PastVault : public RestoreWorld {};

TEST_F(PastVault, IsTheVaultAsItIsWhereNoMomentIsAsked) {
  a.folder.write("kept.md", "kept");
  a.folder.write("gone.md", "gone");
  a.folder.write("deep/er/old name.md", "moved");
  a.folder.make_folder("empty");
  ASSERT_TRUE(a.round().up_to_date);
  a.folder.remove("gone.md");
  a.folder.rename("deep/er/old name.md", "deep/new name.md");
  ASSERT_TRUE(a.round().up_to_date);
  const past_vault now_there = past();
  EXPECT_EQ(paths_of(now_there), (names{"deep/new name.md", "kept.md"}));
  EXPECT_NE(std::find(now_there.folders.begin(), now_there.folders.end(), "empty"), now_there.folders.end());
  EXPECT_TRUE(now_there.troubles.empty());
  EXPECT_EQ(now_there.conflicts, 0u);
}

TEST_F(PastVault, ShowsEachFileAsItWasAtTheMomentAndNoneThatCameLater) {
  a.folder.write("a.md", "one");
  a.folder.write("old name.md", "moved");
  a.round();
  const std::int64_t first = now();
  a.folder.write("a.md", "number two");
  a.folder.write("later.md", "later");
  a.folder.rename("old name.md", "new name.md");
  a.round();
  const std::int64_t second = now();
  a.folder.remove("a.md");
  a.round();
  EXPECT_EQ(paths_of(past(first - 1'000'000)), names{});
  const past_vault then = past(first);
  EXPECT_EQ(paths_of(then), (names{"a.md", "old name.md"}));
  EXPECT_EQ(then.files[0].size, 3);
  const past_vault between = past(second);
  EXPECT_EQ(paths_of(between), (names{"a.md", "later.md", "new name.md"}));
  EXPECT_EQ(between.files[0].size, 10);
  EXPECT_EQ(paths_of(past(now() + 1'000'000)), (names{"later.md", "new name.md"}));
  EXPECT_TRUE(then.troubles.empty() && between.troubles.empty());
}

TEST_F(PastVault, KeepsBothSidesOfAConflictUnderTheUsualName) {
  ASSERT_NO_FATAL_FAILURE(make_conflict());
  const past_vault both = past();
  ASSERT_EQ(both.files.size(), 2u);
  EXPECT_EQ(both.conflicts, 1u);
  EXPECT_EQ(both.files[1].path, "note.md");
  EXPECT_TRUE(both.files[0].path.starts_with("note (conflict from ")) << both.files[0].path;
  EXPECT_TRUE(both.files[0].path.ends_with(" UTC).md"));
  EXPECT_NE(both.files[0].chunks, both.files[1].chunks);
}

TEST_F(PastVault, TellsOfFilesWhoseVersionOfThenIsNoLongerKept) {
  a.folder.write("a.md", "one");
  a.folder.write("b.md", "as it was");
  a.round();
  const std::int64_t first = now();
  a.folder.write("a.md", "two");
  a.round();
  for (auto& [id, file] : server.state.files) {
    if (file.versions.size() < 2) continue;
    const version_id pruned = file.versions.front().id;
    file.versions.erase(file.versions.begin());
    std::erase_if(server.state.feed, [&](const auto& one) { return one.version == pruned; });
  }
  const past_vault then = past(first);
  EXPECT_EQ(paths_of(then), names{"b.md"});
  ASSERT_EQ(then.troubles.size(), 1u);
  EXPECT_EQ(then.troubles[0].path, "a.md");
  EXPECT_EQ(then.troubles[0].code, "not_kept");
  EXPECT_EQ(paths_of(past()), (names{"a.md", "b.md"}));
}

TEST_F(PastVault, NamesNoFileByAPathThatTheRuleForbidsOrThatDoesNotOpen) {
  a.folder.write("a.md", "one");
  a.round();
  for (auto& [id, file] : server.state.files)
    for (auto& version : file.versions)
      if (!version.sids.empty()) version.manifest_ct.back() ^= 1;
  const past_vault seen = past();
  EXPECT_TRUE(seen.files.empty());
  ASSERT_EQ(seen.troubles.size(), 1u);
  EXPECT_EQ(seen.troubles[0].code, "bad_record");
  EXPECT_TRUE(seen.troubles[0].path.starts_with("file "));
}

// A vault of our own making, version by version.
class MadeVault : public ::testing::Test {
 protected:
  file_id id(std::uint8_t number) {
    file_id out;
    out.raw.fill(number);
    return out;
  }
  wire::change add(std::uint8_t number, const std::string& path, const std::string& text,
                   std::vector<version_id> parents = {}) {
    wire::file_manifest manifest;
    manifest.path = path;
    manifest.size = static_cast<std::int64_t>(text.size());
    manifest.mtime_ms = 1'600'000'000'000;
    manifest.domain = domain;
    const sealed_chunk sealed = seal_chunk(keys.domain(domain), as_bytes(text));
    manifest.chunks = {{sealed.sid, sealed.cid, manifest.size}};
    manifest.sha256 = crypto::sha256(as_bytes(text));
    const auto post = seal_file(keys.domain(domain), id(number), manifest, std::move(parents), random);
    wire::change out{++seq, id(number), domain, {}, {}};
    out.version = {post.id, post.parents, post.sids,   post.bytes, post.manifest_ct, post.manifest_nonce,
                   {},      seq * 1'000,  post.deleted};
    out.heads = {post.id};
    return out;
  }
  past_vault all(const std::vector<wire::change>& changes, std::optional<std::int64_t> at = {}) {
    history_reader reader(keys, at);
    for (const wire::change& one : changes) reader.take(one);
    return reader.finish([](const device_id&) { return std::string("phone"); });
  }

  vault_keys keys{world_key()};
  domain_id domain = *domain_id::parse(std::string(32, 'd'));
  seeded_random random{5};
  sequence seq = 0;
};

TEST_F(MadeVault, GivesTwoFilesOfOnePathTwoNamesAndEqualOnesOne) {
  const past_vault seen = all({add(2, "a.md", "second"), add(1, "a.md", "first"), add(3, "a.md", "first")});
  EXPECT_EQ(paths_of(seen), (names{"a (conflict from phone, 1970-01-01 0000 UTC).md", "a.md"}));
  EXPECT_EQ(seen.files[1].size, 5) << "the least identity keeps the name";
}

TEST_F(MadeVault, AFileWhereAFolderIsNeededGivesWay) {
  const past_vault seen = all({add(1, "a", "file"), add(2, "a/b.md", "inside")});
  EXPECT_EQ(paths_of(seen), (names{"a (conflict from phone, 1970-01-01 0000 UTC)", "a/b.md"}));
}

TEST_F(MadeVault, RefusesPathsThatLeadOutsideOrHide) {
  for (const char* path : {".obsidian/app.json", "Thumbs.db"}) {
    const past_vault seen = all({add(1, path, "x")});
    EXPECT_TRUE(seen.files.empty()) << path;
    ASSERT_EQ(seen.troubles.size(), 1u) << path;
  }
}

TEST_F(MadeVault, DoesNotKeepKeysForMoreDomainsThanAVaultHas) {
  history_reader reader(keys, {});
  for (int i = 0; i < 300; ++i) {
    wire::change one = add(1, "a.md", "x");
    one.file = id(0);
    one.file.raw[0] = static_cast<std::uint8_t>(i);
    one.file.raw[1] = static_cast<std::uint8_t>(i >> 8);
    one.domain.raw[0] = static_cast<std::uint8_t>(i);
    one.domain.raw[1] = static_cast<std::uint8_t>(i >> 8);
    reader.take(one);
  }
  EXPECT_EQ(reader.finish([](const device_id&) { return std::string(); }).troubles.size(), 300u);
}

}  // namespace
}  // namespace obsync::client
