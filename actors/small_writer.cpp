#include "actors/small_writer.hpp"

#include <caf/response_promise.hpp>

#include <deque>
#include <vector>

#include "actors/group_hold.hpp"
#include "actors/messages.hpp"
#include "actors/spawn.hpp"
#include "core/log.hpp"
#include "crypto/digest.hpp"
#include "wire/chunk.hpp"

namespace obsync::actors {

namespace {

using wire::failure;
using wire::refusal;
using chunk_outcome = std::optional<wire::outcome<wire::batch_stored>>;

// Chunks that came together: one of a PUT, whose call is answered, or those of a batch, whose sender is.
struct task {
  call_ptr call;  // keeps the bytes
  account_id account;
  std::vector<wire::batch_chunk> chunks;
  std::optional<caf::response_promise> promise = {};
  std::vector<chunk_outcome> outcomes = {};  // one per chunk, filled on the way
};

reply reply_to_put(const wire::batch_chunk& chunk, const chunk_outcome& outcome) {
  if (!outcome) return refuse(refusal::io_error, "the chunk writer has stopped");
  if (!*outcome) return refuse(outcome->error());
  return ok(wire::to_json(wire::put_answer{chunk.sid}), (*outcome)->created ? 201 : 200);
}

void answer(task& done) {
  if (!done.promise) return done.call->answer(reply_to_put(done.chunks.front(), done.outcomes.front()));
  auto reply = std::make_shared<small_batch_reply>();
  for (const chunk_outcome& one : done.outcomes)
    reply->outcomes.push_back(one ? *one : failure{refusal::io_error, "the chunk writer has stopped"});
  done.promise->deliver(std::move(reply));
}

struct small_writer_state {
  static inline const char* name = "small_writer";
  using self_ptr = timed<small_writer_state>*;

  small_writer_limits limits;
  small_writer_deps deps;
  // The ledger: everything not yet answered is in here, and the destructor answers what is left.
  std::deque<task> queue;
  std::size_t queued_chunks = 0;
  bool armed = false;  // a flush_now is on its way
  group_hold company;
  std::uint64_t groups = 0;  // flushed so far: tells a flush_due that came too late

  // A chunk whose bytes are what its name says, and the room it takes when it is new.
  struct accepted {
    task* of;
    std::size_t at;
    store::room::reservation space = {};
    const wire::batch_chunk& chunk() const { return of->chunks[at]; }
    void settle(const wire::outcome<wire::batch_stored>& outcome) { of->outcomes[at].emplace(outcome); }
  };
  struct admitted {
    std::vector<accepted> fresh = {};       // to be written
    std::vector<accepted> sent_again = {};  // stored already: to be kept as if they were new
  };

  ~small_writer_state() {
    for (task& left : queue) answer(left);
  }

  void enqueue(self_ptr self, task&& fresh);
  caf::result<small_batch_reply_ptr> on_batch(self_ptr self, const small_batch_ptr& batch);
  void on_flush(self_ptr self);
  void arm(self_ptr self);
  std::vector<task> take_group();
  // Puts the chunk where it belongs, or settles its outcome.
  void admit(task& of, std::size_t at, admitted& group);
  void write(std::vector<accepted>& group);
  // What is sent again is needed: it is not to be collected for its age, or must not be called stored.
  void renew(std::vector<accepted>& group);
  void refuse_all(std::vector<accepted>& group, const char* event, const error& reason);
  erased on_erase(const erase_small_chunks& step);
  chunks_removed on_remove(const remove_small_chunks& step);
  status restore(const account_id& account, const chunk_sid& sid, byte_view body);
  small_chunk_restored on_restore(const restore_small_chunk& step);
  // Whether what is stored is what its name says; a chunk in a file is not looked at.
  bool is_rotten(const account_id& account, const chunk_sid& sid);
  chunks_removed on_drop(const drop_rotten_chunk& step);
  pages_returned on_pages(const return_small_pages& step);
  void fault(const char* event, const error& reason);
};

void small_writer_state::enqueue(self_ptr self, task&& fresh) {
  fresh.outcomes.resize(fresh.chunks.size());
  if (queued_chunks + fresh.chunks.size() > limits.queue_chunks_max) {
    for (chunk_outcome& one : fresh.outcomes)
      one.emplace(failure{refusal::overloaded, "too many chunks are waiting"});
    return answer(fresh);
  }
  queued_chunks += fresh.chunks.size();
  queue.push_back(std::move(fresh));
  arm(self);
}

caf::result<small_batch_reply_ptr> small_writer_state::on_batch(self_ptr self, const small_batch_ptr& batch) {
  caf::response_promise promise = self->make_response_promise();
  enqueue(self, {batch->call, batch->account, batch->chunks, promise});
  return promise;
}

// Flushes when the group is complete; the first of a group that is not starts its clock.
void small_writer_state::arm(self_ptr self) {
  if (armed) return;
  if (company.is_complete(queue.size())) {
    armed = true;
    self->send(self, flush_now{});
  } else if (queue.size() == 1) {
    self->delayed_send(self, group_hold::hold, flush_due{groups});
  }
}

std::vector<task> small_writer_state::take_group() {
  std::vector<task> group;
  std::size_t chunks = 0;
  while (!queue.empty()) {
    chunks += queue.front().chunks.size();
    if (!group.empty() && chunks > limits.group_chunks_max) break;
    queued_chunks -= queue.front().chunks.size();
    group.push_back(std::move(queue.front()));
    queue.pop_front();
  }
  return group;
}

void small_writer_state::on_flush(self_ptr self) {
  armed = false;
  ++groups;
  std::vector<task> group = take_group();
  company.flushed(group.size());
  // Whatever is thrown below, everyone is answered.
  guarded(name, nullptr, [&] {
    admitted wanted;
    for (task& one : group)
      for (std::size_t at = 0; at < one.chunks.size(); ++at) admit(one, at, wanted);
    if (!wanted.sent_again.empty()) renew(wanted.sent_again);
    if (!wanted.fresh.empty()) write(wanted.fresh);
  });
  for (task& one : group) answer(one);
  if (!queue.empty()) {
    armed = true;
    self->send(self, flush_now{});
  }
}

void small_writer_state::admit(task& of, std::size_t at, admitted& group) {
  const wire::batch_chunk& chunk = of.chunks[at];
  const auto refused = [&](failure reason) { of.outcomes[at].emplace(std::move(reason)); };
  if (of.outcomes[at]) return;
  const result<bool> present = deps.present->has(of.account, chunk.sid);
  if (!present) return refused({refusal::io_error, "the chunk store could not be read"});
  store::room::reservation space;
  if (!*present) {
    auto reserved = deps.space->reserve(of.account, static_cast<std::int64_t>(chunk.sealed.size()));
    if (!reserved) return refused(reserved.error());
    space = std::move(*reserved);
  }
  if (crypto::sha256(chunk.sealed).raw != chunk.sid.raw)
    return refused({refusal::sid_mismatch, "the body does not hash to the chunk's name"});
  if (*present && is_rotten(of.account, chunk.sid))
    if (const status done = restore(of.account, chunk.sid, chunk.sealed); !done)
      return refused({refusal::io_error, "the chunk is damaged and could not be replaced"});
  (*present ? group.sent_again : group.fresh).push_back({&of, at, std::move(space)});
}

void small_writer_state::write(std::vector<accepted>& group) {
  std::vector<store::small_put> puts;
  const std::int64_t now_ms = deps.time->now_ms();
  for (const accepted& item : group)
    puts.push_back({item.of->account, item.chunk().sid, item.chunk().sealed, now_ms});
  auto done = deps.chunks->put(puts);
  if (!done && done.error().code == errc::no_space && group.size() > 1) {
    // A large batch that finds no room must not refuse its neighbours: each chunk gets its own try.
    for (accepted& item : group) {
      std::vector<accepted> alone;
      alone.push_back(std::move(item));
      write(alone);
    }
    return;
  }
  if (!done) return refuse_all(group, "chunk_put_failed", done.error());
  for (std::size_t i = 0; i < group.size(); ++i) {
    // Two devices may have sent one chunk into one group: the second finds it there and gives its room back.
    const bool created = (*done)[i] == store::put_result::created;
    if (created) group[i].space.keep();
    const wire::outcome<wire::batch_stored> stored = wire::batch_stored{created};
    group[i].settle(stored);
  }
}

void small_writer_state::refuse_all(std::vector<accepted>& group, const char* event, const error& reason) {
  const bool full = reason.code == errc::no_space;
  fault(event, reason);
  for (accepted& item : group)
    item.settle(full ? failure{refusal::storage_full, "no room left on the blobs volume"}
                     : failure{refusal::io_error, "the chunk could not be stored"});
}

// A full volume is no fault; anything else has closed the writer, as in write.
void small_writer_state::fault(const char* event, const error& reason) {
  log::line(log::level::error, event).add("kind", obsync::name(reason.code));
  if (reason.code == errc::no_space) return;
  const auto mirror = deps.mirrors ? deps.mirrors->refusing() : std::nullopt;
  deps.state->fault((mirror ? "volume of mirror " + *mirror : std::string("blobs volume")) +
                    " faulted: restart the server to recover");
}

void small_writer_state::renew(std::vector<accepted>& group) {
  std::vector<store::small_key> keys;
  for (const accepted& item : group) keys.push_back({item.of->account, item.chunk().sid});
  const status done = deps.chunks->renew(keys, deps.time->now_ms(), limits.renewed_after_ms);
  if (!done) return refuse_all(group, "chunk_renew_failed", done.error());
  for (accepted& item : group) item.settle(wire::batch_stored{false});
}

erased small_writer_state::on_erase(const erase_small_chunks& step) {
  const auto finished = deps.chunks->erase(step.account, limits.erased_chunks_max);
  if (finished) return {true, *finished};
  // A mirror that is behind is waited for.
  if (finished.error().code == errc::unavailable) {
    log::line(log::level::warn, "erase_failed").add("reason", finished.error().detail);
  } else {
    fault("erase_failed", finished.error());
  }
  return {};
}

chunks_removed small_writer_state::on_remove(const remove_small_chunks& step) {
  const auto removed = deps.chunks->remove(step.account, *step.sids, step.before_ms);
  if (!removed) {
    fault("gc_unlink_failed", removed.error());
    return {};
  }
  deps.space->give_back(step.account, removed->bytes);
  return {true, *removed};
}

small_chunk_restored small_writer_state::on_restore(const restore_small_chunk& step) {
  return {restore(step.account, step.sid, *step.body).ok()};
}

status small_writer_state::restore(const account_id& account, const chunk_sid& sid, byte_view body) {
  const auto before = deps.present->size_of(account, sid);
  if (!before) return before.error();
  const status done = deps.chunks->restore(account, sid, body, deps.time->now_ms());
  if (done) {
    deps.space->take(account, std::ssize(body) - static_cast<std::int64_t>(before->value_or(0)));
  } else {
    fault("scrub_repair_failed", done.error());
  }
  return done;
}

bool small_writer_state::is_rotten(const account_id& account, const chunk_sid& sid) {
  const auto stored = deps.present->open(account, sid);
  if (!stored || !*stored) return false;
  const auto* body = std::get_if<bytes>(&(*stored)->body);
  return body != nullptr && crypto::sha256(*body).raw != sid.raw;
}

// Here and not where it was found: meanwhile a device may have sent the right bytes.
chunks_removed small_writer_state::on_drop(const drop_rotten_chunk& step) {
  if (!is_rotten(step.account, step.sid)) return {true, {}};
  const auto sids = std::make_shared<const std::vector<chunk_sid>>(1, step.sid);
  return on_remove({step.account, sids, store::any_age});
}

pages_returned small_writer_state::on_pages(const return_small_pages& step) {
  const auto more = deps.chunks->give_pages_back(step.pages_max);
  if (more) return {*more};
  fault("gc_pages_failed", more.error());
  return {};
}

caf::behavior small_writer(timed<small_writer_state>* self, const small_writer_limits& limits,
                           const small_writer_deps& deps) {
  self->state.limits = limits;
  self->state.deps = deps;
  log_unexpected(self, small_writer_state::name);
  return {
      [self](const small_chunk_call& from) {
        const byte_view body = as_bytes(from.call->req.body);
        self->state.enqueue(self, {from.call, from.account, {{from.sid, body}}});
      },
      [self](const small_batch_ptr& batch) { return self->state.on_batch(self, batch); },
      [self](const erase_small_chunks& step) { return self->state.on_erase(step); },
      [self](const remove_small_chunks& step) { return self->state.on_remove(step); },
      [self](const restore_small_chunk& step) { return self->state.on_restore(step); },
      [self](const drop_rotten_chunk& step) { return self->state.on_drop(step); },
      [self](const return_small_pages& step) { return self->state.on_pages(step); },
      [self](flush_now) { self->state.on_flush(self); },
      [self](const flush_due& due) {
        if (due.group == self->state.groups && !self->state.armed) self->state.on_flush(self);
      },
  };
}

}  // namespace

caf::actor spawn_small_writer(caf::actor_system& system, placement where, const small_writer_limits& limits,
                              small_writer_deps deps) {
  return spawn_placed(system, where, small_writer, limits, std::move(deps));
}

}  // namespace obsync::actors
