#include "client/format/chunk_seal.hpp"

#include <gtest/gtest.h>

#include "client/format/derived_ids.hpp"
#include "client/format/domain_map_record.hpp"
#include "client/format/manifest_seal.hpp"
#include "tests/support/vectors.hpp"

namespace obsync::client {
namespace {

using test::vector_bytes;
using test::vector_id;
using test::vector_text;

const vault_keys& published_vault() {
  static const vault_keys keys(*crypto::secret32::from(vector_bytes("/published/vault/vrk")));
  return keys;
}

const domain_keys& published_domain() {
  return published_vault().domain(vector_id<domain_id>("/published/manifest/domain"));
}

// What the server would hand back for a post.
wire::version_record record_of(const wire::version_post& post) {
  return {.id = post.id,
          .parents = post.parents,
          .sids = post.sids,
          .bytes = post.bytes,
          .manifest_ct = post.manifest_ct,
          .manifest_nonce = post.manifest_nonce,
          .device = {},
          .ts_ms = 0,
          .deleted = post.deleted};
}

wire::file_manifest sample_file() {
  const sealed_chunk chunk = seal_chunk(published_domain(), as_bytes("text"));
  return {.path = "Notes/A.md",
          .size = 4,
          .mtime_ms = 1757200000000,
          .domain = published_domain().id,
          .chunks = {{chunk.sid, chunk.cid, 4}}};
}

const file_id sample_id{{9}};

wire::version_post sample_post(std::vector<version_id> parents = {}) {
  seeded_random random(1);
  return seal_file(published_domain(), sample_id, sample_file(), std::move(parents), random);
}

errc refusal_of(const wire::version_record& record, const file_id& file = sample_id) {
  const auto opened = open_manifest(published_domain(), file, published_domain().id, record);
  EXPECT_FALSE(opened.ok());
  return opened.ok() ? errc::exists : opened.error().code;
}

// A record whose seal holds, around any JSON.
wire::version_record sealed_json(std::string_view json, wire::version_post draft = {}) {
  draft.domain = published_domain().id;
  return record_of(
      seal_manifest(published_domain().manifest_key, sample_id, json, seal_nonce{}, std::move(draft)));
}

TEST(ChunkSeal, MakesThePublishedObjects) {
  for (const std::string at : {"/published/chunks/cases/0", "/published/chunks/cases/1"}) {
    const bytes plain = vector_bytes(at + "/plain_hex");
    const sealed_chunk sealed = seal_chunk(published_domain(), plain);
    EXPECT_EQ(sealed.cid.hex(), vector_text(at + "/cid"));
    EXPECT_EQ(sealed.sid.hex(), vector_text(at + "/sid"));
    EXPECT_EQ(sealed.ciphertext, vector_bytes(at + "/cipher_hex"));
    EXPECT_EQ(*open_chunk(published_domain(), sealed.sid, sealed.cid, sealed.ciphertext), plain);
  }
}

TEST(ChunkSeal, MakesThePublishedBlock) {
  const std::string at = "/published/chunks/cases/2";
  bytes plain(static_cast<std::size_t>(test::vector_number(at + "/plain_len")));
  for (std::size_t k = 0; k < plain.size(); ++k) plain[k] = static_cast<std::uint8_t>(k % 251);
  const sealed_chunk sealed = seal_chunk(published_domain(), plain);
  EXPECT_EQ(sealed.cid.hex(), vector_text(at + "/cid"));
  EXPECT_EQ(sealed.sid.hex(), vector_text(at + "/sid"));
  EXPECT_EQ(sealed.ciphertext.size(), static_cast<std::size_t>(test::vector_number(at + "/cipher_len")));
  EXPECT_EQ(identify_chunk(published_domain(), plain), sealed.cid);
}

TEST(ChunkSeal, RefusesAnotherObjectAnotherContentAndAnotherDomain) {
  const sealed_chunk one = seal_chunk(published_domain(), as_bytes("one"));
  const sealed_chunk two = seal_chunk(published_domain(), as_bytes("two"));
  EXPECT_EQ(open_chunk(published_domain(), one.sid, one.cid, two.ciphertext).error().code, errc::corrupt);
  EXPECT_EQ(open_chunk(published_domain(), two.sid, one.cid, two.ciphertext).error().code, errc::corrupt);
  const domain_keys& other = published_vault().domain(domain_id{{1}});
  EXPECT_EQ(open_chunk(other, one.sid, one.cid, one.ciphertext).error().code, errc::corrupt);
  EXPECT_FALSE(open_chunk(published_domain(), one.sid, one.cid, {}).ok());
}

TEST(ChunkSeal, GivesEqualPlaintextOneNameOnlyInsideADomain) {
  const domain_keys& other = published_vault().domain(domain_id{{1}});
  EXPECT_EQ(seal_chunk(published_domain(), as_bytes("same")).sid,
            seal_chunk(published_domain(), as_bytes("same")).sid);
  EXPECT_NE(seal_chunk(published_domain(), as_bytes("same")).sid, seal_chunk(other, as_bytes("same")).sid);
}

TEST(ManifestSeal, MakesThePublishedCiphertextAndVersionId) {
  const std::string at = "/published/manifest";
  wire::version_post draft;
  draft.parents = {vector_id<version_id>(at + "/parents_as_given/0"),
                   vector_id<version_id>(at + "/parents_as_given/1")};
  draft.sids = {vector_id<chunk_sid>(at + "/sids/0"), vector_id<chunk_sid>(at + "/sids/1")};
  const auto file = vector_id<file_id>(at + "/file_id");
  const auto post = seal_manifest(published_domain().manifest_key, file, vector_text(at + "/json"),
                                  vector_id<seal_nonce>(at + "/nonce"), draft);
  EXPECT_EQ(post.manifest_ct, vector_bytes(at + "/cipher_hex"));
  EXPECT_EQ(post.id, vector_id<version_id>(at + "/version_id"));
  EXPECT_EQ(*open_manifest_json(published_domain().manifest_key, file, record_of(post)),
            vector_text(at + "/json"));
}

TEST(ManifestSeal, MakesTheKnownFolderRecord) {
  const std::string at = "/derived_unpublished/folder_record";
  const domain_keys& keys = published_vault().domain(vector_id<domain_id>(at + "/domain"));
  const wire::folder_manifest folder{.path = vector_text(at + "/path"), .domain = keys.id};
  EXPECT_EQ(wire::to_json(folder), vector_text(at + "/json"));
  const auto post = seal_folder(keys, folder_file_id(keys, folder.path), folder, {});
  EXPECT_EQ(post.manifest_nonce.hex(), vector_text(at + "/nonce"));
  EXPECT_EQ(to_hex(post.manifest_ct), vector_text(at + "/cipher_hex"));
  EXPECT_EQ(post.id.hex(), vector_text(at + "/version_id"));
  EXPECT_FALSE(post.accept_existing);
  const auto opened = open_manifest(keys, folder_file_id(keys, folder.path), keys.id, record_of(post));
  ASSERT_TRUE(opened.ok());
  EXPECT_EQ(std::get<wire::folder_manifest>(*opened).path, folder.path);
}

TEST(ManifestSeal, AFileComesBackAsItWentIn) {
  const auto post = sample_post({version_id{{2}}, version_id{{1}}});
  EXPECT_EQ(post.bytes, 4);
  ASSERT_EQ(post.sids.size(), 1u);
  const auto opened = open_manifest(published_domain(), sample_id, published_domain().id, record_of(post));
  ASSERT_TRUE(opened.ok());
  const auto& file = std::get<wire::file_manifest>(*opened);
  EXPECT_EQ(file.path, "Notes/A.md");
  EXPECT_EQ(file.chunks, sample_file().chunks);
}

TEST(ManifestSeal, ATombstoneComesBackAsATombstone) {
  seeded_random random(2);
  const wire::file_manifest gone{.path = "Notes/A.md", .domain = published_domain().id, .deleted = true};
  const auto post = seal_file(published_domain(), sample_id, gone, {version_id{{1}}}, random);
  EXPECT_TRUE(post.deleted);
  EXPECT_TRUE(post.sids.empty());
  const auto opened = open_manifest(published_domain(), sample_id, published_domain().id, record_of(post));
  ASSERT_TRUE(opened.ok());
  EXPECT_TRUE(std::get<wire::file_manifest>(*opened).deleted);
}

TEST(ManifestSeal, RefusesARecordUnderAnotherFileDomainOrKey) {
  const auto record = record_of(sample_post());
  EXPECT_EQ(refusal_of(record, file_id{{8}}), errc::corrupt);
  EXPECT_EQ(open_manifest(published_domain(), sample_id, domain_id{{1}}, record).error().code, errc::corrupt);
  const domain_keys& other = published_vault().domain(domain_id{{1}});
  EXPECT_EQ(open_manifest(other, sample_id, other.id, record).error().code, errc::corrupt);
}

TEST(ManifestSeal, RefusesEveryMemberTheServerChanged) {
  const auto honest = record_of(sample_post({version_id{{1}}}));
  auto record = honest;
  record.id.raw[0] ^= 1;
  EXPECT_EQ(refusal_of(record), errc::corrupt);
  record = honest;
  record.parents.push_back(version_id{{2}});
  EXPECT_EQ(refusal_of(record), errc::corrupt);
  record = honest;
  record.parents.clear();
  EXPECT_EQ(refusal_of(record), errc::corrupt);
  record = honest;
  record.sids.push_back(chunk_sid{{2}});
  EXPECT_EQ(refusal_of(record), errc::corrupt);
  record = honest;
  record.manifest_ct.back() ^= 1;
  EXPECT_EQ(refusal_of(record), errc::corrupt);
  record = honest;
  record.manifest_nonce.raw[0] ^= 1;
  EXPECT_EQ(refusal_of(record), errc::corrupt);
  record = honest;
  record.bytes = 5;
  EXPECT_EQ(refusal_of(record), errc::corrupt);
  record = honest;
  record.deleted = true;
  EXPECT_EQ(refusal_of(record), errc::corrupt);
}

// A server that also recomputes the version id still cannot move ancestors or chunks: the seal is bound to
// them.
TEST(ManifestSeal, RefusesOtherAncestorsEvenUnderAFittingVersionId) {
  auto record = record_of(sample_post({version_id{{1}}}));
  record.parents = {version_id{{2}}};
  record.id = wire::identify_version(sample_id, record.parents, record.manifest_ct, record.sids);
  EXPECT_EQ(refusal_of(record), errc::corrupt);
}

TEST(ManifestSeal, RefusesAManifestThatNamesOtherChunksOrAnotherDomain) {
  wire::version_post draft;
  draft.bytes = 4;
  EXPECT_EQ(refusal_of(sealed_json(wire::to_json(sample_file()), draft)), errc::corrupt);
  auto elsewhere = sample_file();
  elsewhere.domain = domain_id{{1}};
  draft.sids = {elsewhere.chunks[0].sid};
  EXPECT_EQ(refusal_of(sealed_json(wire::to_json(elsewhere), draft)), errc::corrupt);
}

TEST(ManifestSeal, TellsAnUnknownVersionFromABrokenManifest) {
  EXPECT_EQ(refusal_of(sealed_json(R"({"v":4})")), errc::unsupported);
  EXPECT_EQ(refusal_of(sealed_json(R"({"v":1})")), errc::invalid);
  EXPECT_EQ(refusal_of(sealed_json("not json")), errc::invalid);
}

TEST(DomainMap, MakesThePublishedRecord) {
  const std::string at = "/published/domain_map";
  const domain_map_place place = place_of_domain_map(published_vault());
  EXPECT_EQ(place.file, vector_id<file_id>(at + "/reserved_file_id"));
  EXPECT_EQ(place.domain, vector_id<domain_id>(at + "/reserved_domain_id"));
  const auto map = wire::parse_domain_map(vector_text(at + "/json"));
  ASSERT_TRUE(map.ok());
  EXPECT_EQ(wire::to_json(*map), vector_text(at + "/json"));
  const auto post = seal_domain_map(published_vault(), *map, {});
  EXPECT_EQ(wire::content_version_id(place.file, {}, {}), vector_id<digest>(at + "/content_version_id"));
  EXPECT_EQ(post.manifest_nonce.hex(), vector_text(at + "/nonce"));
  EXPECT_EQ(to_hex(post.manifest_ct), vector_text(at + "/cipher_hex"));
  EXPECT_EQ(post.id.hex(), vector_text("/derived_unpublished/domain_map_version_id"));
  EXPECT_EQ(post.domain, place.domain);
  const wire::file_record record{place.file, place.domain, {post.id}, {record_of(post)}};
  EXPECT_EQ(wire::to_json(*open_domain_map(published_vault(), record)), vector_text(at + "/json"));
}

TEST(DomainMap, RefusesAForkAnotherPlaceAndAMissingHead) {
  const domain_map_place place = place_of_domain_map(published_vault());
  const auto post = seal_domain_map(published_vault(), single_domain_map(domain_id{{1}}), {});
  const wire::file_record honest{place.file, place.domain, {post.id}, {record_of(post)}};
  ASSERT_TRUE(open_domain_map(published_vault(), honest).ok());
  auto record = honest;
  record.heads.push_back(version_id{{1}});
  EXPECT_EQ(open_domain_map(published_vault(), record).error().code, errc::invalid);
  record = honest;
  record.heads.clear();
  EXPECT_EQ(open_domain_map(published_vault(), record).error().code, errc::invalid);
  record = honest;
  record.heads = {version_id{{1}}};
  EXPECT_EQ(open_domain_map(published_vault(), record).error().code, errc::corrupt);
  record = honest;
  record.id = file_id{{1}};
  EXPECT_EQ(open_domain_map(published_vault(), record).error().code, errc::corrupt);
  record = honest;
  record.domain = domain_id{{1}};
  EXPECT_EQ(open_domain_map(published_vault(), record).error().code, errc::corrupt);
  record = honest;
  record.versions[0].deleted = true;
  EXPECT_EQ(open_domain_map(published_vault(), record).error().code, errc::corrupt);
}

TEST(DomainMap, TheLongestPrefixAtASlashOwnsAPath) {
  const domain_id root{{1}}, shared{{2}}, deep{{3}};
  const wire::domain_map map{{{root, {""}}, {shared, {"Family"}}, {deep, {"Family/Trip"}}}};
  EXPECT_EQ(domain_of(map, "Note.md"), root);
  EXPECT_EQ(domain_of(map, "Familyx/Note.md"), root);
  EXPECT_EQ(domain_of(map, "Family"), shared);
  EXPECT_EQ(domain_of(map, "Family/Note.md"), shared);
  EXPECT_EQ(domain_of(map, "Family/Trips.md"), shared);
  EXPECT_EQ(domain_of(map, "Family/Trip/Note.md"), deep);
}

}  // namespace
}  // namespace obsync::client
