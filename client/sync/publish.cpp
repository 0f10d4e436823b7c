#include "client/sync/publish.hpp"

#include "client/format/manifest_seal.hpp"
#include "client/sync/publishing.hpp"
#include "client/sync/push_batch.hpp"

namespace obsync::client {

namespace {

// The name may be in use again, by another item; what was deleted must not be there.
bool is_absent(sync_session& session, const push_gone& act) {
  const auto there = session.folder->look(act.path);
  const auto base = session.state->base_of(act.id);
  if (!there || !base) return false;
  return !*there || !*base || !(*base)->item.mark.same_item(**there);
}

}  // namespace

void publish(sync_session& session, const push& act) {
  if (session.log->only_reads()) {
    // What settles a fork between others is theirs to send.
    if (act.from == push::source::local) session.log->keep_here(act.path);
    return;
  }
  publishing(session, act).run();
}

void publish_together(sync_session& session, const std::vector<const push*>& acts) {
  if (!session.log->only_reads()) return push_batch(session).run(acts);
  for (const push* act : acts) session.log->keep_here(act->path);
}

void publish_gone(sync_session& session, const push_gone& act) {
  if (session.log->only_reads()) return session.log->keep_here(act.path);
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
