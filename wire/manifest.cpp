#include "wire/manifest.hpp"

#include <cmath>
#include <set>

#include "wire/json_fields.hpp"
#include "wire/json_writer.hpp"
#include "wire/limits.hpp"
#include "wire/path_rule.hpp"

namespace obsync::wire {

namespace {

constexpr std::int64_t chunk_bytes_max = static_cast<std::int64_t>(chunk_plain_bytes_max);
constexpr std::int64_t chunk_bytes_min = 1 << 20;  // of every chunk but the last

constexpr std::int64_t file_version = 1;
constexpr std::int64_t folder_version = 2;
constexpr std::int64_t pause_version = 3;

void fail(json_fields& in, std::string_view why) {
  in.fail(refusal::bad_request, std::string(why));
}

void read_path(json_fields& in, std::string& out) {
  in.string("path", out);
  if (!in.failed() && !is_vault_path(out)) fail(in, "the path breaks the vault path rule");
}

// Manifests are written by devices, never by hand: a flag that is absent is a broken manifest.
void read_boolean(json_fields& in, const char* name, bool& out) {
  const json_value* const found = in.find(name);
  if (found == nullptr || !found->IsBool())
    return fail(in, std::string("the field ") + name + " is no boolean");
  out = found->GetBool();
}

void read_mtime(json_fields& in, double& out) {
  const json_value* const found = in.find("mtime");
  if (found == nullptr || !found->IsNumber() || !std::isfinite(found->GetDouble())) {
    return fail(in, "the field mtime is no number");
  }
  out = found->GetDouble();
}

void read_sha256(json_fields& in, std::optional<digest>& out) {
  std::string text;
  in.string("sha256", text);
  if (!text.empty()) in.id("sha256", out.emplace());
}

void check_chunks(json_fields& in, const file_manifest& value) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < value.chunks.size(); ++i) {
    const std::int64_t len = value.chunks[i].len;
    if (len > chunk_bytes_max) return fail(in, "a chunk is larger than a chunk may be");
    if (len < chunk_bytes_min && i + 1 < value.chunks.size())
      return fail(in, "a chunk is smaller than the minimum");
    sum += len;  // at most 65,536 chunks of 8 MiB: no overflow
  }
  if (sum != value.size) return fail(in, "the chunks do not add up to the size");
  if (value.deleted) {
    if (!value.chunks.empty()) fail(in, "a deleted file names chunks");
  } else if (value.size <= chunk_bytes_max && value.chunks.size() != 1) {
    fail(in, "a file this small is exactly one chunk");
  }
}

void read_file(json_fields& in, file_manifest& out) {
  read_path(in, out.path);
  in.integer("size", out.size);
  read_mtime(in, out.mtime_ms);
  in.id("domain", out.domain);
  if (const json_value* const chunks = in.array("chunks");
      chunks != nullptr && chunks->Size() > version_sids_max) {
    return fail(in, "more chunks than a version may have");
  }
  in.list("chunks", out.chunks, [](json_fields& item, manifest_chunk& chunk) {
    item.id("sid", chunk.sid);
    item.id("cid", chunk.cid);
    item.integer("len", chunk.len);
  });
  read_sha256(in, out.sha256);
  read_boolean(in, "deleted", out.deleted);
  in.flag("answer", out.answer);
  in.optional("keeper", out.keeper,
              [](json_fields& from, const char* name, file_id& id) { from.id(name, id); });
  if (!in.failed()) check_chunks(in, out);
}

// Folders and pauses carry the members of a file without content, so that their shape is one and the same.
void check_empty_content(json_fields& in) {
  std::int64_t size = 0;
  std::string sha256;
  in.integer("size", size);
  in.string("sha256", sha256);
  const json_value* const chunks = in.array("chunks");
  if (in.failed()) return;
  if (size != 0 || !sha256.empty() || !chunks->Empty()) fail(in, "a record without content has content");
}

void read_kind(json_fields& in, std::string_view expected) {
  std::string kind;
  in.string("kind", kind);
  if (!in.failed() && kind != expected) fail(in, "the kind does not belong to this version");
}

void read_folder(json_fields& in, folder_manifest& out) {
  read_kind(in, "directory");
  read_path(in, out.path);
  in.id("domain", out.domain);
  check_empty_content(in);
  read_boolean(in, "deleted", out.deleted);
}

void read_pause(json_fields& in, pause_manifest& out) {
  bool deleted = false;
  read_kind(in, "pause");
  read_path(in, out.path);
  in.id("target", out.target);
  read_boolean(in, "paused", out.paused);
  in.id("domain", out.domain);
  check_empty_content(in);
  read_boolean(in, "deleted", deleted);
  if (deleted) fail(in, "a pause record is never deleted");
}

void write_empty_content(json_writer& out) {
  out.key("size").integer(0);
  out.key("chunks").begin_array().end_array();
  out.key("sha256").plain("");
}

template <class Manifest, class Read>
result<manifest> finish(json_fields& in, const json_fields::note& first, Read read) {
  Manifest out;
  read(in, out);
  if (first) return error{errc::invalid, "manifest: " + first->detail};
  return manifest(std::move(out));
}

bool is_prefix_path(std::string_view path) {
  return path.empty() || (path.front() != '/' && path.back() != '/');
}

void check_domains(json_fields& in, const domain_map& map) {
  std::set<domain_id> ids;
  std::set<std::string_view> paths;
  for (const domain_map::entry& entry : map.domains) {
    if (!ids.insert(entry.id).second) return fail(in, "a domain is listed twice");
    for (const std::string& path : entry.paths) {
      if (!is_prefix_path(path)) return fail(in, "a path begins or ends with a slash");
      if (!paths.insert(path).second) return fail(in, "a path belongs to two domains");
    }
  }
  if (!paths.contains("")) fail(in, "no domain owns the root");
}

void read_paths(json_fields& in, std::vector<std::string>& out) {
  const json_value* const paths = in.array("paths");
  if (paths == nullptr) return;
  for (const json_value& path : paths->GetArray()) {
    if (!path.IsString()) return fail(in, "a path is no string");
    out.emplace_back(text_of(path));
  }
}

}  // namespace

std::string to_json(const file_manifest& value) {
  json_writer out(512 + value.path.size() + value.chunks.size() * 170);
  out.begin_object();
  out.key("v").integer(file_version);
  out.key("path").string(value.path);
  out.key("size").integer(value.size);
  out.key("mtime").number(value.mtime_ms);
  out.key("domain").id(value.domain);
  out.key("chunks").begin_array();
  for (const manifest_chunk& chunk : value.chunks) {
    out.begin_object();
    out.key("sid").id(chunk.sid);
    out.key("cid").id(chunk.cid);
    out.key("len").integer(chunk.len);
    out.end_object();
  }
  out.end_array();
  out.key("sha256");
  value.sha256 ? out.id(*value.sha256) : out.plain("");
  out.key("deleted").boolean(value.deleted);
  if (value.answer) out.key("answer").boolean(true);
  if (value.keeper) out.key("keeper").id(*value.keeper);
  return out.end_object().take();
}

std::string to_json(const folder_manifest& value) {
  json_writer out(256 + value.path.size());
  out.begin_object();
  out.key("v").integer(folder_version);
  out.key("kind").plain("directory");
  out.key("path").string(value.path);
  out.key("domain").id(value.domain);
  write_empty_content(out);
  out.key("deleted").boolean(value.deleted);
  return out.end_object().take();
}

std::string to_json(const domain_map& value) {
  json_writer out;
  out.begin_object();
  out.key("v").integer(1);
  out.key("domains").begin_array();
  for (const domain_map::entry& entry : value.domains) {
    out.begin_object();
    out.key("id").id(entry.id);
    out.key("paths").begin_array();
    for (const std::string& path : entry.paths) out.string(path);
    out.end_array().end_object();
  }
  return out.end_array().end_object().take();
}

result<manifest> parse_manifest(std::string_view json) {
  const auto tree = parse_json(json);
  if (!tree) return error{errc::invalid, "manifest: " + tree.error().detail};
  json_fields::note first;
  json_fields in(&*tree, first);
  std::int64_t version = 0;
  in.integer("v", version);
  if (first) return error{errc::invalid, "manifest: " + first->detail};
  switch (version) {
    case file_version:
      return finish<file_manifest>(in, first, read_file);
    case folder_version:
      return finish<folder_manifest>(in, first, read_folder);
    case pause_version:
      return finish<pause_manifest>(in, first, read_pause);
    default:
      return error{errc::unsupported, "manifest: version " + std::to_string(version) + " is not known here"};
  }
}

result<domain_map> parse_domain_map(std::string_view json) {
  const auto read = read_json<domain_map>(json, [](json_fields& in, domain_map& out) {
    std::int64_t version = 0;
    in.integer("v", version);
    if (!in.failed() && version != 1) return fail(in, "the version of the map is not known here");
    in.list("domains", out.domains, [](json_fields& item, domain_map::entry& entry) {
      item.id("id", entry.id);
      read_paths(item, entry.paths);
    });
    if (!in.failed()) check_domains(in, out);
  });
  if (!read) return error{errc::invalid, "domain map: " + read.error().detail};
  return *read;
}

}  // namespace obsync::wire
