// A chunk and a version made of it, with contents only the seed decides. The server cannot tell them from
// sealed ones.
#pragma once

#include "core/random.hpp"
#include "crypto/digest.hpp"
#include "wire/version.hpp"

namespace obsync::test {

struct made_note {
  file_id file;
  bytes sealed;
  chunk_sid sid;
  wire::version_post post;
};

inline made_note make_note(random_source& random, std::size_t size) {
  made_note out;
  out.file = random_id<file_id>(random);
  out.sealed.resize(size);
  random.fill(out.sealed);
  out.sid.raw = crypto::sha256(out.sealed).raw;
  out.post.sids = {out.sid};
  out.post.bytes = static_cast<std::int64_t>(size);
  out.post.domain = domain_id{{1}};
  out.post.manifest_ct.resize(300);
  random.fill(out.post.manifest_ct);
  random.fill(out.post.manifest_nonce.raw);
  out.post.id = wire::identify_version(out.file, {}, out.post.manifest_ct, out.post.sids);
  return out;
}

}  // namespace obsync::test
