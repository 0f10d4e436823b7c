#include "tests/support/memory_remote.hpp"

#include <algorithm>

#include "crypto/digest.hpp"

namespace obsync::client::testing {

namespace {

// Whether a stored version says the same as the post, on the same parents.
bool is_twin(const wire::version_record& stored, const wire::version_post& post) {
  const auto parents = [](std::vector<version_id> ids) { return std::set(ids.begin(), ids.end()); };
  return stored.deleted == post.deleted && stored.sids == post.sids &&
         parents(stored.parents) == parents(post.parents);
}

}  // namespace

remote_error refused(wire::refusal code) {
  return {remote_error::kind::refused, code, std::string(wire::name(code)), {}};
}

memory_server::contents memory_server::snapshot() const {
  return state;
}

void memory_server::restore(const contents& older) {
  const std::int64_t now_ms = state.now_ms;
  state = older;
  state.now_ms = now_ms;
}

remote_result<wire::account_info> memory_remote::account() {
  return wire::account_info{};
}

remote_result<wire::change_page> memory_remote::changes(sequence since, std::int64_t, std::int64_t limit) {
  if (auto wrong = fault("changes")) return *wrong;
  const std::lock_guard lock(server_.mutex);
  const auto& state = server_.state;
  if (since > state.head) return refused(wire::refusal::seq_ahead);
  wire::change_page page;
  page.head_seq = state.head;
  page.seq = state.head;
  for (const auto& entry : state.feed) {
    if (entry.seq <= since) continue;
    if (static_cast<std::int64_t>(page.changes.size()) == limit) {
      page.seq = page.changes.back().seq;
      break;
    }
    const auto& file = state.files.at(entry.file);
    const auto version = std::find_if(file.versions.begin(), file.versions.end(),
                                      [&](const auto& one) { return one.id == entry.version; });
    page.changes.push_back({entry.seq, entry.file, file.domain, *version, file.heads});
  }
  return page;
}

remote_result<wire::file_record> memory_remote::file(const file_id& file) {
  if (auto wrong = fault("file")) return *wrong;
  const std::lock_guard lock(server_.mutex);
  const auto found = server_.state.files.find(file);
  if (found == server_.state.files.end()) return refused(wire::refusal::unknown_file);
  wire::file_record record{file, found->second.domain, found->second.heads, found->second.versions};
  std::reverse(record.versions.begin(), record.versions.end());
  return record;
}

remote_result<wire::version_record> memory_remote::version(const file_id& file, const version_id& version) {
  if (auto wrong = fault("version")) return *wrong;
  const std::lock_guard lock(server_.mutex);
  const auto found = server_.state.files.find(file);
  if (found == server_.state.files.end()) return refused(wire::refusal::unknown_file);
  for (const auto& one : found->second.versions) {
    if (one.id == version) return one;
  }
  return refused(wire::refusal::unknown_version);
}

remote_result<std::vector<chunk_sid>> memory_remote::missing(const std::vector<chunk_sid>& sids) {
  if (auto wrong = fault("missing")) return *wrong;
  const std::lock_guard lock(server_.mutex);
  std::vector<chunk_sid> out;
  for (const chunk_sid& sid : sids) {
    if (!server_.state.chunks.contains(sid)) out.push_back(sid);
  }
  return out;
}

remote_result<void> memory_remote::put_chunk(const chunk_sid& sid, byte_view sealed) {
  if (auto wrong = fault("put_chunk")) return *wrong;
  if (crypto::sha256(sealed).raw != sid.raw) return refused(wire::refusal::sid_mismatch);
  const std::lock_guard lock(server_.mutex);
  sent_ += sealed.size();
  server_.state.chunks.emplace(sid, bytes(sealed.begin(), sealed.end()));
  return {};
}

remote_result<bytes> memory_remote::get_chunk(const chunk_sid& sid) {
  if (auto wrong = fault("get_chunk")) return *wrong;
  const std::lock_guard lock(server_.mutex);
  const auto found = server_.state.chunks.find(sid);
  if (found == server_.state.chunks.end()) return refused(wire::refusal::unknown_chunk);
  received_ += found->second.size();
  return found->second;
}

remote_result<fetched_chunks> memory_remote::get_chunks(const std::vector<chunk_sid>& sids) {
  if (auto wrong = fault("get_chunks")) return *wrong;
  const std::lock_guard lock(server_.mutex);
  fetched_chunks out;
  for (const chunk_sid& sid : sids) {
    const auto found = server_.state.chunks.find(sid);
    out.push_back(found == server_.state.chunks.end() ? std::nullopt : std::optional(found->second));
    if (out.back()) received_ += out.back()->size();
  }
  return out;
}

remote_result<wire::version_answer> memory_remote::post_version(const file_id& file,
                                                                const wire::version_post& post) {
  if (auto wrong = fault("post_version")) return *wrong;
  const std::lock_guard lock(server_.mutex);
  auto& state = server_.state;
  if (wire::identify_version(file, post.parents, post.manifest_ct, post.sids) != post.id) {
    return refused(wire::refusal::version_id_mismatch);
  }
  const auto known = state.files.find(file);
  if (known != state.files.end()) {
    if (known->second.domain != post.domain) return refused(wire::refusal::domain_mismatch);
    for (const auto& one : known->second.versions) {
      if (one.id == post.id || (post.accept_existing && is_twin(one, post))) {
        return wire::version_answer{state.head, one.id, known->second.heads};
      }
    }
  }
  remote_error lacks = refused(wire::refusal::missing_chunks);
  for (const chunk_sid& sid : post.sids) {
    if (!state.chunks.contains(sid)) lacks.missing.push_back(sid);
  }
  if (!lacks.missing.empty()) return lacks;
  ++posts_;
  auto& stored = state.files[file];
  stored.domain = post.domain;
  std::erase_if(stored.heads, [&](const version_id& head) {
    return std::find(post.parents.begin(), post.parents.end(), head) != post.parents.end();
  });
  stored.heads.push_back(post.id);
  state.head += 2;
  state.now_ms += 1;
  stored.versions.push_back({post.id, post.parents, post.sids, post.bytes, post.manifest_ct,
                             post.manifest_nonce, self_, state.now_ms, post.deleted});
  state.feed.push_back({state.head - 1, file, post.id});
  return wire::version_answer{state.head - 1, post.id, stored.heads};
}

remote_result<wire::batch_answer> memory_remote::batch(const wire::batch_request& what) {
  if (auto wrong = fault("batch")) return *wrong;
  const auto failure_of = [](const remote_error& why) {
    wire::failure out{why.refusal.value_or(wire::refusal::io_error), why.detail};
    std::string sids;
    for (const chunk_sid& sid : why.missing) sids += (sids.empty() ? "\"" : ",\"") + sid.hex() + "\"";
    if (!sids.empty()) out.members = "\"missing\":[" + sids + "]";
    return out;
  };
  wire::batch_answer out;
  for (const wire::batch_chunk& chunk : what.chunks) {
    const auto stored = put_chunk(chunk.sid, chunk.sealed);
    if (stored) {
      out.chunks.emplace_back(wire::batch_stored{true});
    } else {
      out.chunks.emplace_back(failure_of(stored.error()));
    }
  }
  for (const wire::batch_post& one : what.posts) {
    const auto posted = post_version(one.file, one.post);
    if (posted) {
      out.posts.emplace_back(wire::batch_posted{true, *posted});
    } else {
      out.posts.emplace_back(failure_of(posted.error()));
    }
  }
  return out;
}

remote_result<wire::device_list> memory_remote::devices() {
  if (auto wrong = fault("devices")) return *wrong;
  const std::lock_guard lock(server_.mutex);
  wire::device_list list;
  for (const auto& [id, name] : server_.device_names) {
    wire::device_info info;
    info.id = id;
    info.card.name = name;
    list.devices.push_back(std::move(info));
  }
  return list;
}

remote_result<void> memory_remote::heartbeat(const wire::heartbeat_request&) {
  return {};
}

}  // namespace obsync::client::testing
