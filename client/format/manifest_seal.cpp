#include "client/format/manifest_seal.hpp"

#include <algorithm>

#include "client/format/derived_nonce.hpp"
#include "core/assert.hpp"
#include "crypto/aead.hpp"
#include "crypto/digest.hpp"

namespace obsync::client {

namespace {

// What a manifest's seal is bound to: the file, its ancestors and its chunks.
bytes associated_data(const file_id& file, const std::vector<version_id>& parents,
                      const std::vector<chunk_sid>& sids) {
  bytes out;
  append(out, file.view());
  append(out, wire::content_version_id(file, parents, sids).view());
  return out;
}

error corrupt(std::string_view what) {
  return {errc::corrupt, "a version " + std::string(what)};
}

bool same_sids(const std::vector<wire::manifest_chunk>& chunks, const std::vector<chunk_sid>& sids) {
  return std::equal(chunks.begin(), chunks.end(), sids.begin(), sids.end(),
                    [](const wire::manifest_chunk& chunk, const chunk_sid& sid) { return chunk.sid == sid; });
}

// What of the record each kind of manifest repeats.
struct record_claims {
  domain_id domain;
  std::int64_t size = 0;
  bool deleted = false;
  bool same_chunks = false;
};

record_claims claims(const wire::file_manifest& value, const wire::version_record& record) {
  return {value.domain, value.size, value.deleted, same_sids(value.chunks, record.sids)};
}

record_claims claims(const wire::folder_manifest& value, const wire::version_record& record) {
  return {value.domain, 0, value.deleted, record.sids.empty()};
}

record_claims claims(const wire::pause_manifest& value, const wire::version_record& record) {
  return {value.domain, 0, false, record.sids.empty()};
}

}  // namespace

wire::version_post seal_manifest(const crypto::secret32& key, const file_id& file, std::string_view json,
                                 const seal_nonce& nonce, wire::version_post draft) {
  draft.manifest_nonce = nonce;
  draft.manifest_ct =
      crypto::seal(key.view(), nonce, as_bytes(json), associated_data(file, draft.parents, draft.sids));
  draft.id = wire::identify_version(file, draft.parents, draft.manifest_ct, draft.sids);
  return draft;
}

wire::version_post seal_manifest_derived(const crypto::secret32& key, const file_id& file,
                                         std::string_view json, wire::version_post draft) {
  bytes bound = associated_data(file, draft.parents, draft.sids);
  append(bound, json);
  const seal_nonce nonce = derived_nonce(key, crypto::sha256(bound).view());
  return seal_manifest(key, file, json, nonce, std::move(draft));
}

wire::version_post seal_file(const domain_keys& keys, const file_id& file,
                             const wire::file_manifest& manifest, std::vector<version_id> parents,
                             random_source& random) {
  OBSYNC_ASSERT(manifest.domain == keys.id);
  wire::version_post draft;
  draft.parents = std::move(parents);
  draft.sids.reserve(manifest.chunks.size());
  for (const wire::manifest_chunk& chunk : manifest.chunks) draft.sids.push_back(chunk.sid);
  draft.bytes = manifest.size;
  draft.domain = keys.id;
  draft.deleted = manifest.deleted;
  return seal_manifest(keys.manifest_key, file, wire::to_json(manifest), random_id<seal_nonce>(random),
                       std::move(draft));
}

wire::version_post seal_folder(const domain_keys& keys, const file_id& file,
                               const wire::folder_manifest& manifest, std::vector<version_id> parents) {
  OBSYNC_ASSERT(manifest.domain == keys.id);
  wire::version_post draft;
  draft.parents = std::move(parents);
  draft.domain = keys.id;
  draft.deleted = manifest.deleted;
  return seal_manifest_derived(keys.manifest_key, file, wire::to_json(manifest), std::move(draft));
}

result<std::string> open_manifest_json(const crypto::secret32& key, const file_id& file,
                                       const wire::version_record& record) {
  if (wire::identify_version(file, record.parents, record.manifest_ct, record.sids) != record.id) {
    return corrupt("is not the one it is named");
  }
  const auto plaintext = crypto::open(key.view(), record.manifest_nonce, record.manifest_ct,
                                      associated_data(file, record.parents, record.sids));
  if (!plaintext) return corrupt("does not open under this vault's key");
  return std::string(as_text(*plaintext));
}

result<wire::manifest> open_manifest(const domain_keys& keys, const file_id& file, const domain_id& domain,
                                     const wire::version_record& record) {
  if (domain != keys.id) return corrupt("stands in another domain");
  const auto json = open_manifest_json(keys.manifest_key, file, record);
  if (!json) return json.error();
  auto manifest = wire::parse_manifest(*json);
  if (!manifest) return manifest.error();
  const record_claims claimed =
      std::visit([&](const auto& value) { return claims(value, record); }, *manifest);
  if (claimed.domain != domain) return corrupt("was sealed for another domain");
  if (!claimed.same_chunks) return corrupt("lists other chunks than its manifest");
  if (claimed.size != record.bytes) return corrupt("has another size than its manifest");
  if (claimed.deleted != record.deleted) return corrupt("and its manifest disagree about being deleted");
  return manifest;
}

}  // namespace obsync::client
