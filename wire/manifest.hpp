// The plaintext of a version's manifest: the names and shapes only devices see. The server never calls this.
// Reading checks everything that can be checked without the record around it; the client checks the rest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/ids.hpp"
#include "core/result.hpp"

namespace obsync::wire {

struct manifest_chunk {
  chunk_sid sid;
  chunk_cid cid;
  std::int64_t len = 0;  // plaintext bytes
  bool operator==(const manifest_chunk&) const = default;
};

// v1: an ordinary file, or its tombstone when `deleted`.
struct file_manifest {
  std::string path;
  std::int64_t size = 0;
  double mtime_ms = 0;  // may have a fraction
  domain_id domain;
  std::vector<manifest_chunk> chunks = {};
  std::optional<digest> sha256 = {};  // of the plaintext, only for one-chunk files
  bool deleted = false;
  bool answer = false;
  std::optional<file_id> keeper = {};
};

// v2: a folder that exists in its own right. The exact bytes matter, for its nonce is derived from them.
struct folder_manifest {
  std::string path;
  domain_id domain;
  bool deleted = false;
};

// v3: a note asks to be left alone. Kept so that a reader recognises it.
struct pause_manifest {
  std::string path;
  file_id target;
  bool paused = false;
  domain_id domain;
};

using manifest = std::variant<file_manifest, folder_manifest, pause_manifest>;

struct domain_map {
  struct entry {
    domain_id id;
    std::vector<std::string> paths;  // prefixes; exactly one entry owns ""
  };
  std::vector<entry> domains;
};

std::string to_json(const file_manifest& value);
std::string to_json(const folder_manifest& value);
std::string to_json(const domain_map& value);

// errc::unsupported for a version number this build does not know; errc::invalid for anything wrong.
result<manifest> parse_manifest(std::string_view json);
result<domain_map> parse_domain_map(std::string_view json);

}  // namespace obsync::wire
