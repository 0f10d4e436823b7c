#include "actors/collector.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <deque>

#include "actors/commit_one.hpp"
#include "actors/garbage_search.hpp"
#include "actors/messages.hpp"
#include "actors/spawn.hpp"
#include "core/log.hpp"

namespace obsync::actors {

namespace {

// The next piece of work is due: the collector to itself.
struct collect_step {};

}  // namespace

}  // namespace obsync::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::collect_step)

namespace obsync::actors {

namespace {

constexpr const char* unswept_note = "unswept";  // versions went, their chunks may be left
// Of an account, by its id: the oldest tombstone that is kept for devices that were away. The reader knows
// it, too.
const std::string waiting_note = "waiting ";
constexpr const char* swept_note = "swept_ms";        // when a sweep was completed last
constexpr const char* last_note = "last_collection";  // its summary

struct collector_state {
  static inline const char* name = "collector";
  using self_ptr = timed<collector_state>*;

  // In the order of the work.
  enum class stage { idle, judge, mark, walk, pages };

  collector_limits limits;
  collector_deps deps;
  std::optional<garbage_search> chunks = {};

  stage at = stage::idle;
  bool asked = false;  // by somebody: chunks are swept whether it seems to pay or not
  bool again = false;  // asked for while a round ran
  std::int64_t round_ms = 0;
  std::int64_t step_ms = 0;
  wire::collection_summary result = {};
  std::int64_t versions_removed = 0;

  std::vector<store::prune_progress> accounts;  // left to judge; the last is at work
  store::prune_progress judged;                 // as noted before this round
  bool account_finished = false;
  std::deque<store::operation> due;

  void begin(self_ptr self);
  void on_step(self_ptr self);
  void judge(self_ptr self);
  bool take_verdicts();
  void prune(self_ptr self);
  void sweep_if_due(self_ptr self);
  bool is_sweep_due();
  void mark(self_ptr self);
  void walk(self_ptr self);
  void remove(self_ptr self, const garbage_search::found& some);
  void remove_unnamed(self_ptr self, const garbage_search::found& some);
  void on_removed(std::int64_t removed, std::int64_t size);
  void finish_sweep(self_ptr self);
  void give_pages(self_ptr self);

  template <class Then>
  void commit(self_ptr self, std::vector<store::operation> operations, Then then);
  void rest(self_ptr self);
  void end(const char* decision);
  void fail(const char* what, const std::string& reason);
  std::optional<std::string> note(const char* of);
};

void collector_state::begin(self_ptr self) {
  if (at != stage::idle) return;
  auto progress = deps.catalog->progress();
  if (!progress) return fail("progress", progress.error().detail);
  accounts = std::move(*progress);
  round_ms = step_ms = deps.time->now_ms();
  result = {round_ms};
  versions_removed = 0;
  account_finished = true;
  at = stage::judge;
  deps.board->collecting(true);
  log::line(log::level::info, "start").add("job", "gc").add("budget", limits.budget_ms);
  self->send(self, collect_step{});
}

void collector_state::on_step(self_ptr self) {
  if (at == stage::idle) return;
  step_ms = deps.time->now_ms();
  if (step_ms - round_ms > limits.budget_ms) return end("out_of_budget");
  switch (at) {
    case stage::idle:
      return;
    case stage::judge:
      return judge(self);
    case stage::mark:
      return mark(self);
    case stage::walk:
      return walk(self);
    case stage::pages:
      return give_pages(self);
  }
}

// --- versions
// -----------------------------------------------------------------------------------------------

void collector_state::judge(self_ptr self) {
  if (!due.empty()) return prune(self);
  if (account_finished) {
    if (accounts.empty()) return sweep_if_due(self);
    judged = accounts.back();
    account_finished = false;
  }
  if (!take_verdicts()) return;
  if (!due.empty() || !account_finished) return rest(self);
  const store::prune_progress now = accounts.back();
  accounts.pop_back();
  std::vector<store::operation> notes;
  if (now.aged != judged.aged || now.looked != judged.looked || !(judged.rule == limits.rule))
    notes.emplace_back(store::note_pruned{now.account, now.aged, now.looked, limits.rule});
  if (now.waiting != judged.waiting) {
    const std::string oldest = now.waiting ? std::to_string(*now.waiting) : "";
    notes.emplace_back(store::set_upkeep{waiting_note + now.account.hex(), oldest});
  }
  if (notes.empty()) return rest(self);
  commit(self, std::move(notes), [this, self](const commit_reply&) { rest(self); });
}

// A slice of one account's versions, as operations that are due. False when it could not be read.
bool collector_state::take_verdicts() {
  store::prune_progress& from = accounts.back();
  const std::int64_t now_ms = deps.time->now_ms();
  auto slice = deps.catalog->doomed(from, limits.rule, now_ms, limits.versions_max);
  if (!slice) return fail("versions", slice.error().detail), false;
  from.aged = slice->aged;
  from.looked = slice->looked;
  from.rule = limits.rule;
  from.waiting = slice->waiting;
  account_finished = slice->finished;
  for (const store::doomed_file& one : slice->files) {
    const auto& all = one.verdict.versions;
    for (std::size_t first = 0; first < all.size();) {
      const std::size_t last = std::min(all.size(), first + static_cast<std::size_t>(limits.versions_max));
      store::prune_file step{
          from.account, one.file, one.verdict.whole_file, {}, limits.rule.cutoff_ms(now_ms), slice->heard_ms};
      step.versions.assign(all.begin() + static_cast<std::ptrdiff_t>(first),
                           all.begin() + static_cast<std::ptrdiff_t>(last));
      due.emplace_back(std::move(step));
      first = last;
    }
  }
  return true;
}

// As many of the operations that are due as make one step.
void collector_state::prune(self_ptr self) {
  std::vector<store::operation> step;
  std::size_t versions = 0;
  while (!due.empty() && (step.empty() || versions < static_cast<std::size_t>(limits.versions_max))) {
    versions += std::get<store::prune_file>(due.front()).versions.size();
    step.push_back(std::move(due.front()));
    due.pop_front();
  }
  // In the same flush, so that their chunks are looked for also after a crash.
  if (versions_removed == 0) step.push_back(store::set_upkeep{unswept_note, "1"});
  commit(self, std::move(step), [this, self](const commit_reply& done) {
    for (const store::commit_outcome& one : done.outcomes)
      if (const auto* some = std::get_if<store::pruned>(&*one)) versions_removed += some->versions;
    rest(self);
  });
}

// --- chunks
// -------------------------------------------------------------------------------------------------

std::optional<std::string> collector_state::note(const char* of) {
  const auto found = deps.catalog->note(of);
  return found ? *found : std::nullopt;
}

// Chunks become garbage when versions go. Beside that there is only what somebody sent and never named.
bool collector_state::is_sweep_due() {
  if (asked || versions_removed > 0 || note(unswept_note) == "1") return true;
  const auto last = note(swept_note);
  return !last || deps.time->now_ms() - std::strtoll(last->c_str(), nullptr, 10) >= limits.sweep_ms;
}

void collector_state::sweep_if_due(self_ptr self) {
  if (!is_sweep_due()) {
    at = stage::pages;
    return rest(self);
  }
  chunks.emplace(*deps.catalog, *deps.small, *deps.blobs);
  if (const status begun = chunks->begin(*deps.random); !begun) return fail("chunks", begun.error().detail);
  at = stage::mark;
  rest(self);
}

void collector_state::mark(self_ptr self) {
  const auto all = chunks->mark(limits.versions_max);
  if (!all) return fail("references", all.error().detail);
  if (*all) at = stage::walk;
  rest(self);
}

void collector_state::walk(self_ptr self) {
  const auto some = chunks->next(limits.names_max);
  if (!some) return fail("names", some.error().detail);
  if (!*some) return finish_sweep(self);
  if ((*some)->unnamed.empty()) return rest(self);
  remove(self, **some);
}

// The order that must hold: 1 nobody finds the chunks any more  2 every post that found them is committed
// 3 what those posts name is marked  4 what is left goes.
void collector_state::remove(self_ptr self, const garbage_search::found& some) {
  deps.departing->add(some.unnamed);
  commit(self, {store::give_pages_back{limits.pages_max}}, [this, self, some](const commit_reply&) {
    if (const status marked = chunks->mark_latest(limits.versions_max); !marked)
      return fail("references", marked.error().detail);
    remove_unnamed(self, {some.is_small, chunks->still_unnamed(some.unnamed)});
  });
}

void collector_state::remove_unnamed(self_ptr self, const garbage_search::found& some) {
  const std::int64_t before_ms = deps.time->now_ms() - limits.grace_ms;
  if (!some.is_small) {
    for (const auto& [account, sid] : some.unnamed) {
      const auto size = deps.blobs->remove_old(account, sid, before_ms);
      if (!size) return fail("gc_unlink_failed", size.error().detail);
      if (*size == 0) continue;
      deps.space->give_back(account, *size);
      on_removed(1, *size);
    }
    deps.departing->clear();
    return rest(self);
  }
  if (some.unnamed.empty()) {
    deps.departing->clear();
    return rest(self);
  }
  auto sids = std::make_shared<std::vector<chunk_sid>>();
  for (const garbage_search::chunk& one : some.unnamed) sids->push_back(one.second);
  self->request(deps.small_writer, caf::infinite,
                remove_small_chunks{some.unnamed.front().first, std::move(sids), before_ms})
      .then(
          [this, self](const chunks_removed& done) {
            if (!done.ok) return fail("small chunks", "the writer could not remove them");
            deps.departing->clear();
            on_removed(done.what.chunks, done.what.bytes);
            rest(self);
          },
          [this](const caf::error&) { fail("small chunks", "the writer is gone"); });
}

void collector_state::on_removed(std::int64_t removed, std::int64_t size) {
  result.chunks_collected += removed;
  result.bytes_collected += size;
}

void collector_state::finish_sweep(self_ptr self) {
  result.chunks_retained = chunks->looked_at() - result.chunks_collected;
  result.duration_ms = deps.time->now_ms() - round_ms;
  chunks.reset();
  at = stage::pages;
  deps.board->collected(result);
  commit(self,
         {store::set_upkeep{unswept_note, "0"}, store::set_upkeep{swept_note, std::to_string(round_ms)},
          store::set_upkeep{last_note, wire::to_json(result)}},
         [this, self](const commit_reply&) { rest(self); });
}

// --- room
// ---------------------------------------------------------------------------------------------------

void collector_state::give_pages(self_ptr self) {
  commit(self, {store::give_pages_back{limits.pages_max}}, [this, self](const commit_reply& done) {
    const auto* given = std::get_if<store::pages_given>(&*done.outcomes.front());
    const bool more_catalog = given != nullptr && given->more;
    self->request(deps.small_writer, caf::infinite, return_small_pages{limits.pages_max})
        .then(
            [this, self, more_catalog](const pages_returned& small) {
              if (more_catalog || small.more) return rest(self);
              end("complete");
              if (asked) begin(self);
            },
            [this](const caf::error&) { fail("pages", "the writer is gone"); });
  });
}

// ------------------------------------------------------------------------------------------------------------

// `then` hears only of a commit in which everything succeeded.
template <class Then>
void collector_state::commit(self_ptr self, std::vector<store::operation> operations, Then then) {
  auto wish = std::make_shared<commit_request>();
  wish->operations = std::move(operations);
  self->request(deps.journal, caf::infinite, commit_request_ptr(std::move(wish)))
      .then(
          [this, then](const commit_reply_ptr& done) {
            const auto refused = std::find_if(done->outcomes.begin(), done->outcomes.end(),
                                              [](const store::commit_outcome& one) { return !one.ok(); });
            if (refused != done->outcomes.end()) return fail("commit", refused->error().detail);
            then(*done);
          },
          [this](const caf::error&) { fail("commit", "the journal is gone"); });
}

void collector_state::rest(self_ptr self) {
  const std::int64_t worked_ms = deps.time->now_ms() - step_ms;
  self->delayed_send(self, std::chrono::milliseconds(std::max(limits.rest_ms, worked_ms)), collect_step{});
}

void collector_state::end(const char* decision) {
  log::line(log::level::info, "summary")
      .add("job", "gc")
      .add("decision", decision)
      .add("duration_ms", deps.time->now_ms() - round_ms)
      .add("versions", versions_removed)
      .add("chunks", result.chunks_collected)
      .add("bytes", result.bytes_collected);
  at = stage::idle;
  asked = std::exchange(again, false);
  chunks.reset();
  due.clear();
  deps.departing->clear();
  deps.board->collecting(false);
}

// Until the next round.
void collector_state::fail(const char* what, const std::string& reason) {
  log::line(log::level::warn, "gc_failed").add("at", what).add("reason", reason);
  again = false;
  end("failed");
}

caf::behavior collector(timed<collector_state>* self, const collector_limits& limits,
                        const collector_deps& deps) {
  self->state.limits = limits;
  self->state.deps = deps;
  log_unexpected(self, collector_state::name);
  if (const auto last = self->state.note(last_note))
    if (const auto read = wire::from_json<wire::collection_summary>(*last)) deps.board->collected(*read);
  self->delayed_send(self, std::chrono::milliseconds(limits.first_ms), tick{});
  return {
      [self](tick) {
        self->delayed_send(self, std::chrono::milliseconds(self->state.limits.period_ms), tick{});
        self->state.begin(self);
      },
      [self](collect_now) {
        (self->state.at == collector_state::stage::idle ? self->state.asked : self->state.again) = true;
        self->state.begin(self);
      },
      [self](collect_step) { self->state.on_step(self); },
  };
}

}  // namespace

caf::actor spawn_collector(caf::actor_system& system, placement where, const collector_limits& limits,
                           collector_deps deps) {
  return spawn_placed(system, where, collector, limits, std::move(deps));
}

}  // namespace obsync::actors
