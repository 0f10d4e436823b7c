#include "client/sync/mend.hpp"

#include "client/sync/chunk_transfer.hpp"
#include "wire/limits.hpp"

namespace obsync::client {

namespace {

class mending {
 public:
  explicit mending(sync_session& session) : session_(session), log_(*session.log) {}

  void run() {
    const auto base = session_.state->base();
    if (!base) return log_.end(base.error());
    std::vector<base_item> files;
    std::vector<chunk_sid> sids;
    for (const base_item& item : *base) {
      if (session_.must_stop()) return;
      if (item.gone || item.kind != item_kind::file) continue;
      const auto record = session_.state->base_of(item.id);
      if (!record) return log_.end(record.error());
      if (!*record || (*record)->listed.chunks.empty()) continue;
      for (const wire::manifest_chunk& chunk : (*record)->listed.chunks) sids.push_back(chunk.sid);
      files.push_back(item);
      if (sids.size() >= wire::exists_sids_max && !ask(files, sids)) return;
    }
    if (!sids.empty() && !ask(files, sids)) return;
    if (mended_ > 0)
      session_.progress->note("the server had lost parts of " + std::to_string(mended_) +
                              (mended_ == 1 ? " file: it was sent again" : " files: they were sent again"));
  }

 private:
  bool ask(std::vector<base_item>& files, std::vector<chunk_sid>& sids) {
    const auto missing = session_.server.missing(sids);
    if (!missing) return log_.end(missing.error()), false;
    chunk_knowledge there;
    there.lacking.insert(missing->begin(), missing->end());
    if (!there.lacking.empty())
      for (const base_item& item : files)
        if (may_send_ && !session_.must_stop() && !log_.only_reads()) send(item, there);
    files.clear();
    sids.clear();
    return !session_.must_stop();
  }

  // A file that is another one by now is none of ours: the next round publishes it.
  void send(const base_item& item, chunk_knowledge& there) {
    const auto record = session_.state->base_of(item.id);
    if (!record) return log_.end(record.error());
    if (!*record) return;
    bool lacks = false;
    for (const wire::manifest_chunk& chunk : (*record)->listed.chunks)
      lacks = lacks || there.lacking.contains(chunk.sid);
    if (!lacks) return;
    const auto reader = session_.folder->open(item.path);
    if (!reader) return;
    const auto mark = (*reader)->mark();
    if (!mark || *mark != item.mark) return;
    const auto sent = seal_chunks(session_, **reader, static_cast<std::uint64_t>(mark->size), there,
                                  [&](sealed_chunk&& sealed) {
                                    auto done = send_chunk(session_, sealed, there);
                                    if (done) there.lacking.erase(sealed.sid);
                                    return done;
                                  });
    if (!sent && sent.error().remote && sent.error().remote->refusal == wire::refusal::read_only) {
      may_send_ = false;  // another device's matter
      return;
    }
    if (!sent && sent.error().remote) return log_.fault(item.path, *sent.error().remote);
    if (!sent) return log_.fault(item.path, *sent.error().local);
    ++mended_;
    log_.count(&round_report::mended);
  }

  sync_session& session_;
  round_log& log_;
  std::uint64_t mended_ = 0;
  bool may_send_ = true;
};

}  // namespace

void mend(sync_session& session) {
  mending(session).run();
}

}  // namespace obsync::client
