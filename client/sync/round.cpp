#include "client/sync/round.hpp"

#include <algorithm>

#include "client/engine/plan.hpp"
#include "client/format/chunker.hpp"
#include "client/sync/arrive.hpp"
#include "client/sync/catch_up.hpp"
#include "client/sync/copy_names.hpp"
#include "client/sync/domain_map.hpp"
#include "client/sync/head_reader.hpp"
#include "client/sync/look.hpp"
#include "client/sync/publish.hpp"
#include "client/sync/push_batch.hpp"
#include "client/sync/rearrange.hpp"

namespace obsync::client {

namespace {

// A round ends at the latest after so many plans; what is left waits for the next.
constexpr int passes_max = 8;
// Files up to this size are under way several at once.
constexpr std::int64_t small_bytes_max = 1 << 20;
// Larger ones of one chunk: each needs twice its size. What is larger still has the memory to itself.
constexpr int middle_in_flight = 3;
// How long the feed must be quiet before two files that claim one name are told apart.
constexpr std::int64_t name_wait_s = 1;

bool is_of_one_chunk(std::int64_t bytes) {
  return static_cast<std::uint64_t>(bytes) <= whole_file_bytes_max;
}

class round_run {
 public:
  explicit round_run(sync_session& session) : session_(session), log_(*session.log), names_(session) {}

  void run(const scan_scope& first) {
    if (!check_root() || !ensure_domain(session_)) return;
    scan_scope scope = first;
    for (int pass = 1; pass <= passes_max && !session_.must_stop(); ++pass) {
      if (!catch_up(session_)) return;
      if (pass > 1) {
        const auto touched = log_.take_touched();
        const auto news = session_.state->pending_files();
        if (!news) return log_.end(news.error());
        if (touched.empty() && news->empty() && !names_wait_) return;
        scope.emplace(touched);
        for (const std::string& path : log_.waiting()) scope->insert(path);
      }
      if (!one_pass(scope)) return;
    }
  }

 private:
  bool check_root() {
    const auto root = session_.folder->open_root();
    const auto known = session_.state->fact("root");
    if (!known) return log_.end(known.error()), false;
    if (!root) return missing(root.error().detail);
    const std::string mark = std::to_string(root->inode) + " " + std::to_string(root->born_ns);
    if (!*known) {
      const auto kept = session_.state->set_fact("root", mark);
      return kept ? true : (log_.end(kept.error()), false);
    }
    return **known == mark || missing("another folder is in its place; nothing was changed or sent");
  }

  bool missing(const std::string& why) {
    log_.end(error{errc::not_found, "root_missing: " + why});
    return false;
  }

  // False when there was nothing to do, or nothing that could be done.
  bool one_pass(const scan_scope& scope) {
    const auto seen = look_around(session_, scope);
    if (!seen) return false;
    log_.look_again_at([&](const std::string& path) { return seen->local.looked_at(path); });
    const naming rules{names_, [&](const std::string& path) { return is_taken(path); },
                       session_.time.now_ms(), std::exchange(decide_names_, false)};
    plan todo = make_plan(seen->base, seen->local, seen->remote, rules);
    for (const hold& one : todo.holds) {
      if (one.code.empty()) continue;
      if (!one.agreed_path.empty()) log_.touch(one.agreed_path);
      if (one.waits) {
        log_.wait(one.path, one.code);
      } else {
        log_.trouble(one.path, one.code, reason_of(one.code));
      }
    }
    names_wait_ = todo.names_wait;
    if (session_.must_stop()) return false;
    if (!todo.empty()) {
      carry_out(todo);
      if (log_.take_done() > 0 || !todo.agreed.empty()) return true;
    }
    return names_wait_ && wait_for_names();
  }

  bool is_taken(const std::string& path) {
    // Whatever else keeps it from being looked at keeps every other name from it, too: whoever goes there
    // will say so.
    const auto there = session_.folder->look(path);
    if (!there) return there.error().code == errc::exists;
    if (*there) return true;
    const auto known = session_.state->is_path_known(path);
    if (!known) log_.end(known.error());
    return known && *known;
  }

  // The other half of a swap may be on its way. A quiet feed says that there is none.
  bool wait_for_names() {
    const auto since = session_.state->cursor();
    if (!since) return log_.end(since.error()), false;
    const auto page = session_.server.changes(*since, name_wait_s, 1);
    if (!page) return log_.end(page.error()), false;
    decide_names_ = page->changes.empty();
    return true;
  }

  void carry_out(plan& todo) {
    announce(todo);
    settle_agreed(session_, todo.agreed);
    set_files_aside(session_, todo.aside);
    remove_files(session_, todo.removals);
    fresh_marks marks;
    move_files(session_, std::move(todo.moves), marks);
    drop_folders(session_, todo.folders_gone);
    move_files(session_, std::move(todo.late_moves), marks);
    make_folders(session_, todo.folders_here);
    bring(todo.pulls, marks);
    for (push& one : todo.pushes) {
      const auto moved = one.id ? marks.find(*one.id) : marks.end();
      if (moved != marks.end()) one.expected = moved->second;
    }
    send(todo.pushes);
    for (const item_kind kind : {item_kind::file, item_kind::folder}) send_gone(todo.gone, kind);
  }

  void announce(const plan& todo) {
    std::uint64_t moving = 0;
    for (const pull& one : todo.pulls) moving += static_cast<std::uint64_t>(one.head.size);
    for (const push& one : todo.pushes) {
      if (one.from == push::source::local) moving += static_cast<std::uint64_t>(one.expected.size);
    }
    session_.progress->planned(todo.pulls.size() + todo.pushes.size() + todo.gone.size(), moving);
  }

  void bring(const std::vector<pull>& pulls, const fresh_marks& marks) {
    const auto groups = group_pulls(pulls);
    std::vector<const std::vector<const pull*>*> small;
    std::vector<const std::vector<const pull*>*> large;
    for (const auto& group : groups)
      (group.front()->head.size <= small_bytes_max ? small : large).push_back(&group);
    in_flight(small.size(), [&](std::size_t i) { arrive(session_, *small[i], marks); });
    in_turn(
        large, [](const auto* group) { return is_of_one_chunk(group->front()->head.size); },
        [&](const auto* group) { arrive(session_, *group, marks); });
  }

  void send(const std::vector<push>& pushes) {
    std::vector<const push*> small;
    std::vector<const push*> large;
    for (const push& one : pushes) {
      if (one.kind == item_kind::folder) {
        if (!session_.must_stop()) publish(session_, one);  // in order: parents first
      } else {
        (one.from != push::source::local || one.expected.size <= small_bytes_max ? small : large)
            .push_back(&one);
      }
    }
    const auto groups = group_pushes(small, small.empty() ? std::nullopt : session_.server.batch_limits());
    in_flight(groups.together.size(), [&](std::size_t i) { publish_together(session_, groups.together[i]); });
    in_flight(groups.alone.size(), [&](std::size_t i) { publish(session_, *groups.alone[i]); });
    in_turn(
        large, [](const push* one) { return is_of_one_chunk(one->expected.size); },
        [&](const push* one) { publish(session_, *one); });
  }

  // Those of one chunk a few beside each other, for the larger ones have several chunks under way as it is.
  template <class Item, class IsMiddle, class Act>
  void in_turn(std::vector<Item>& large, IsMiddle is_middle, Act act) {
    const auto middle = std::stable_partition(large.begin(), large.end(), is_middle);
    run_in_flight(middle_in_flight, static_cast<std::size_t>(middle - large.begin()), [&](std::size_t i) {
      if (!session_.must_stop()) act(large[i]);
    });
    for (auto one = middle; one != large.end(); ++one) {
      if (!session_.must_stop()) act(*one);
    }
  }

  void send_gone(const std::vector<push_gone>& gone, item_kind kind) {
    std::vector<const push_gone*> some;
    for (const push_gone& one : gone) {
      if (one.kind == kind) some.push_back(&one);
    }
    if (kind == item_kind::file)
      return in_flight(some.size(), [&](std::size_t i) { publish_gone(session_, *some[i]); });
    for (const push_gone* one : some) {
      if (!session_.must_stop()) publish_gone(session_, *one);
    }
  }

  void in_flight(std::size_t count, const std::function<void(std::size_t)>& act) {
    run_in_flight(session_.options.small_in_flight, count, [&](std::size_t i) {
      if (!session_.must_stop()) act(i);
    });
  }

  sync_session& session_;
  round_log& log_;
  format_namer names_;
  bool decide_names_ = false;
  bool names_wait_ = false;
};

}  // namespace

void run_round(sync_session& session, const scan_scope& scope) {
  round_run(session).run(scope);
  if (session.stopping) session.log->end(remote_error{remote_error::kind::stopped, {}, "stopped", {}});
}

}  // namespace obsync::client
