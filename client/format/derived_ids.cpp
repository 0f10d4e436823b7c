#include "client/format/derived_ids.hpp"

#include <string>

#include "crypto/digest.hpp"

namespace obsync::client {

namespace {

file_id derived(const domain_keys& keys, const std::string& text) {
  const digest mac = crypto::hmac_sha256(keys.manifest_key.view(), as_bytes(text));
  return *file_id::from(mac.view().first(file_id::size));
}

}  // namespace

file_id folder_file_id(const domain_keys& keys, std::string_view path) {
  return derived(keys, "obsync/v1/folder\n" + std::string(path));
}

file_id pause_file_id(const domain_keys& keys, const file_id& target) {
  return derived(keys, "obsync/v1/pause/" + target.hex());
}

file_id conflict_copy_file_id(const domain_keys& keys, const file_id& file, const version_id& loser) {
  return derived(keys, "obsync/v1/conflict\n" + file.hex() + "\n" + loser.hex());
}

}  // namespace obsync::client
