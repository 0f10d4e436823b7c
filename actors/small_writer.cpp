#include "actors/small_writer.hpp"

#include <caf/stateful_actor.hpp>

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

struct small_writer_state {
  static inline const char* name = "small_writer";

  small_writer_limits limits;
  small_writer_deps deps;
  std::deque<small_chunk_call> queue;  // calls answer 503 by themselves should this actor die
  bool armed = false;                  // a flush_now is on its way
  group_hold company;
  std::uint64_t groups = 0;  // flushed so far: tells a flush_due that came too late

  struct accepted {
    small_chunk_call task;
    store::room::reservation space;
  };

  void on_chunk(caf::stateful_actor<small_writer_state>* self, small_chunk_call& task);
  void on_flush(caf::stateful_actor<small_writer_state>* self);
  void arm(caf::stateful_actor<small_writer_state>* self);
  // The task, when it must be written; otherwise its call has been answered.
  std::optional<accepted> admit(small_chunk_call& task);
  void write(std::vector<accepted>& group);
};

void small_writer_state::on_chunk(caf::stateful_actor<small_writer_state>* self, small_chunk_call& task) {
  if (queue.size() >= limits.queue_chunks_max) {
    task.call->answer(refuse(wire::refusal::overloaded, "too many chunks are waiting"));
    return;
  }
  queue.push_back(std::move(task));
  arm(self);
}

// Flushes when the group is complete; the first of a group that is not starts its clock.
void small_writer_state::arm(caf::stateful_actor<small_writer_state>* self) {
  if (armed) return;
  if (company.is_complete(queue.size())) {
    armed = true;
    self->send(self, flush_now{});
  } else if (queue.size() == 1) {
    self->delayed_send(self, group_hold::hold, flush_due{groups});
  }
}

void small_writer_state::on_flush(caf::stateful_actor<small_writer_state>* self) {
  armed = false;
  ++groups;
  std::vector<accepted> group;
  std::size_t taken = 0;
  for (; taken < limits.group_chunks_max && !queue.empty(); ++taken) {
    small_chunk_call task = std::move(queue.front());
    queue.pop_front();
    const call_ptr call = task.call;
    guarded(name, call, [&] {
      if (auto wanted = admit(task)) group.push_back(std::move(*wanted));
    });
  }
  company.flushed(taken);
  if (!group.empty()) write(group);
  if (!queue.empty()) {
    armed = true;
    self->send(self, flush_now{});
  }
}

std::optional<small_writer_state::accepted> small_writer_state::admit(small_chunk_call& task) {
  const std::string& body = task.call->req.body;
  const result<bool> present = deps.present->has(task.account, task.sid);
  if (!present) {
    task.call->answer(refuse(wire::refusal::io_error, "the chunk store could not be read"));
    return std::nullopt;
  }
  store::room::reservation space;
  if (!*present) {
    auto reserved = deps.space->reserve(task.account, static_cast<std::int64_t>(body.size()));
    if (!reserved) {
      task.call->answer(refuse(reserved.error()));
      return std::nullopt;
    }
    space = std::move(*reserved);
  }
  if (crypto::sha256(as_bytes(body)).raw != task.sid.raw) {
    task.call->answer(refuse(wire::refusal::sid_mismatch, "the body does not hash to the chunk's name"));
    return std::nullopt;
  }
  if (*present) {
    task.call->answer(ok(wire::to_json(wire::put_answer{task.sid})));
    return std::nullopt;
  }
  return accepted{std::move(task), std::move(space)};
}

void small_writer_state::write(std::vector<accepted>& group) {
  std::vector<store::small_put> batch;
  for (const accepted& item : group) {
    const byte_view body = as_bytes(item.task.call->req.body);
    batch.push_back({item.task.account, item.task.sid, bytes(body.begin(), body.end()), deps.time->now_ms()});
  }
  auto done = deps.chunks->put(batch);
  if (!done) {
    const bool full = done.error().code == errc::no_space;
    if (!full) deps.state->fault("blobs volume faulted: restart the server to recover");
    log::line(log::level::error, "chunk_put_failed").add("kind", obsync::name(done.error().code));
    for (accepted& item : group)
      item.task.call->answer(full ? refuse(wire::refusal::storage_full, "no room left on the blobs volume")
                                  : refuse(wire::refusal::io_error, "the chunk could not be stored"));
    return;
  }
  for (std::size_t i = 0; i < group.size(); ++i) {
    // Two devices may have sent one chunk into one group: the second finds it there and gives its room back.
    const bool created = (*done)[i] == store::put_result::created;
    if (created) group[i].space.keep();
    group[i].task.call->answer(ok(wire::to_json(wire::put_answer{group[i].task.sid}), created ? 201 : 200));
  }
}

caf::behavior small_writer(caf::stateful_actor<small_writer_state>* self, const small_writer_limits& limits,
                           const small_writer_deps& deps) {
  self->state.limits = limits;
  self->state.deps = deps;
  log_unexpected(self, small_writer_state::name);
  return {
      [self](small_chunk_call& task) { self->state.on_chunk(self, task); },
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
