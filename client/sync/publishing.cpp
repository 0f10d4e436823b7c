#include "client/sync/publishing.hpp"

#include <algorithm>

#include "client/format/chunker.hpp"
#include "client/format/derived_ids.hpp"
#include "client/format/manifest_seal.hpp"
#include "client/sync/chunk_sender.hpp"
#include "client/sync/file_chunks.hpp"

namespace obsync::client {

namespace {

constexpr int resend_rounds_max = 3;

std::int64_t size_of(const chunk_list& chunks) {
  std::int64_t size = 0;
  for (const wire::manifest_chunk& one : chunks) size += one.len;
  return size;
}

}  // namespace

void publishing::run() {
  if (act_.kind == item_kind::folder) return folder();
  for (const push::copy& copy : act_.copies) {
    if (!post_copy(copy)) return;
  }
  auto content = act_.from == push::source::local ? from_disk() : from_state();
  if (content) post(std::move(*content));
}

std::optional<sealed_post> publishing::prepare(const chunk_sink& sink) {
  auto content = from_disk(sink);
  if (!content) return std::nullopt;
  return seal(std::move(*content));
}

void publishing::complete(sealed_post sent, const remote_result<wire::version_answer>& answer) {
  if (settle(sent, answer, false)) return;
  if (auto again = from_disk()) post(std::move(*again));
}

std::optional<content_to_post> publishing::from_disk() {
  if (static_cast<std::uint64_t>(act_.expected.size) <= whole_file_bytes_max)
    return from_disk([this](const sealed_chunk& sealed) { return send_chunk(session_, sealed, there_); });
  chunk_sender sender(session_, there_);
  auto content = from_disk([&](sealed_chunk&& sealed) { return sender.send(std::move(sealed)); });
  if (!content) return std::nullopt;
  if (const auto sent = sender.finish(); !sent) return fault(transfer_error{sent.error(), {}});
  return content;
}

// The file on disk, sealed. Nothing when that failed; the log knows why.
std::optional<content_to_post> publishing::from_disk(const chunk_sink& sink) {
  const auto reader = session_.folder->open(act_.path);
  if (!reader) return fault(reader.error());
  const auto before = (*reader)->mark();
  if (!before) return fault(before.error());
  if (*before != act_.expected) return fault({errc::unavailable, "the file was touched meanwhile"});
  const auto sent = seal_chunks(session_, **reader, static_cast<std::uint64_t>(before->size), there_, sink);
  if (!sent) return fault(sent.error());
  const auto after = (*reader)->mark();
  if (!after) return fault(after.error());
  if (*after != *before) return fault({errc::unavailable, "the file changed while it was read"});
  content_to_post out{{sent->chunks, {}}, sent->content, before->size, 0, *before};
  out.listed.sha256 = sent->sha256;
  out.mtime_ms = static_cast<double>(before->mtime_ns) / 1e6;
  return out;
}

// The same content under another name or on top of other heads: the server has every chunk.
std::optional<content_to_post> publishing::from_state() {
  const auto base = session_.state->base_of(*act_.id);
  if (!base) return fault(base.error());
  content_to_post out;
  if (*base) out.mark = (*base)->item.mark;
  if (act_.from == push::source::agreed) {
    if (!*base) return fault({errc::not_found, "the agreed version is gone"});
    out.listed = (*base)->listed;
    out.content = (*base)->item.content;
    out.mtime_ms = static_cast<double>(out.mark.mtime_ns) / 1e6;
  } else {
    const auto head = session_.state->head(*act_.id, act_.known);
    if (!head) return fault(head.error());
    if (*head) {
      out.listed = (*head)->listed;
      out.content = (*head)->head.content;
      out.mtime_ms = static_cast<double>((*head)->head.mtime_ms);
    } else if (*base && (*base)->item.version == act_.known) {  // pulled a moment ago
      out.listed = (*base)->listed;
      out.content = (*base)->item.content;
      out.mtime_ms = static_cast<double>(out.mark.mtime_ns) / 1e6;
    } else {
      return fault({errc::not_found, "the head is gone"});
    }
  }
  out.size = size_of(out.listed.chunks);
  return out;
}

wire::file_manifest publishing::manifest_of(const content_to_post& content, const std::string& path) const {
  wire::file_manifest manifest;
  manifest.path = path;
  manifest.size = content.size;
  manifest.mtime_ms = content.mtime_ms;
  manifest.domain = session_.domain->id;
  manifest.chunks = content.listed.chunks;
  manifest.sha256 = content.listed.sha256;
  return manifest;
}

sealed_post publishing::seal(content_to_post content) {
  sealed_post out;
  out.id = act_.id ? *act_.id : random_id<file_id>(session_.random);
  out.post =
      seal_file(*session_.domain, out.id, manifest_of(content, act_.path), act_.parents, session_.random);
  out.post.accept_existing = true;
  out.content = std::move(content);
  return out;
}

void publishing::post(content_to_post content) {
  for (int round = 1;; ++round) {
    const sealed_post sealed = seal(std::move(content));
    const auto answer = session_.server.post_version(sealed.id, sealed.post);
    if (settle(sealed, answer, round == resend_rounds_max)) return;
    auto again = from_disk();
    if (!again) return;
    content = std::move(*again);
  }
}

bool publishing::settle(const sealed_post& sent, const remote_result<wire::version_answer>& answer,
                        bool is_last) {
  if (answer) return remember(sent, *answer), true;
  const bool lacks = answer.error().refusal == wire::refusal::missing_chunks;
  if (!lacks || is_last || act_.expected.inode == 0)
    return session_.log->fault(act_.path, answer.error()), true;
  // The server lost chunks it once had; the file on disk still has them.
  there_.lacking = {answer.error().missing.begin(), answer.error().missing.end()};
  return false;
}

void publishing::remember(const sealed_post& sent, const wire::version_answer& answer) {
  // Another device posted the same content on the same parents first, perhaps under another name: only the
  // feed tells that, and it does so only while nothing is agreed about that version.
  if (answer.id != sent.post.id) return session_.log->wait_for_news(act_.path);
  base_record record;
  record.item = {sent.id,
                 item_kind::file,
                 false,
                 act_.path,
                 answer.id,
                 session_.time.now_ms(),
                 sent.content.content,
                 sent.content.mark};
  record.listed = sent.content.listed;
  finish(record);
}

void publishing::finish(const base_record& record) {
  status done = session_.state->put_base(record);
  // Heads beside ours are told by the feed, which is read before the next plan.
  if (done) done = session_.state->forget_pending(record.item.id);
  if (!done) return session_.log->end(done.error());
  session_.log->count(&round_report::pushed);
  session_.progress->finished_file(act_.path);
}

bool publishing::post_copy(const push::copy& copy) {
  const auto head = session_.state->head(*act_.id, copy.loser.id);
  if (!head) return fault(head.error()), false;
  if (!*head) return fault({errc::not_found, "the head is gone"}), false;
  content_to_post content;
  content.listed = (*head)->listed;
  content.size = size_of(content.listed.chunks);
  content.mtime_ms = static_cast<double>(copy.loser.mtime_ms);
  const file_id id = conflict_copy_file_id(*session_.domain, *act_.id, copy.loser.id);
  auto post = seal_file(*session_.domain, id, manifest_of(content, copy.path), {}, session_.random);
  post.accept_existing = true;
  const auto answer = session_.server.post_version(id, post);
  if (!answer) return session_.log->fault(act_.path, answer.error()), false;
  session_.log->touch(copy.path);
  session_.log->count(&round_report::conflicts);
  session_.progress->note("two versions of " + act_.path + ": the other is kept as " + copy.path);
  return true;
}

void publishing::folder() {
  const file_id id = act_.id ? *act_.id : folder_file_id(*session_.domain, act_.path);
  const wire::folder_manifest manifest{act_.path, session_.domain->id, false};
  std::vector<version_id> parents = act_.parents;
  for (int round = 1; round <= resend_rounds_max; ++round) {
    const auto post = seal_folder(*session_.domain, id, manifest, parents);
    const auto answer = session_.server.post_version(id, post);
    if (!answer) return session_.log->fault(act_.path, answer.error());
    // A folder of this name existed and was deleted: it is made anew on top of that.
    parents = answer->heads;
    if (std::find(parents.begin(), parents.end(), post.id) == parents.end()) continue;
    const auto mark = session_.folder->look(act_.path);
    base_record record;
    record.item = {id, item_kind::folder, false, act_.path, post.id, session_.time.now_ms(), {}, {}};
    if (mark && *mark) record.item.mark = **mark;
    return finish(record);
  }
  session_.log->wait(act_.path, "still_changing");
}

std::nullopt_t publishing::fault(const error& why) {
  session_.log->fault(act_.path, why);
  return std::nullopt;
}

std::nullopt_t publishing::fault(const transfer_error& why) {
  if (why.remote) session_.log->fault(act_.path, *why.remote);
  if (why.local) session_.log->fault(act_.path, *why.local);
  return std::nullopt;
}

}  // namespace obsync::client
