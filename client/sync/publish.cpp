#include "client/sync/publish.hpp"

#include <algorithm>

#include "client/format/derived_ids.hpp"
#include "client/format/manifest_seal.hpp"
#include "client/sync/chunk_transfer.hpp"
#include "client/sync/file_chunks.hpp"

namespace obsync::client {

namespace {

constexpr int resend_rounds_max = 3;

struct content_to_post {
  listed_content listed;
  content_id content;
  std::int64_t size = 0;
  double mtime_ms = 0;
  file_mark mark;
};

std::int64_t size_of(const chunk_list& chunks) {
  std::int64_t size = 0;
  for (const wire::manifest_chunk& one : chunks) size += one.len;
  return size;
}

class publishing {
 public:
  publishing(sync_session& session, const push& act) : session_(session), act_(act) {}

  void run() {
    if (act_.kind == item_kind::folder) return folder();
    for (const push::copy& copy : act_.copies) {
      if (!post_copy(copy)) return;
    }
    const auto content = act_.from == push::source::local ? from_disk() : from_state();
    if (content) post(*content);
  }

 private:
  // The file on disk, sent. Nothing when that failed; the log knows why.
  std::optional<content_to_post> from_disk() {
    const auto reader = session_.folder->open(act_.path);
    if (!reader) return fault(reader.error());
    const auto before = (*reader)->mark();
    if (!before) return fault(before.error());
    if (*before != act_.expected) return fault({errc::unavailable, "the file was touched meanwhile"});
    const auto sent =
        send_chunks(session_, **reader, static_cast<std::uint64_t>(before->size), known_, lacking_);
    if (!sent) return fault(sent.error());
    const auto after = (*reader)->mark();
    if (!after) return fault(after.error());
    if (*after != *before) return fault({errc::unavailable, "the file changed while it was read"});
    content_to_post out{{sent->chunks, {}}, sent->content, before->size, 0, *before};
    if (sent->chunks.size() == 1) out.listed.sha256 = sent->sha256;
    out.mtime_ms = static_cast<double>(before->mtime_ns) / 1e6;
    return out;
  }

  // The same content under another name or on top of other heads: the server has every chunk.
  std::optional<content_to_post> from_state() {
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

  wire::file_manifest manifest_of(const content_to_post& content, const std::string& path) const {
    wire::file_manifest manifest;
    manifest.path = path;
    manifest.size = content.size;
    manifest.mtime_ms = content.mtime_ms;
    manifest.domain = session_.domain->id;
    manifest.chunks = content.listed.chunks;
    manifest.sha256 = content.listed.sha256;
    return manifest;
  }

  void post(content_to_post content) {
    const file_id id = act_.id ? *act_.id : random_id<file_id>(session_.random);
    for (int round = 1;; ++round) {
      auto post =
          seal_file(*session_.domain, id, manifest_of(content, act_.path), act_.parents, session_.random);
      post.accept_existing = true;
      const auto answer = session_.server.post_version(id, post);
      if (answer) return remember(id, post, *answer, content);
      const bool lacks = answer.error().refusal == wire::refusal::missing_chunks;
      if (!lacks || round == resend_rounds_max || act_.expected.inode == 0) {
        return session_.log->fault(act_.path, answer.error());
      }
      // The server lost chunks it once had; the file on disk still has them.
      lacking_ = {answer.error().missing.begin(), answer.error().missing.end()};
      auto again = from_disk();
      if (!again) return;
      content = std::move(*again);
    }
  }

  void remember(const file_id& id, const wire::version_post& post, const wire::version_answer& answer,
                const content_to_post& content) {
    base_record record;
    const auto old = session_.state->base_of(id);
    if (!old) return static_cast<void>(fault(old.error()));
    record.item = {id,        item_kind::file,        false,           act_.path,
                   answer.id, session_.time.now_ms(), content.content, content.mark};
    // Another device posted the same content on the same parents first, perhaps under another name, which the
    // feed will tell.
    if (answer.id != post.id) {
      if (!*old) return session_.log->wait(act_.path, "name_taken");
      record.item.path = (*old)->item.path;
    }
    record.listed = content.listed;
    finish(record);
  }

  void finish(const base_record& record) {
    status done = session_.state->put_base(record);
    // Heads beside ours are told by the feed, which is read before the next plan.
    if (done) done = session_.state->forget_pending(record.item.id);
    if (!done) return session_.log->end(done.error());
    session_.log->count(&round_report::pushed);
    session_.progress->finished_file(act_.path);
  }

  bool post_copy(const push::copy& copy) {
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

  void folder() {
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

  std::nullopt_t fault(const error& why) {
    session_.log->fault(act_.path, why);
    return std::nullopt;
  }
  std::nullopt_t fault(const transfer_error& why) {
    if (why.remote) session_.log->fault(act_.path, *why.remote);
    if (why.local) session_.log->fault(act_.path, *why.local);
    return std::nullopt;
  }

  sync_session& session_;
  const push& act_;
  std::set<chunk_sid> known_;    // chunks of the agreed version, which is still a head
  std::set<chunk_sid> lacking_;  // chunks the server said it does not have
};

// The name may be in use again, by another item; what was deleted must not be there.
bool is_absent(sync_session& session, const push_gone& act) {
  const auto there = session.folder->look(act.path);
  const auto base = session.state->base_of(act.id);
  if (!there || !base) return false;
  return !*there || !*base || !(*base)->item.mark.same_item(**there);
}

}  // namespace

void publish(sync_session& session, const push& act) {
  publishing(session, act).run();
}

void publish_gone(sync_session& session, const push_gone& act) {
  if (!session.folder->root_in_place()) return session.log->end(error{errc::not_found, "root_missing"});
  if (!act.keeper && !is_absent(session, act)) return session.log->wait(act.path, "still_changing");
  wire::version_post post;
  if (act.kind == item_kind::folder) {
    post = seal_folder(*session.domain, act.id, {act.path, session.domain->id, true}, act.parents);
  } else {
    wire::file_manifest manifest;
    manifest.path = act.path;
    manifest.mtime_ms = static_cast<double>(session.time.now_ms());
    manifest.domain = session.domain->id;
    manifest.deleted = true;
    manifest.keeper = act.keeper;
    post = seal_file(*session.domain, act.id, manifest, act.parents, session.random);
    post.accept_existing = true;
  }
  const auto answer = session.server.post_version(act.id, post);
  if (!answer) return session.log->fault(act.path, answer.error());
  base_item item{act.id, act.kind, true, act.path, answer->id, session.time.now_ms(), {}, {}};
  status done = session.state->put_base({item, {}});
  if (done) done = session.state->forget_pending(act.id);
  if (!done) return session.log->end(done.error());
  session.log->count(&round_report::deleted_there);
}

}  // namespace obsync::client
