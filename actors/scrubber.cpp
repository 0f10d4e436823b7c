#include "actors/scrubber.hpp"

#include <caf/response_promise.hpp>
#include <caf/send.hpp>

#include <algorithm>
#include <map>
#include <set>

#include "actors/commit_one.hpp"
#include "actors/messages.hpp"
#include "actors/scrub_walk.hpp"
#include "actors/spawn.hpp"
#include "core/log.hpp"
#include "crypto/digest.hpp"
#include "store/blob_layout.hpp"

namespace obsync::actors {

namespace {

// The next chunks are due: the scrubber to itself.
struct scrub_step {};

}  // namespace

}  // namespace obsync::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::scrub_step)

namespace obsync::actors {

namespace {

constexpr const char* begun_note = "scrub_begun_ms";
constexpr const char* last_note = "last_scrub";
constexpr const char* mirrors_note = "mirrors_behind";  // folders of those that lack chunks, a line each
constexpr std::int64_t unread_rest_ms = 60'000;
constexpr std::size_t missing_remembered_max = 10'000;

bool is_whole(const bytes& body, const chunk_sid& sid) {
  return crypto::sha256(body).raw == sid.raw;
}

struct scrubber_state {
  static inline const char* name = "scrubber";
  using self_ptr = timed<scrubber_state>*;

  scrubber_limits limits;
  scrubber_deps deps;
  std::optional<scrub_walk> walk = {};

  bool running = false;
  wire::scrub_summary pass = {};
  std::int64_t noted_ms = 0;
  std::int64_t step_begun_ms = 0;
  std::int64_t step_bytes = 0;
  std::unique_ptr<store::blob_hold> held = {};  // the name of a rotten file, until it is set aside
  std::set<std::pair<account_id, chunk_sid>> said_missing = {};  // in this pass
  std::map<std::size_t, int> returning = {};  // mirrors this pass brings up to date, and for which return
  bool flawless = true;                       // nothing failed in this pass
  std::string noted_mirrors = {};
  bool has_settled = false;

  void look(self_ptr self);
  void begin(self_ptr self, const std::optional<std::string>& place, std::int64_t begun_ms);
  void on_step(self_ptr self);
  // True when the step may go on; false when it was ended, or waits for somebody.
  bool check(self_ptr self, const scrub_walk::item& one);
  bool check_small(self_ptr self, const scrub_walk::item& one);
  bool check_file(self_ptr self, const scrub_walk::item& one);
  bool check_reference(self_ptr self, const scrub_walk::item& one);
  void say_missing(const scrub_walk::item& one);
  void restore(self_ptr self, const scrub_walk::item& one, bytes right);
  void set_aside_small(self_ptr self, const scrub_walk::item& one, const bytes& wrong);
  void set_aside_file(self_ptr self, const scrub_walk::item& one);
  void note_finding(self_ptr self, const scrub_walk::item& one, std::function<void()> then);
  void on_set_aside(self_ptr self, const scrub_walk::item& one, std::int64_t size);
  status keep_evidence(const std::string& name, const bytes& wrong);
  void rest(self_ptr self, std::int64_t at_least_ms = 0);
  void finish(self_ptr self);
  caf::result<settled> on_settle(self_ptr self);
  void remember_mirrors();
  void take_mirrors_back(self_ptr self);
  bool has_returning_mirror() const;
  std::vector<store::operation> scrub_place_notes() const;
  void fail(self_ptr self, const char* what, const std::string& reason);
  void note(self_ptr self, std::vector<store::operation> operations);
};

// --- passes
// -------------------------------------------------------------------------------------------------

// Goes on with what a restart interrupted, or begins when the last pass is a day old.
void scrubber_state::look(self_ptr self) {
  take_mirrors_back(self);
  if (running || has_settled) return;
  const auto place = deps.catalog->note(scrub_place_note);
  const auto begun = deps.catalog->note(begun_note);
  if (!place || !begun) return;
  const std::int64_t begun_ms = *begun ? std::strtoll((*begun)->c_str(), nullptr, 10) : 0;
  if (*place && !(*place)->empty()) return begin(self, *place, begun_ms);
  if (!*begun || deps.time->now_ms() - begun_ms >= limits.period_ms || has_returning_mirror())
    begin(self, std::nullopt, deps.time->now_ms());
}

// What a mirror lacks is known over a restart.
void scrubber_state::remember_mirrors() {
  const auto noted = deps.catalog->note(mirrors_note);
  if (!noted || !*noted) return;
  noted_mirrors = **noted;
  const auto all = deps.mirrors->all();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (("\n" + noted_mirrors).find("\n" + all[i].folder + "\n") != std::string::npos)
      deps.mirrors->found_behind(i);
}

void scrubber_state::take_mirrors_back(self_ptr self) {
  std::string lacking;
  const auto all = deps.mirrors->all();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].state == store::mirror_state::behind) static_cast<void>(deps.blobs->take_back(i));
    if (all[i].state != store::mirror_state::whole) lacking += all[i].folder + "\n";
  }
  if (lacking != noted_mirrors) note(self, {store::set_upkeep{mirrors_note, lacking}});
  noted_mirrors = std::move(lacking);
}

bool scrubber_state::has_returning_mirror() const {
  const auto all = deps.mirrors->all();
  return std::any_of(all.begin(), all.end(), [](const store::mirror_view& one) {
    return one.state == store::mirror_state::returning;
  });
}

void scrubber_state::begin(self_ptr self, const std::optional<std::string>& place, std::int64_t begun_ms) {
  walk.emplace(*deps.catalog, *deps.small, *deps.blobs);
  if (const status ready = walk->begin(place); !ready) return fail(self, "begin", ready.error().detail);
  running = true;
  pass = {begun_ms};
  pass.complete_pass = !place;
  flawless = true;
  said_missing.clear();
  deps.small_mirrors->open_anew();
  returning.clear();
  const auto mirrors = deps.mirrors->all();
  for (std::size_t i = 0; i < mirrors.size(); ++i)
    if (mirrors[i].state == store::mirror_state::returning) returning.emplace(i, mirrors[i].returned);
  noted_ms = deps.time->now_ms();
  deps.board->scrubbing(true);
  log::line(log::level::info, "start")
      .add("job", "scrub")
      .add("budget", limits.bytes_per_second)
      .add("place", walk->place());
  self->send(self, scrub_step{});
}

void scrubber_state::on_step(self_ptr self) {
  if (!running || has_settled) return;
  step_begun_ms = deps.time->now_ms();
  step_bytes = 0;
  do {
    const auto one = walk->next();
    if (!one) return fail(self, "names", one.error().detail);
    if (!*one) return finish(self);
    if (!check(self, **one)) return;
  } while (step_bytes < limits.step_bytes && deps.time->now_ms() - step_begun_ms < limits.step_ms);
  rest(self);
}

// So long that neither the hour's minute nor the rate is exceeded.
void scrubber_state::rest(self_ptr self, std::int64_t at_least_ms) {
  const std::int64_t now_ms = deps.time->now_ms();
  const std::int64_t worked_ms = std::max<std::int64_t>(now_ms - step_begun_ms, 1);
  const std::int64_t paced_ms = step_bytes * 1000 / limits.bytes_per_second;
  if (now_ms - noted_ms >= limits.note_ms) {
    noted_ms = now_ms;
    note(self, scrub_place_notes());
  }
  const std::int64_t rest_ms = std::max({limits.rest_factor * worked_ms, paced_ms, at_least_ms});
  self->delayed_send(self, std::chrono::milliseconds(rest_ms), scrub_step{});
}

std::vector<store::operation> scrubber_state::scrub_place_notes() const {
  return {store::set_upkeep{begun_note, std::to_string(pass.ts_ms)},
          store::set_upkeep{scrub_place_note, walk->place()}};
}

// A server that is stopped every evening still comes to the end of a pass.
caf::result<settled> scrubber_state::on_settle(self_ptr self) {
  has_settled = true;
  caf::response_promise done = self->make_response_promise();
  if (!running) {
    done.deliver(settled{});
    return done;
  }
  auto wish = std::make_shared<commit_request>();
  wish->operations = scrub_place_notes();
  self->request(deps.journal, caf::infinite, commit_request_ptr(std::move(wish)))
      .then([done](const commit_reply_ptr&) { caf::response_promise(done).deliver(settled{}); },
            [done](const caf::error&) { caf::response_promise(done).deliver(settled{}); });
  return done;
}

void scrubber_state::finish(self_ptr self) {
  pass.duration_ms = deps.time->now_ms() - pass.ts_ms;
  running = false;
  walk.reset();
  log::line(log::level::info, "summary")
      .add("job", "scrub")
      .add("duration_ms", pass.duration_ms)
      .add("chunks", pass.chunks_verified)
      .add("bytes", pass.bytes_verified)
      .add("mismatches", pass.mismatches)
      .add("quarantined", pass.quarantined);
  if (flawless && pass.complete_pass)
    for (const auto& [mirror, returned] : returning) deps.mirrors->completes(mirror, returned);
  take_mirrors_back(self);  // what is whole now is noted as such
  deps.board->scrubbed(pass);
  deps.board->scrubbing(false);
  note(self, {store::set_upkeep{begun_note, std::to_string(pass.ts_ms)},
              store::set_upkeep{scrub_place_note, ""}, store::set_upkeep{last_note, wire::to_json(pass)}});
}

// What could not be read now may be later; the pass goes on there.
void scrubber_state::fail(self_ptr self, const char* what, const std::string& reason) {
  held.reset();
  flawless = false;
  log::line(log::level::error, "scrub_failed").add("at", what).add("reason", reason);
  if (running) rest(self, unread_rest_ms);
}

void scrubber_state::note(self_ptr self, std::vector<store::operation> operations) {
  auto wish = std::make_shared<commit_request>();
  wish->operations = std::move(operations);
  self->request(deps.journal, caf::infinite, commit_request_ptr(std::move(wish)))
      .then([](const commit_reply_ptr&) {}, [](const caf::error&) {});
}

// --- one chunk
// ----------------------------------------------------------------------------------------------

bool scrubber_state::check(self_ptr self, const scrub_walk::item& one) {
  switch (one.what) {
    case scrub_walk::kind::small:
      return check_small(self, one);
    case scrub_walk::kind::file:
      return check_file(self, one);
    case scrub_walk::kind::reference:
      return check_reference(self, one);
  }
  return true;
}

bool scrubber_state::check_small(self_ptr self, const scrub_walk::item& one) {
  const auto body = deps.small->get(one.account, one.sid);
  if (!body) return fail(self, "small chunk", body.error().detail), false;
  if (!*body) return true;  // collected meanwhile
  step_bytes += static_cast<std::int64_t>((*body)->size());
  const bool whole = is_whole(**body, one.sid);
  auto theirs = deps.small_mirrors->look(one.account, one.sid);
  step_bytes += theirs.bytes_read;
  const std::int64_t wrong = theirs.wrong + (whole ? 0 : 1);
  std::optional<bytes> right = whole ? **body : std::move(theirs.right);
  ++pass.chunks_verified;
  pass.bytes_verified += static_cast<std::int64_t>((*body)->size());
  pass.mismatches += wrong;
  if (wrong == 0) return true;
  log::line(log::level::error, "scrub_mismatch")
      .add("chunk", one.sid.hex().substr(0, 8))
      .add("copies", wrong);
  if (right) {
    restore(self, one, std::move(*right));
  } else {
    set_aside_small(self, one, **body);
  }
  return false;
}

void scrubber_state::restore(self_ptr self, const scrub_walk::item& one, bytes right) {
  self->request(deps.small_writer, caf::infinite,
                restore_small_chunk{one.account, one.sid, std::make_shared<const bytes>(std::move(right))})
      .then(
          [this, self, one](const small_chunk_restored& done) {
            if (!done.ok) return fail(self, "scrub_repair_failed", "the small chunk could not be written");
            log::line(log::level::warn, "chunk_repaired").add("chunk", one.sid.hex().substr(0, 8));
            rest(self);
          },
          [this, self](const caf::error&) { fail(self, "scrub_repair_failed", "the writer is gone"); });
}

bool scrubber_state::check_file(self_ptr self, const scrub_walk::item& one) {
  const auto report = deps.copies->check(one.account, one.sid);
  if (!report) return fail(self, "file", report.error().detail), false;
  step_bytes += static_cast<std::int64_t>(report->bytes_read);
  if (report->state == store::copies_state::absent) return true;
  ++pass.chunks_verified;
  pass.bytes_verified += static_cast<std::int64_t>(report->bytes_read);
  pass.mismatches += report->mismatches;
  if (report->mismatches == 0) return true;
  log::line(log::level::error, "scrub_mismatch")
      .add("chunk", one.sid.hex().substr(0, 8))
      .add("copies", report->mismatches);
  if (report->state == store::copies_state::rotten) return set_aside_file(self, one), false;
  log::line(log::level::warn, "chunk_repaired").add("chunk", one.sid.hex().substr(0, 8));
  return true;
}

bool scrubber_state::check_reference(self_ptr self, const scrub_walk::item& one) {
  step_bytes += static_cast<std::int64_t>(chunk_sid::size);
  const auto there = deps.presence->has(one.account, one.sid);
  if (!there || *there || deps.presence->is_departing(one.account, one.sid)) return true;
  const auto file = deps.copies->bring_back(one.account, one.sid);
  if (!file) return fail(self, "scrub_repair_failed", file.error().detail), false;
  const auto bytes_back = static_cast<std::int64_t>(*file);
  step_bytes += bytes_back;
  if (bytes_back > 0) {
    ++pass.mismatches;
    deps.space->take(one.account, bytes_back);
    log::line(log::level::warn, "chunk_repaired").add("chunk", one.sid.hex().substr(0, 8));
    return true;
  }
  auto theirs = deps.small_mirrors->look(one.account, one.sid);
  step_bytes += theirs.bytes_read;
  if (!theirs.right) return say_missing(one), true;
  ++pass.mismatches;
  restore(self, one, std::move(*theirs.right));
  return false;
}

void scrubber_state::say_missing(const scrub_walk::item& one) {
  if (said_missing.size() < missing_remembered_max && !said_missing.emplace(one.account, one.sid).second)
    return;
  log::line(log::level::error, "chunk_missing")
      .add("account", one.account.hex().substr(0, 8))
      .add("chunk", one.sid.hex().substr(0, 8));
}

// --- what is rotten everywhere
// ------------------------------------------------------------------------------

status scrubber_state::keep_evidence(const std::string& file_name, const bytes& wrong) {
  disk& on = *deps.files;
  const std::string& folder = deps.quarantine_folder;
  if (const status made = on.make_folder(folder); !made) return made;
  const std::string to = folder + "/" + file_name, beside = to + ".part";
  const status cleared = on.remove(beside);
  if (!cleared && cleared.error().code != errc::not_found) return cleared;
  const auto file = on.create(beside);
  if (!file) return file.error();
  if (const status done = (*file)->write_at(0, wrong); !done) return done;
  if (const status done = (*file)->sync(); !done) return done;
  if (const status done = on.rename(beside, to); !done) return done;
  if (const status done = on.sync_folder(folder); !done) return done;
  return on.sync_folder(folder.substr(0, folder.rfind('/')));
}

void scrubber_state::set_aside_small(self_ptr self, const scrub_walk::item& one, const bytes& wrong) {
  if (deps.journal_space && deps.journal_space->refuse(std::ssize(wrong)))
    return fail(self, "scrub_quarantine_failed", "the journal volume has no room for it");
  if (const status kept = keep_evidence(store::blob_file_name(one.account, one.sid), wrong); !kept)
    return fail(self, "scrub_quarantine_failed", kept.error().detail);
  note_finding(self, one, [this, self, one] {
    self->request(deps.small_writer, caf::infinite, drop_rotten_chunk{one.account, one.sid})
        .then(
            // The writer gives the room back itself.
            [this, self, one](const chunks_removed& done) {
              if (!done.ok)
                return fail(self, "scrub_quarantine_failed", "the small chunk could not be removed");
              on_set_aside(self, one, 0);
            },
            [this, self](const caf::error&) { fail(self, "scrub_quarantine_failed", "the writer is gone"); });
  });
}

// The name is held until the file is gone: an upload of the right bytes waits so long, and then publishes.
void scrubber_state::set_aside_file(self_ptr self, const scrub_walk::item& one) {
  if (deps.journal_space && deps.journal_space->refuse(limits.step_bytes))
    return fail(self, "scrub_quarantine_failed", "the journal volume has no room for it");
  held = deps.blobs->hold(one.account, one.sid);
  const auto size = deps.copies->set_aside(one.account, one.sid, deps.quarantine_folder);
  if (!size) return fail(self, "scrub_quarantine_failed", size.error().detail);
  if (*size == 0) {
    held.reset();
    return rest(self);
  }
  note_finding(self, one, [this, self, one, size = static_cast<std::int64_t>(*size)] {
    if (const status done = deps.copies->drop(one.account, one.sid); !done)
      return fail(self, "scrub_quarantine_failed", done.error().detail);
    on_set_aside(self, one, size);
  });
}

void scrubber_state::note_finding(self_ptr self, const scrub_walk::item& one, std::function<void()> then) {
  const store::quarantine_row row{one.account, one.sid, deps.time->now_ms(), "sid_mismatch"};
  commit_one(self, deps.journal, store::note_quarantine{row},
             [this, self, then = std::move(then)](const store::commit_outcome& outcome) {
               if (!outcome.ok()) return fail(self, "scrub_quarantine_failed", outcome.error().detail);
               then();
             });
}

void scrubber_state::on_set_aside(self_ptr self, const scrub_walk::item& one, std::int64_t size) {
  held.reset();
  if (size > 0) deps.space->give_back(one.account, size);
  ++pass.quarantined;
  log::line(log::level::error, "chunk_quarantined")
      .add("account", one.account.hex().substr(0, 8))
      .add("chunk", one.sid.hex().substr(0, 8));
  rest(self);
}

caf::behavior scrubber(timed<scrubber_state>* self, const scrubber_limits& limits,
                       const scrubber_deps& deps) {
  self->state.limits = limits;
  self->state.deps = deps;
  log_unexpected(self, scrubber_state::name);
  if (const auto last = deps.catalog->note(last_note); last && *last)
    if (const auto read = wire::from_json<wire::scrub_summary>(**last)) deps.board->scrubbed(*read);
  self->state.remember_mirrors();
  self->send(self, tick{});
  return {
      [self](settle) { return self->state.on_settle(self); },
      [self](tick) {
        self->delayed_send(self, std::chrono::milliseconds(self->state.limits.look_ms), tick{});
        self->state.look(self);
      },
      [self](scrub_now) {
        self->state.take_mirrors_back(self);
        if (!self->state.running && !self->state.has_settled)
          self->state.begin(self, std::nullopt, self->state.deps.time->now_ms());
      },
      [self](scrub_step) { self->state.on_step(self); },
  };
}

}  // namespace

caf::actor spawn_scrubber(caf::actor_system& system, placement where, const scrubber_limits& limits,
                          scrubber_deps deps) {
  return spawn_placed(system, where, scrubber, limits, std::move(deps));
}

}  // namespace obsync::actors
