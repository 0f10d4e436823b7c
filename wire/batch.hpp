// POST /v1/batch: small chunks and versions in one signed request, each answered on its own. An addition to
// protocol v1, offered in GET /v1/capabilities. docs/protocol.md describes the bytes.
//
// The body: the length of the index as 4 bytes big-endian, the index as JSON, then the ciphertexts of the
// chunks back to back in the index's order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/bytes.hpp"
#include "core/ids.hpp"
#include "wire/failure.hpp"
#include "wire/version.hpp"

namespace obsync::wire {

struct batch_post {
  file_id file;
  version_post post;
};

// One chunk of a batch. The ciphertext is a view: of the sender's memory, or of the body that was read.
struct batch_chunk {
  chunk_sid sid;
  byte_view sealed;
};

struct batch_request {
  std::vector<batch_chunk> chunks;  // at most 256
  std::vector<batch_post> posts;    // at most 256
};

// As a server reads it: a malformed post is that post's own failure.
struct received_batch {
  std::vector<batch_chunk> chunks;
  std::vector<outcome<batch_post>> posts;
};

struct batch_stored {
  bool created = false;  // false: the chunk was there already
};

struct batch_posted {
  bool created = false;  // false: this version, or its twin, was there already
  version_answer answer;
};

// One outcome for each chunk and each post, in the order of the request.
struct batch_answer {
  std::vector<outcome<batch_stored>> chunks;
  std::vector<outcome<batch_posted>> posts;
};

std::string to_body(const batch_request& value);
// Refuses what makes the whole body unreadable: bad_json, bad_request, length_mismatch; batch_too_large for
// more items than a batch may hold. The views are into `body`.
outcome<received_batch> read_batch(std::string_view body);

std::string to_json(const batch_answer& value);
// A refusal whose word this build does not know is read as bad_request, or as io_error from status 500 on;
// its detail names the word.
template <>
outcome<batch_answer> from_json(std::string_view text);

}  // namespace obsync::wire
