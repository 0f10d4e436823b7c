#include "client/sync/catch_up.hpp"

#include <algorithm>
#include <unordered_set>

#include "client/format/domain_map_record.hpp"
#include "client/sync/head_reader.hpp"
#include "wire/limits.hpp"

namespace obsync::client {

namespace {

constexpr const char* rewind_fact = "rewind";
constexpr const char* epoch_fact = "epoch";

class catching_up {
 public:
  explicit catching_up(sync_session& session)
      : session_(session), state_(*session.state), map_(place_of_domain_map(session.keys).file) {}

  bool run() {
    const auto rewinding = state_.fact(rewind_fact);
    if (!rewinding) return fail(rewinding.error());
    if (*rewinding && !(*rewinding)->empty() && !start_over()) return false;  // a restart in the middle of it
    if (!look_at_epoch()) return false;
    if (!read_feed() || !read_missing_heads()) return false;
    return !over_ || mark_lost();
  }

 private:
  bool fail(const error& why) {
    session_.log->end(why);
    return false;
  }

  // A restored server may have come to the same numbers again by other changes: only its epoch tells.
  bool look_at_epoch() {
    const auto now = session_.server.epoch();
    const auto known = state_.fact(epoch_fact);
    if (!known) return fail(known.error());
    if (!now || (*known && **known == now->hex())) return true;
    if (*known && !over_) {
      session_.progress->note("the server was restored from a backup: what it lost is sent again");
      if (!start_over()) return false;
    }
    const auto done = state_.set_fact(epoch_fact, now->hex());
    return done ? true : fail(done.error());
  }

  bool start_over() {
    over_ = true;
    seen_.clear();
    if (auto done = state_.begin(); !done) return fail(done.error());
    status done = state_.set_fact(rewind_fact, "1");
    if (done) done = state_.forget_all_pending();
    if (done) done = state_.set_cursor(0);
    if (done) done = state_.commit();
    if (done) return true;
    state_.roll_back();
    return fail(done.error());
  }

  bool read_feed() {
    for (;;) {
      if (session_.must_stop()) return stop();
      const auto since = state_.cursor();
      if (!since) return fail(since.error());
      const auto page = session_.server.changes(*since, 0, wire::page_items_max);
      if (!page && page.error().refusal == wire::refusal::seq_ahead && *since > 0) {
        session_.progress->note("the server was set back to an older state: what it lost is sent again");
        if (!start_over()) return false;
        continue;
      }
      if (!page) {
        session_.log->end(page.error());
        return false;
      }
      if (!take(*page)) return false;
      if (page->seq >= page->head_seq || page->seq <= *since) return true;
    }
  }

  bool take(const wire::change_page& page) {
    if (auto done = state_.begin(); !done) return fail(done.error());
    status done;
    for (const wire::change& change : page.changes) {
      if (done) done = take_one(change);
    }
    if (done) done = state_.set_cursor(page.seq);
    if (done) done = state_.commit();
    if (done) return true;
    state_.roll_back();
    return fail(done.error());
  }

  status take_one(const wire::change& change) {
    if (change.file == map_) return {};
    if (over_) seen_.insert(change.version.id);
    auto base = state_.base_of(change.file);
    if (!base) return base.error();
    if (*base && change.version.id == (*base)->item.version && (*base)->item.ts_ms != change.version.ts_ms) {
      (*base)->item.ts_ms = change.version.ts_ms;
      if (auto done = state_.update_base((*base)->item); !done) return done;
    }
    if (*base && change.heads == std::vector{(*base)->item.version})
      return state_.forget_pending(change.file);
    auto known = state_.pending_of(change.file);
    if (!known) return known.error();
    pending_file pending = *known ? **known : pending_file{change.file, {}, {}, false};
    if (pending.heads != change.heads) {
      pending.heads = change.heads;
      pending.refused.clear();
      pending.rewound = false;
    }
    const auto is_head = std::find(change.heads.begin(), change.heads.end(), change.version.id);
    if (is_head == change.heads.end()) return state_.put_pending(pending);
    return keep(pending, change.domain, change.version);
  }

  status keep(pending_file& pending, const domain_id& domain, const wire::version_record& record) {
    head_reading read = read_head(*session_.domain, pending.id, domain, record);
    if (!read.head && read.refused.empty()) return state_.forget_pending(pending.id);
    if (!read.refused.empty()) pending.refused = read.refused;
    if (auto done = state_.put_pending(pending); !done || !read.head) return done;
    return state_.put_head(pending.id, *read.head);
  }

  // Heads that came before the cursor: a fork of which one side was agreed long ago.
  bool read_missing_heads() {
    auto files = state_.unread_files();
    if (!files) return fail(files.error());
    for (pending_file& file : *files) {
      for (const version_id& version : file.heads) {
        if (session_.must_stop()) return stop();
        const auto have = state_.head(file.id, version);
        if (!have) return fail(have.error());
        if (!*have && !fetch(file, version)) return false;
      }
    }
    return true;
  }

  bool fetch(pending_file& file, const version_id& version) {
    const auto record = session_.server.version(file.id, version);
    if (!record) {
      const bool pruned = record.error().refusal == wire::refusal::unknown_version ||
                          record.error().refusal == wire::refusal::unknown_file;
      if (!pruned) return session_.log->end(record.error()), false;
      file.refused = "unread_head";  // until the feed says more
      const auto done = state_.put_pending(file);
      return done ? true : fail(done.error());
    }
    const auto done = keep(file, session_.domain->id, *record);
    return done ? true : fail(done.error());
  }

  // After a full reading of a server that went back: agreed versions it did not list are lost.
  bool mark_lost() {
    auto base = state_.whole_base();
    if (!base) return fail(base.error());
    if (auto done = state_.begin(); !done) return fail(done.error());
    status done;
    for (const base_item& item : *base) {
      if (seen_.contains(item.version) || !done) continue;
      const auto known = state_.pending_of(item.id);
      if (!known) {
        done = known.error();
        break;
      }
      pending_file lost = *known ? **known : pending_file{item.id, {}, {}, false};
      lost.rewound = true;
      done = state_.put_pending(lost);
    }
    if (done) done = state_.set_fact(rewind_fact, "");
    if (done) done = state_.commit();
    if (done) return true;
    state_.roll_back();
    return fail(done.error());
  }

  bool stop() {
    session_.log->end(remote_error{remote_error::kind::stopped, {}, "stopped", {}});
    return false;
  }

  sync_session& session_;
  sync_state& state_;
  file_id map_;
  bool over_ = false;  // reading everything again
  std::unordered_set<version_id> seen_;
};

}  // namespace

bool catch_up(sync_session& session) {
  return catching_up(session).run();
}

}  // namespace obsync::client
