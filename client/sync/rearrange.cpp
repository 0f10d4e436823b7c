#include "client/sync/rearrange.hpp"

#include <algorithm>

namespace obsync::client {

namespace {

// Keeps a pending fork, forgets news that are now agreed.
status forget_pending_if_only(sync_state& state, const file_id& id, const version_id& version) {
  const auto pending = state.pending_of(id);
  if (!pending) return pending.error();
  if (!*pending || (*pending)->heads != std::vector{version}) return {};
  return state.forget_pending(id);
}

// The base after an act, its listing that of the head when the content is the head's.
status store(sync_state& state, base_item item) {
  const auto head = state.head(item.id, item.version);
  if (!head) return head.error();
  if (*head) return state.put_base({std::move(item), (*head)->listed});
  return state.update_base(item);
}

status settle(sync_session& session, const base_item& item) {
  sync_state& state = *session.state;
  if (item.gone && item.version == version_id{}) {
    if (auto done = state.forget_base(item.id); !done) return done;
    return state.forget_pending(item.id);
  }
  if (auto done = store(state, item); !done) return done;
  return item.gone ? state.forget_pending(item.id) : forget_pending_if_only(state, item.id, item.version);
}

class moving {
 public:
  moving(sync_session& session, std::vector<move_here> acts, fresh_marks& marks)
      : session_(session), acts_(std::move(acts)), marks_(marks) {}

  void run() {
    for (move_here& act : acts_) {
      if (const auto moved = marks_.find(act.id); moved != marks_.end()) act.expected = moved->second;
    }
    while (!acts_.empty() && !session_.must_stop()) {
      const auto ready = std::find_if(acts_.begin(), acts_.end(), [&](const move_here& one) {
        return std::none_of(acts_.begin(), acts_.end(), [&](const auto& other) {
          return other.from == one.to || is_below(one.to, other.from);
        });
      });
      if (ready != acts_.end()) {
        move_here act = std::move(*ready);
        acts_.erase(ready);
        one(act);
      } else {
        exchange();
      }
    }
  }

 private:
  void one(const move_here& act) {
    const auto mark = session_.folder->move(act.from, act.to, act.expected);
    if (mark) return arrived(act, *mark);
    session_.log->fault(act.to, mark.error());
    session_.log->touch(act.from);  // it may have stepped aside to a name nobody else would look at
  }

  // Only rings are left: the first act's file changes places with the one that holds its name.
  void exchange() {
    move_here act = std::move(acts_.front());
    acts_.erase(acts_.begin());
    const auto holder = std::find_if(acts_.begin(), acts_.end(),
                                     [&](const move_here& other) { return other.from == act.to; });
    const auto here = session_.folder->look(act.from);
    const auto there = session_.folder->look(act.to);
    const bool untouched =
        here && *here && **here == act.expected && there && *there && **there == holder->expected;
    const error moved{errc::unavailable, "the file was touched meanwhile"};
    const status swapped = untouched ? session_.folder->exchange(act.from, act.to) : status(moved);
    if (!swapped) {
      session_.log->fault(act.to, swapped.error());
      session_.log->fault(holder->to, swapped.error());
      acts_.erase(holder);
      return;
    }
    if (const auto mark = session_.folder->look(act.to); mark && *mark) {
      arrived(act, act.expected.after_rename(**mark));
    }
    const auto other = session_.folder->look(act.from);
    holder->from = act.from;
    if (other && *other) holder->expected = holder->expected.after_rename(**other);
    if (holder->from != holder->to) return;
    const move_here done = *holder;
    acts_.erase(holder);
    arrived(done, done.expected);
  }

  void arrived(const move_here& act, const file_mark& mark) {
    marks_[act.id] = mark;
    auto base = session_.state->base_of(act.id);
    if (!base) return session_.log->end(base.error());
    status done;
    if (*base) {
      (*base)->item.mark = mark;
      if (act.then) {
        (*base)->item.path = act.to;
        (*base)->item.version = act.then->id;
        (*base)->item.ts_ms = act.then->ts_ms;
        done = settle(session_, (*base)->item);
        session_.log->count(&round_report::pulled);
      } else {
        done = session_.state->update_base((*base)->item);
      }
    }
    if (!done) session_.log->end(done.error());
  }

  sync_session& session_;
  std::vector<move_here> acts_;
  fresh_marks& marks_;
};

}  // namespace

void settle_agreed(sync_session& session, const std::vector<agree>& acts) {
  for (const agree& act : acts) {
    if (session.must_stop()) return;
    if (auto done = settle(session, act.item); !done) return session.log->end(done.error());
  }
}

void set_files_aside(sync_session& session, const std::vector<set_aside>& acts) {
  for (const set_aside& act : acts) {
    if (session.must_stop()) return;
    const auto moved = session.folder->move(act.from, act.to, act.expected);
    if (!moved) {
      session.log->fault(act.from, moved.error());
      continue;
    }
    session.log->touch(act.to);
    session.log->count(&round_report::conflicts);
    session.progress->note("the name " + act.from + " is taken: yours is kept as " + act.to);
  }
}

void remove_files(sync_session& session, const std::vector<remove_here>& acts) {
  for (const remove_here& act : acts) {
    if (session.must_stop()) return;
    if (auto removed = session.folder->remove(act.path, act.expected); !removed) {
      session.log->fault(act.path, removed.error());
      continue;
    }
    base_item item{act.id, item_kind::file, true, act.path, act.then.id, act.then.ts_ms, {}, {}};
    if (auto done = settle(session, item); !done) return session.log->end(done.error());
    session.log->count(&round_report::deleted_here);
  }
}

void move_files(sync_session& session, std::vector<move_here> acts, fresh_marks& marks) {
  moving(session, std::move(acts), marks).run();
}

void make_folders(sync_session& session, const std::vector<make_folder>& acts) {
  for (const make_folder& act : acts) {
    if (session.must_stop()) return;
    const auto mark = session.folder->make_folder(act.path);
    if (!mark) {
      session.log->fault(act.path, mark.error());
      continue;
    }
    session.log->count(&round_report::pulled);
    if (!act.then) continue;
    const base_item item{act.id,       item_kind::folder, false, act.path,
                         act.then->id, act.then->ts_ms,   {},    *mark};
    if (auto done = settle(session, item); !done) return session.log->end(done.error());
  }
}

void drop_folders(sync_session& session, const std::vector<drop_folder>& acts) {
  for (const drop_folder& act : acts) {
    if (session.must_stop()) return;
    base_item item{act.id, item_kind::folder, true, act.path, act.then.id, act.then.ts_ms, {}, {}};
    const auto mark = session.folder->look(act.path);
    const auto removed = session.folder->remove_folder(act.path);
    if (!removed && removed.error().code != errc::exists) {
      session.log->fault(act.path, removed.error());
      continue;
    }
    // Something that is not synced lies in it, or a file that could not be moved out: the folder stays and is
    // not published again. The next round tries anew.
    if (!removed && mark && *mark) item.mark = **mark;
    if (!removed) session.log->touch(act.path);
    if (auto done = settle(session, item); !done) return session.log->end(done.error());
    if (removed) session.log->count(&round_report::deleted_here);
  }
}

}  // namespace obsync::client
