#include "wire/version.hpp"

#include <algorithm>

#include "crypto/digest.hpp"
#include "wire/version_fields.hpp"

namespace obsync::wire {

namespace {

// Upper bounds of the fixed parts, so that writing never reallocates.
constexpr std::size_t fixed_bytes = 512;
constexpr std::size_t hash_bytes = 2 * version_id::size + 3;

std::size_t written_size(const version_record& value) {
  return fixed_bytes + (value.parents.size() + value.sids.size()) * hash_bytes +
         value.manifest_ct.size() * 4 / 3;
}

// The members every shape of a version has, up to the nonce.
template <class Version>
void write_content(json_writer& out, const Version& value) {
  out.key("version_id").id(value.id);
  out.key("parents").ids(value.parents);
  out.key("sids").ids(value.sids);
  out.key("bytes").integer(value.bytes);
}

void write_members(json_writer& out, const version_record& value) {
  write_content(out, value);
  out.key("manifest_ct").base64(value.manifest_ct);
  out.key("manifest_nonce").id(value.manifest_nonce);
  out.key("device_id").id(value.device);
  out.key("ts").integer(value.ts_ms);
  out.key("deleted").boolean(value.deleted);
}

void write_heads(json_writer& out, const std::vector<version_id>& heads) {
  out.key("heads").ids(heads);
  out.key("conflicted").boolean(heads.size() > 1);
}

void write_change(json_writer& out, const change& value) {
  out.begin_object();
  out.key("seq").integer(value.seq);
  out.key("file_id").id(value.file);
  out.key("domain_id").id(value.domain);
  write_members(out, value.version);
  write_heads(out, value.heads);
  out.end_object();
}

void read_manifest_ct(json_fields& in, bytes& out) {
  const json_value* const found = in.find("manifest_ct");
  if (found != nullptr && found->IsString() && found->GetStringLength() > manifest_base64_chars_max) {
    return in.fail(refusal::body_too_large, "the manifest is longer than a version may carry");
  }
  in.base64("manifest_ct", out);
}

void read_record(json_fields& in, version_record& out) {
  in.id("version_id", out.id);
  in.ids("parents", version_parents_max, out.parents);
  in.ids("sids", version_sids_max, out.sids);
  in.integer("bytes", out.bytes);
  read_manifest_ct(in, out.manifest_ct);
  in.id("manifest_nonce", out.manifest_nonce);
  in.id("device_id", out.device);
  in.integer("ts", out.ts_ms);
  in.flag("deleted", out.deleted);
}

void read_heads(json_fields& in, std::vector<version_id>& out) {
  in.ids("heads", file_heads_max, out);
}

void hash_parents(crypto::sha256_stream& hash, std::vector<version_id>& parents) {
  std::sort(parents.begin(), parents.end());
  for (const version_id& parent : parents) hash.update(parent.view());
}

void hash_sids(crypto::sha256_stream& hash, const std::vector<chunk_sid>& sids) {
  for (const chunk_sid& sid : sids) hash.update(sid.view());
}

}  // namespace

std::size_t written_size(const version_post& value) {
  return fixed_bytes + (value.parents.size() + value.sids.size()) * hash_bytes +
         value.manifest_ct.size() * 4 / 3;
}

void write_post(json_writer& out, const version_post& value) {
  write_content(out, value);
  out.key("domain_id").id(value.domain);
  out.key("manifest_ct").base64(value.manifest_ct);
  out.key("manifest_nonce").id(value.manifest_nonce);
  out.key("deleted").boolean(value.deleted);
  out.key("accept_existing").boolean(value.accept_existing);
}

void read_post(json_fields& in, version_post& out) {
  in.id("version_id", out.id);
  in.id("domain_id", out.domain);
  in.ids("parents", version_parents_max, out.parents);
  in.ids("sids", version_sids_max, out.sids);
  in.integer("bytes", out.bytes);
  read_manifest_ct(in, out.manifest_ct);
  in.id("manifest_nonce", out.manifest_nonce);
  in.flag("deleted", out.deleted);
  in.flag("accept_existing", out.accept_existing);
  if (out.deleted && !out.sids.empty()) in.fail(refusal::bad_request, "a deleted version names no chunks");
}

void write_answer(json_writer& out, const version_answer& value) {
  out.key("seq").integer(value.seq);
  out.key("version_id").id(value.id);
  write_heads(out, value.heads);
}

void read_answer(json_fields& in, version_answer& out) {
  in.integer("seq", out.seq);
  in.id("version_id", out.id);
  read_heads(in, out.heads);
}

std::string to_json(const version_post& value) {
  json_writer out(written_size(value));
  out.begin_object();
  write_post(out, value);
  return out.end_object().take();
}

std::string to_json(const version_answer& value) {
  json_writer out(fixed_bytes + value.heads.size() * hash_bytes);
  out.begin_object();
  write_answer(out, value);
  return out.end_object().take();
}

std::string to_json(const version_record& value) {
  json_writer out(written_size(value));
  out.begin_object();
  write_members(out, value);
  return out.end_object().take();
}

std::string to_json(const file_record& value) {
  std::size_t expected = fixed_bytes + value.heads.size() * hash_bytes;
  for (const version_record& version : value.versions) expected += written_size(version);
  json_writer out(expected);
  out.begin_object();
  out.key("file_id").id(value.id);
  out.key("domain_id").id(value.domain);
  write_heads(out, value.heads);
  out.key("versions").begin_array();
  for (const version_record& version : value.versions) {
    out.begin_object();
    write_members(out, version);
    out.end_object();
  }
  return out.end_array().end_object().take();
}

std::string to_json(const file_page& value) {
  json_writer out(fixed_bytes + value.files.size() * 256);
  out.begin_object().key("files").begin_array();
  for (const file_summary& file : value.files) {
    out.begin_object();
    out.key("file_id").id(file.id);
    out.key("domain_id").id(file.domain);
    write_heads(out, file.heads);
    out.key("latest_ts").integer(file.latest_ms);
    out.end_object();
  }
  out.end_array().key("next");
  value.next ? out.id(*value.next) : out.null();
  return out.end_object().take();
}

std::string to_json(const change& value) {
  json_writer out(written_size(value.version) + value.heads.size() * hash_bytes);
  write_change(out, value);
  return out.take();
}

std::string to_json(const change_page& value) {
  std::size_t expected = fixed_bytes;
  for (const change& entry : value.changes) {
    expected += written_size(entry.version) + entry.heads.size() * hash_bytes;
  }
  json_writer out(expected);
  out.begin_object();
  out.key("seq").integer(value.seq);
  out.key("head_seq").integer(value.head_seq);
  out.key("changes").begin_array();
  for (const change& entry : value.changes) write_change(out, entry);
  return out.end_array().end_object().take();
}

template <>
outcome<version_post> from_json(std::string_view text) {
  return read_json<version_post>(text, read_post);
}

template <>
outcome<version_answer> from_json(std::string_view text) {
  return read_json<version_answer>(text, read_answer);
}

template <>
outcome<version_record> from_json(std::string_view text) {
  return read_json<version_record>(text, read_record);
}

template <>
outcome<file_record> from_json(std::string_view text) {
  return read_json<file_record>(text, [](json_fields& in, file_record& out) {
    in.id("file_id", out.id);
    in.id("domain_id", out.domain);
    read_heads(in, out.heads);
    in.list("versions", out.versions, read_record);
  });
}

template <>
outcome<file_page> from_json(std::string_view text) {
  return read_json<file_page>(text, [](json_fields& in, file_page& out) {
    in.list("files", out.files, [](json_fields& item, file_summary& file) {
      item.id("file_id", file.id);
      item.id("domain_id", file.domain);
      read_heads(item, file.heads);
      item.integer("latest_ts", file.latest_ms);
    });
    in.optional("next", out.next,
                [](json_fields& from, const char* name, file_id& id) { from.id(name, id); });
  });
}

template <>
outcome<change_page> from_json(std::string_view text) {
  return read_json<change_page>(text, [](json_fields& in, change_page& out) {
    in.integer("seq", out.seq);
    in.integer("head_seq", out.head_seq);
    in.list("changes", out.changes, [](json_fields& item, change& entry) {
      item.integer("seq", entry.seq);
      item.id("file_id", entry.file);
      item.id("domain_id", entry.domain);
      read_record(item, entry.version);
      read_heads(item, entry.heads);
    });
  });
}

digest content_version_id(const file_id& file, std::vector<version_id> parents,
                          const std::vector<chunk_sid>& sids) {
  crypto::sha256_stream hash;
  hash.update(file.view());
  hash_parents(hash, parents);
  hash_sids(hash, sids);
  return hash.finish();
}

version_id identify_version(const file_id& file, std::vector<version_id> parents, byte_view manifest_ct,
                            const std::vector<chunk_sid>& sids) {
  crypto::sha256_stream hash;
  hash.update(file.view());
  hash_parents(hash, parents);
  hash.update(manifest_ct);
  hash_sids(hash, sids);
  return version_id{hash.finish().raw};
}

std::optional<failure> check_version_id(const file_id& file, const version_post& post) {
  const version_id expected = identify_version(file, post.parents, post.manifest_ct, post.sids);
  if (expected == post.id) return std::nullopt;
  return failure{refusal::version_id_mismatch, "the version id does not fit its content",
                 "\"expected\":\"" + expected.hex() + "\""};
}

std::vector<chunk_sid> missing_of(std::string_view error_body) {
  auto read = read_json<std::vector<chunk_sid>>(error_body, [](json_fields& in, std::vector<chunk_sid>& out) {
    in.ids("missing", version_sids_max, out);
  });
  if (!read) return {};
  return std::move(*read);
}

}  // namespace obsync::wire
