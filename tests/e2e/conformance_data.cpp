// Rows about chunks, versions, what is read back, and batches: docs/protocol.md, parts 4.4 to 4.7.
#include "tests/e2e/conformance_world.hpp"

#include "crypto/digest.hpp"
#include "wire/batch.hpp"

namespace obsync::test {

namespace {

using ask = std::function<raw_answer(conformance_world&)>;

const std::string no_sid(64, '0');
const std::string no_id(32, '0');

ask plain(const std::string& method, const std::string& target, const std::string& body = {}) {
  return [=](conformance_world& at) { return at.ask(method, target, body); };
}

std::string sid_list(std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += (i > 0 ? ",\"" : "\"") + no_sid + "\"";
  return R"({"sids":[)" + out + "]}";
}

ask get_range(const std::string& range) {
  return [range](conformance_world& at) {
    return exchange(at.port(),
                    signed_by(at.laptop, "GET", "/v1/chunks/" + at.note.sid.hex()).with("Range", range));
  };
}

// An upload whose headers say what `more` says, with the body `sent`.
ask put(const std::string& sid, const std::string& header, const std::string& value,
        const std::string& sent) {
  return [=](conformance_world& at) {
    raw_request request = signed_by(at.laptop, "PUT", "/v1/chunks/" + sid);
    raw_connection connection(at.port());
    connection.send(request.with(header, value).text() + sent);
    return connection.receive();
  };
}

// A new note whose chunk is stored, posted with one member replaced.
ask post(const std::string& member, const std::string& json) {
  return [=](conformance_world& at) {
    const made_note note = make_note(at.random, 10);
    at.ask("PUT", "/v1/chunks/" + note.sid.hex(), std::string(as_text(note.sealed)));
    return at.ask("POST", "/v1/files/" + note.file.hex() + "/versions", post_with(note, member, json));
  };
}

std::string hex_list(std::size_t count) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += (i > 0 ? ",\"" : "\"") + no_sid + "\"";
  return "[" + out + "]";
}

// A further version of the world's note, on the parents given.
wire::version_post next_version(conformance_world& at, std::vector<version_id> parents) {
  wire::version_post next = at.note.post;
  at.random.fill(next.manifest_ct);
  next.parents = std::move(parents);
  next.id = wire::identify_version(at.note.file, next.parents, next.manifest_ct, next.sids);
  return next;
}

raw_answer post_next(conformance_world& at, const wire::version_post& next) {
  return at.ask("POST", "/v1/files/" + at.note.file.hex() + "/versions", wire::to_json(next));
}

raw_answer too_many_heads(conformance_world& at) {
  made_note note = make_note(at.random, 10);
  at.ask("PUT", "/v1/chunks/" + note.sid.hex(), std::string(as_text(note.sealed)));
  raw_answer last;
  for (int i = 0; i < 65; ++i) {
    at.random.fill(note.post.manifest_ct);
    note.post.id = wire::identify_version(note.file, {}, note.post.manifest_ct, note.post.sids);
    last = at.ask("POST", "/v1/files/" + note.file.hex() + "/versions", post_with(note));
  }
  return last;
}

// Five chunks of 8 MiB, asked for at once.
raw_answer batch_too_large(conformance_world& at) {
  bytes large((8u << 20) + 16);
  std::string sids;
  for (int i = 0; i < 5; ++i) {
    large[0] = static_cast<std::uint8_t>(i);
    const std::string sid = crypto::sha256(large).hex();
    at.ask("PUT", "/v1/chunks/" + sid, std::string(as_text(large)));
    sids += (i > 0 ? ",\"" : "\"") + sid + "\"";
  }
  return at.ask("POST", "/v1/chunks/get", R"({"sids":[)" + sids + "]}");
}

std::string batch_body(const std::string& index, const std::string& rest = {}) {
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8)
    out.push_back(static_cast<char>((index.size() >> shift) & 0xFF));
  return out + index + rest;
}

}  // namespace

conformance_table chunk_rows() {
  return {
      {"exists: no list", plain("POST", "/v1/chunks/exists", "{}"), 400, "bad_request"},
      {"exists: a sid in capitals",
       plain("POST", "/v1/chunks/exists", R"({"sids":[")" + std::string(64, 'A') + "\"]}"), 400,
       "bad_request"},
      {"exists: 4097 sids", plain("POST", "/v1/chunks/exists", sid_list(4'097)), 400, "bad_request"},
      {"exists: 4096 sids", plain("POST", "/v1/chunks/exists", sid_list(4'096)), 200},
      {"get: a sid that is none", plain("GET", "/v1/chunks/x"), 400, "bad_request"},
      {"get: a chunk nobody stored", plain("GET", "/v1/chunks/" + no_sid), 404, "unknown_chunk"},
      {"get", [](conformance_world& at) { return at.ask("GET", "/v1/chunks/" + at.note.sid.hex()); }, 200},
      {"get: a range", get_range("bytes=0-9"), 206},
      {"get: a range whose end is past the chunk's", get_range("bytes=990-5000"), 206},
      {"get: an open range", get_range("bytes=999-"), 206},
      {"get: the last bytes", get_range("bytes=-5"), 206},
      {"get: more last bytes than there are", get_range("bytes=-5000"), 206},
      {"get: several ranges", get_range("bytes=0-1,3-4"), 416, "range_not_satisfiable"},
      {"get: a malformed range", get_range("bytes=a-b"), 416, "range_not_satisfiable"},
      {"get: a start past the end", get_range("bytes=1000-"), 416, "range_not_satisfiable"},
      {"get: the last zero bytes", get_range("bytes=-0"), 416, "range_not_satisfiable"},
      {"get: another unit", get_range("lines=1-2"), 200},
      {"put: a sid that is none", put("x", "Content-Length", "1", "a"), 400, "bad_request"},
      {"put: chunked", put(no_sid, "Transfer-Encoding", "chunked", "1\r\na\r\n0\r\n\r\n"), 411,
       "length_required"},
      {"put: the sid comes before the length", put("x", "Transfer-Encoding", "chunked", "0\r\n\r\n"), 400,
       "bad_request"},
      {"put: too large",
       [](conformance_world& at) {
         const std::string body(8'388'625, 'a');
         return put(no_sid, "Content-Length", "8388625", body)(at);
       },
       413, "body_too_large"},
      {"put: a small body that is another chunk", put(no_sid, "Content-Length", "1", "a"), 422,
       "sid_mismatch"},
      {"put: a large body that is another chunk",
       put(no_sid, "Content-Length", "100000", std::string(100'000, 'a')), 422, "sid_mismatch"},
      {"put: again",
       [](conformance_world& at) {
         return at.ask("PUT", "/v1/chunks/" + at.note.sid.hex(), std::string(as_text(at.note.sealed)));
       },
       200},
      {"put: again, with another body",
       [](conformance_world& at) { return at.ask("PUT", "/v1/chunks/" + at.note.sid.hex(), "x"); }, 422,
       "sid_mismatch"},
      {"chunks/get: 65 sids", plain("POST", "/v1/chunks/get", sid_list(65)), 400, "bad_request"},
      {"chunks/get: missing ones are parts too", plain("POST", "/v1/chunks/get", sid_list(64)), 200},
      {"chunks/get: over 32 MiB", batch_too_large, 413, "batch_too_large"},
  };
}

conformance_table version_rows() {
  const std::string quoted_none = "\"" + no_sid + "\"";
  return {
      {"post: a file id that is none", plain("POST", "/v1/files/x/versions", "{"), 400, "bad_request"},
      {"post: no JSON", plain("POST", "/v1/files/" + no_id + "/versions", "{"), 400, "bad_json"},
      {"post: no version id", post("version_id", ""), 400, "bad_request"},
      {"post: no domain", post("domain_id", ""), 400, "bad_request"},
      {"post: 65 parents", post("parents", hex_list(65)), 400, "bad_request"},
      {"post: 65,537 sids", post("sids", hex_list(61'000).substr(0, 1) + hex_list(65'537).substr(1)), 413,
       "body_too_large"},
      {"post: a negative size", post("bytes", "-1"), 400, "bad_request"},
      {"post: a manifest over its limit", post("manifest_ct", "\"" + std::string(1'048'580, 'A') + "\""), 413,
       "body_too_large"},
      {"post: a manifest that is no base64", post("manifest_ct", "\"?\""), 400, "bad_request"},
      {"post: a nonce of another length", post("manifest_nonce", "\"00\""), 400, "bad_request"},
      {"post: deleted with chunks", post("deleted", "true"), 400, "bad_request"},
      {"post: an id that does not follow", post("version_id", quoted_none), 422, "version_id_mismatch"},
      {"post: the id comes before the chunks", post("sids", hex_list(1)), 422, "version_id_mismatch"},
      {"post", post("", ""), 201},
      {"post: again",
       [](conformance_world& at) {
         return at.ask("POST", "/v1/files/" + at.note.file.hex() + "/versions", post_with(at.note));
       },
       200},
      {"post: a twin that is accepted",
       [](conformance_world& at) {
         wire::version_post twin = next_version(at, {});
         twin.accept_existing = true;
         return post_next(at, twin);
       },
       200},
      {"post: another domain",
       [](conformance_world& at) {
         wire::version_post next = next_version(at, {at.note.post.id});
         next.domain.raw.fill(9);
         return post_next(at, next);
       },
       409, "domain_mismatch"},
      {"post: chunks nobody stored",
       [](conformance_world& at) {
         const made_note note = make_note(at.random, 10);
         return at.ask("POST", "/v1/files/" + note.file.hex() + "/versions", post_with(note));
       },
       409, "missing_chunks"},
      {"post: the sixty-fifth head", too_many_heads, 409, "too_many_heads"},
  };
}

conformance_table reading_rows() {
  return {
      {"file: an id that is none", plain("GET", "/v1/files/x"), 400, "bad_request"},
      {"file: unknown", plain("GET", "/v1/files/" + no_id), 404, "unknown_file"},
      {"file", [](conformance_world& at) { return at.ask("GET", "/v1/files/" + at.note.file.hex()); }, 200},
      {"version: an id that is none",
       [](conformance_world& at) { return at.ask("GET", "/v1/files/" + at.note.file.hex() + "/versions/x"); },
       400, "bad_request"},
      {"version: of an unknown file", plain("GET", "/v1/files/" + no_id + "/versions/" + no_sid), 404,
       "unknown_file"},
      {"version: unknown",
       [](conformance_world& at) {
         return at.ask("GET", "/v1/files/" + at.note.file.hex() + "/versions/" + no_sid);
       },
       404, "unknown_version"},
      {"version",
       [](conformance_world& at) {
         return at.ask("GET", "/v1/files/" + at.note.file.hex() + "/versions/" + at.note.post.id.hex());
       },
       200},
      {"files: after what is no id", plain("GET", "/v1/files?after=x"), 400, "bad_request"},
      {"files: a limit that is no number", plain("GET", "/v1/files?limit=ten"), 400, "bad_request"},
      {"files: a limit out of range is moved into it", plain("GET", "/v1/files?limit=0"), 200},
      {"changes: not a number", plain("GET", "/v1/changes?since=x"), 400, "bad_request"},
      {"changes: a plus is a plus", plain("GET", "/v1/changes?since=+1"), 400, "bad_request"},
      {"changes: beyond the head", plain("GET", "/v1/changes?since=1000000"), 416, "seq_ahead"},
      {"changes: a limit out of range is moved into it", plain("GET", "/v1/changes?limit=5000"), 200},
  };
}

conformance_table batch_rows() {
  std::string many;
  for (int i = 0; i < 257; ++i) many += (i > 0 ? "," : "") + (R"({"sid":")" + no_sid + R"(","size":0})");
  return {
      {"capabilities", plain("GET", "/v1/capabilities"), 200},
      {"batch: an empty one", plain("POST", "/v1/batch", batch_body(R"({"chunks":[],"posts":[]})")), 200},
      {"batch: no index", plain("POST", "/v1/batch", "ab"), 400, "length_mismatch"},
      {"batch: no JSON", plain("POST", "/v1/batch", batch_body("{")), 400, "bad_json"},
      {"batch: no lists", plain("POST", "/v1/batch", batch_body("{}")), 400, "bad_request"},
      {"batch: bytes of no chunk", plain("POST", "/v1/batch", batch_body(R"({"chunks":[],"posts":[]})", "a")),
       400, "length_mismatch"},
      {"batch: too many chunks",
       plain("POST", "/v1/batch", batch_body(R"({"chunks":[)" + many + R"(],"posts":[]})")), 413,
       "batch_too_large"},
      {"batch: a body over 16 MiB",
       [](conformance_world& at) {
         raw_request request = signed_by(at.laptop, "POST", "/v1/batch");
         return exchange(at.port(), request.with("Content-Length", "16777217").text());
       },
       413, "body_too_large"},
  };
}

}  // namespace obsync::test
