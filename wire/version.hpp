// Versions of files: the post, its answer, and the records read back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ids.hpp"
#include "wire/failure.hpp"

namespace obsync::wire {

// POST /v1/files/{file_id}/versions.
struct version_post {
  version_id id;
  std::vector<version_id> parents;  // at most 64; need not exist
  std::vector<chunk_sid> sids;      // at most 65,536; order matters
  std::int64_t bytes = 0;           // plaintext size
  domain_id domain;
  obsync::bytes manifest_ct;  // ciphertext with tag; base64 on the wire
  seal_nonce manifest_nonce;
  bool deleted = false;
  bool accept_existing = false;
};

struct version_answer {
  sequence seq = 0;
  version_id id;
  std::vector<version_id> heads;
  bool conflicted() const { return heads.size() > 1; }
};

// A stored version.
struct version_record {
  version_id id;
  std::vector<version_id> parents;
  std::vector<chunk_sid> sids;
  std::int64_t bytes = 0;
  obsync::bytes manifest_ct;
  seal_nonce manifest_nonce;
  device_id device;
  std::int64_t ts_ms = 0;
  bool deleted = false;
};

// GET /v1/files/{id}: newest version first.
struct file_record {
  file_id id;
  domain_id domain;
  std::vector<version_id> heads;
  std::vector<version_record> versions;
};

struct file_summary {
  file_id id;
  domain_id domain;
  std::vector<version_id> heads;
  std::int64_t latest_ms = 0;
};

// GET /v1/files.
struct file_page {
  std::vector<file_summary> files;
  std::optional<file_id> next = {};  // the last id included; nothing at the end
};

// One entry of the feed; heads are the file's present ones.
struct change {
  sequence seq = 0;
  file_id file;
  domain_id domain;
  version_record version;
  std::vector<version_id> heads;
};

// GET /v1/changes.
struct change_page {
  sequence seq = 0;       // continue with since=seq
  sequence head_seq = 0;  // newest position of the account
  std::vector<change> changes;
};

std::string to_json(const version_post& value);
std::string to_json(const version_answer& value);
std::string to_json(const version_record& value);
std::string to_json(const file_record& value);
std::string to_json(const file_page& value);
std::string to_json(const change& value);
std::string to_json(const change_page& value);
// `413 body_too_large` for a manifest over its limit, otherwise `bad_json` or `bad_request`.
template <>
outcome<version_post> from_json(std::string_view text);
template <>
outcome<version_answer> from_json(std::string_view text);
template <>
outcome<version_record> from_json(std::string_view text);
template <>
outcome<file_record> from_json(std::string_view text);
template <>
outcome<file_page> from_json(std::string_view text);
template <>
outcome<change_page> from_json(std::string_view text);

// SHA-256(file id, sorted parents, sids): what the manifest ciphertext is bound to.
digest content_version_id(const file_id& file, std::vector<version_id> parents,
                          const std::vector<chunk_sid>& sids);

// SHA-256(file id, sorted parents, manifest ciphertext with tag, sids): what the server checks.
version_id identify_version(const file_id& file, std::vector<version_id> parents, byte_view manifest_ct,
                            const std::vector<chunk_sid>& sids);

// `422 version_id_mismatch`, with the id the content has, when the post claims another one.
std::optional<failure> check_version_id(const file_id& file, const version_post& post);

// The sids a `409 missing_chunks` lists.
std::vector<chunk_sid> missing_of(std::string_view error_body);

}  // namespace obsync::wire
