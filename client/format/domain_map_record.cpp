#include "client/format/domain_map_record.hpp"

#include <algorithm>

#include "client/format/manifest_seal.hpp"
#include "core/assert.hpp"
#include "crypto/digest.hpp"

namespace obsync::client {

namespace {

bool owns(std::string_view prefix, std::string_view path) {
  return prefix.empty() ||
         (path.starts_with(prefix) && (path.size() == prefix.size() || path[prefix.size()] == '/'));
}

}  // namespace

domain_map_place place_of_domain_map(const vault_keys& keys) {
  const digest mac = crypto::hmac_sha256(keys.map_key().view(), as_bytes("obsync/v1/domain-map"));
  return {*file_id::from(mac.view().first(file_id::size)),
          *domain_id::from(mac.view().subspan(file_id::size))};
}

wire::domain_map single_domain_map(const domain_id& domain) {
  return {{{domain, {""}}}};
}

const domain_id& domain_of(const wire::domain_map& map, std::string_view path) {
  const domain_id* owner = nullptr;
  std::size_t longest = 0;
  for (const auto& entry : map.domains) {
    for (const std::string& prefix : entry.paths) {
      if (!owns(prefix, path) || (owner != nullptr && prefix.size() < longest)) continue;
      owner = &entry.id;
      longest = prefix.size();
    }
  }
  OBSYNC_ASSERT(owner != nullptr);
  return *owner;
}

wire::version_post seal_domain_map(const vault_keys& keys, const wire::domain_map& map,
                                   std::vector<version_id> parents) {
  const domain_map_place place = place_of_domain_map(keys);
  wire::version_post draft;
  draft.parents = std::move(parents);
  draft.domain = place.domain;
  return seal_manifest_derived(keys.map_key(), place.file, wire::to_json(map), std::move(draft));
}

result<wire::domain_map> open_domain_map(const vault_keys& keys, const wire::file_record& record) {
  const domain_map_place place = place_of_domain_map(keys);
  if (record.id != place.file || record.domain != place.domain) {
    return error{errc::corrupt, "the domain map stands in the wrong place"};
  }
  if (record.heads.size() != 1)
    return error{errc::invalid, "the domain map has more than one current version"};
  const auto head =
      std::find_if(record.versions.begin(), record.versions.end(),
                   [&](const wire::version_record& version) { return version.id == record.heads[0]; });
  if (head == record.versions.end()) return error{errc::corrupt, "the domain map lacks its current version"};
  if (head->deleted || head->bytes != 0 || !head->sids.empty()) {
    return error{errc::corrupt, "the domain map has content or is deleted"};
  }
  const auto json = open_manifest_json(keys.map_key(), place.file, *head);
  if (!json) return json.error();
  return wire::parse_domain_map(*json);
}

}  // namespace obsync::client
