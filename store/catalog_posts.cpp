#include "store/catalog_posts.hpp"

#include <algorithm>
#include <unordered_set>

#include "crypto/digest.hpp"
#include "store/catalog_accounts.hpp"
#include "store/catalog_rows.hpp"
#include "store/id_list.hpp"
#include "wire/account.hpp"
#include "wire/limits.hpp"

namespace obsync::store {

namespace {

using wire::failure;
using wire::refusal;

std::vector<version_id> as_set(std::vector<version_id> ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

// A short fingerprint of what makes two versions twins, so that they are found by an index; equality is then
// checked on the columns themselves.
std::int64_t fingerprint(const wire::version_post& post) {
  crypto::sha256_stream hash;
  for (const version_id& parent : as_set(post.parents)) hash.update(parent.view());
  const std::uint8_t deleted = post.deleted ? 1 : 0;
  hash.update({&deleted, 1});
  for (const chunk_sid& sid : post.sids) hash.update(sid.view());
  const digest whole = hash.finish();
  std::uint64_t out = 0;
  for (int at = 0; at < 8; ++at) out = out << 8 | whole.raw[static_cast<std::size_t>(at)];
  return static_cast<std::int64_t>(out);
}

bool same_bytes(byte_view a, byte_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

std::vector<version_id> heads_after(const std::vector<version_id>& heads, const wire::version_post& post) {
  std::vector<version_id> out;
  for (const version_id& head : heads) {
    if (std::find(post.parents.begin(), post.parents.end(), head) == post.parents.end()) out.push_back(head);
  }
  out.push_back(post.id);
  return out;
}

}  // namespace

commit_outcome post_operations::run(const post_version& asked) {
  const auto by = admit(asked);
  if (!by.ok()) return by.error();
  const auto file = find_file(by->account, asked.file);
  if (file) {
    if (file->domain != asked.post.domain) {
      return failure{refusal::domain_mismatch, "the file belongs to another domain"};
    }
    if (auto stored = find_stored(*file, asked.post)) return committed{posted{false, std::move(*stored)}};
    if (asked.post.accept_existing) {
      if (auto twin = find_twin(*file, asked.post)) return committed{posted{false, std::move(*twin)}};
    }
  }
  if (auto missing = refuse_missing(asked.account, asked.post.sids)) return std::move(*missing);
  auto heads = heads_after(file ? file->heads : std::vector<version_id>{}, asked.post);
  if (heads.size() > wire::file_heads_max) {
    return failure{refusal::too_many_heads, "the file has too many unmerged versions"};
  }
  if (asked.no_room) return failure{*asked.no_room, "the journal volume has no room for more versions"};
  const sequence seq = write(*by, file, heads, asked);
  return committed{posted{true, {seq, asked.post.id, std::move(heads)}}};
}

wire::outcome<post_operations::poster> post_operations::admit(const post_version& asked) {
  poster out;
  sql::cursor account = account_by_id_.query(asked.account);
  if (!account.next()) return failure{refusal::not_set_up, "there is no such account"};
  out.account = account.integer(0);
  out.head = account.integer(1);
  // The state is read here and not by the caller: a revocation may be ahead of this post in the same batch.
  sql::cursor device = device_by_id_.query(asked.device, out.account);
  if (!device.next()) return failure{refusal::unknown_device, "there is no such device"};
  out.device = device.integer(0);
  const std::int64_t state = device.integer(1);
  // Also for a post that is refused below: the request was accepted as authentic, its time has passed.
  if (asked.horizon_s > 0) advance_horizon_.run(asked.horizon_s, out.device);
  if (state == rows::number_of(wire::device_state::pending)) {
    return failure{refusal::device_pending, "the device is not active yet"};
  }
  if (state == rows::number_of(wire::device_state::revoked)) {
    return failure{refusal::device_revoked, "the device was revoked"};
  }
  if (!account.is_null(2)) {
    return wire::disabled_account();
  }
  if (device.integer(2) != 0) return failure{refusal::read_only, "this device may only read"};
  return out;
}

std::optional<post_operations::file_state> post_operations::find_file(std::int64_t account,
                                                                      const file_id& file) {
  sql::cursor row = file_by_id_.query(account, file);
  if (!row.next()) return std::nullopt;
  return file_state{row.integer(0), row.id<domain_id>(1), rows::read_version_ids(on_, row, 2)};
}

std::optional<wire::version_answer> post_operations::find_stored(const file_state& file,
                                                                 const wire::version_post& post) {
  sql::cursor row = version_by_id_.query(file.num, post.id);
  if (!row.next()) return std::nullopt;
  return wire::version_answer{row.integer(0), post.id, file.heads};
}

std::optional<wire::version_answer> post_operations::find_twin(const file_state& file,
                                                               const wire::version_post& post) {
  const bytes sids = join_ids(post.sids);
  const auto parents = as_set(post.parents);
  sql::cursor row = twins_.query(file.num, fingerprint(post));
  while (row.next()) {
    if ((row.integer(4) != 0) != post.deleted || !same_bytes(row.blob(3), sids)) continue;
    if (as_set(rows::read_version_ids(on_, row, 2)) != parents) continue;
    return wire::version_answer{row.integer(0), row.id<version_id>(1), file.heads};
  }
  return std::nullopt;
}

std::optional<failure> post_operations::refuse_missing(const account_id& account,
                                                       const std::vector<chunk_sid>& sids) {
  std::string missing;
  std::unordered_set<chunk_sid> seen;  // a large file of equal blocks names one chunk thousands of times
  for (const chunk_sid& sid : sids) {
    if (!seen.insert(sid).second) continue;
    const auto has = presence_.has(account, sid);
    if (!has.ok()) return failure{refusal::io_error, "a chunk could not be looked up: " + has.error().detail};
    if (*has) continue;
    missing += missing.empty() ? "\"" : ",\"";
    missing += sid.hex() + "\"";
  }
  if (missing.empty()) return std::nullopt;
  return failure{refusal::missing_chunks, "chunks named by the version are not stored",
                 "\"missing\":[" + missing + "]"};
}

sequence post_operations::write(const poster& by, const std::optional<file_state>& file,
                                const std::vector<version_id>& heads, const post_version& asked) {
  const wire::version_post& post = asked.post;
  const bytes joined_heads = join_ids(heads);
  std::int64_t file_num = 0;
  if (file) {
    file_num = file->num;
    update_file_.run(asked.now_ms, joined_heads, file_num);
  } else {
    insert_file_.run(by.account, asked.file, post.domain, asked.now_ms, joined_heads);
    file_num = on_.last_row();
  }
  const sequence seq = by.head + 1;
  insert_version_.run(by.account, seq, file_num, post.id, fingerprint(post), by.device, asked.now_ms,
                      post.bytes, post.deleted, post.manifest_nonce, join_ids(post.parents), post.manifest_ct,
                      join_ids(post.sids));
  set_head_.run(seq, by.account);
  set_edit_.run(wire::whole_seconds(asked.now_ms), by.device);
  return seq;
}

}  // namespace obsync::store
