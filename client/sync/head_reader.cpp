#include "client/sync/head_reader.hpp"

#include <algorithm>

#include "client/format/derived_ids.hpp"
#include "client/format/manifest_seal.hpp"
#include "client/sync/file_chunks.hpp"
#include "client/vault/name_rule.hpp"

namespace obsync::client {

namespace {

// Far beyond any date a disk can hold; a manifest may claim any number.
std::int64_t whole_ms(double ms) {
  return static_cast<std::int64_t>(std::clamp(ms, -1e15, 1e15));
}

}  // namespace

head_reading read_head(const domain_keys& keys, const file_id& file, const domain_id& domain,
                       const wire::version_record& record) {
  auto manifest = open_manifest(keys, file, domain, record);
  if (!manifest) return {{}, manifest.error().code == errc::unsupported ? "unknown_format" : "bad_record"};
  pending_head out;
  out.head.id = record.id;
  out.head.ts_ms = record.ts_ms;
  out.head.author = record.device;
  if (auto* one = std::get_if<wire::file_manifest>(&*manifest)) {
    out.head.deleted = one->deleted;
    out.head.path = std::move(one->path);
    out.head.size = one->size;
    out.head.mtime_ms = whole_ms(one->mtime_ms);
    out.head.content = content_of(one->chunks);
    out.listed = {std::move(one->chunks), one->sha256};
  } else if (auto* folder = std::get_if<wire::folder_manifest>(&*manifest)) {
    if (folder_file_id(keys, folder->path) != file) return {{}, "bad_record"};
    out.head.kind = item_kind::folder;
    out.head.deleted = folder->deleted;
    out.head.path = std::move(folder->path);
  } else {
    return {};
  }
  if (!is_synced_path(out.head.path)) return {{}, "refused_name"};
  return {std::move(out), {}};
}

std::string reason_of(const std::string& code) {
  if (code == "no_permission") return "the system does not let us read it";
  if (code == "refused_name") return "this name cannot be synced";
  if (code == "unknown_format") return "a newer client wrote it in a way this one does not know";
  if (code == "bad_record") return "the server's record of it does not hold together; it was left alone";
  if (code == "unread_head") return "one of its versions could not be read from the server";
  return "it could not be read";
}

}  // namespace obsync::client
