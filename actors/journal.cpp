#include "actors/journal.hpp"

#include <caf/response_promise.hpp>

#include <deque>
#include <map>

#include "actors/group_hold.hpp"
#include "actors/messages.hpp"
#include "actors/spawn.hpp"
#include "core/log.hpp"

namespace obsync::actors {

namespace {

using store::operation;

std::size_t weight_of(const operation& op) {
  const auto* post = std::get_if<store::post_version>(&op);
  if (post == nullptr) return 64;
  return post->post.manifest_ct.size() + 32 * (post->post.sids.size() + post->post.parents.size());
}

wire::failure failure_of(const error& reason) {
  if (reason.code == errc::no_space)
    return {wire::refusal::storage_full, "no room left on the journal volume"};
  return {wire::refusal::io_error, "the journal could not be written"};
}

commit_reply_ptr reply_all(std::size_t count, const wire::failure& failure) {
  auto reply = std::make_shared<commit_reply>();
  for (std::size_t i = 0; i < count; ++i) reply->outcomes.emplace_back(failure);
  return reply;
}

struct journal_state {
  static inline const char* name = "journal";

  struct waiting {
    commit_request_ptr request;
    caf::response_promise promise;
    std::size_t weight = 0;
  };

  journal_limits limits;
  journal_deps deps;
  // The ledger: every promise not yet kept is in here, and the destructor answers what is left.
  std::deque<waiting> queue;
  bool armed = false;  // a flush_now is on its way
  group_hold company;
  std::uint64_t groups = 0;                   // flushed so far: tells a flush_due that came too late
  bool faulted = false;                       // a commit failed with the disk in an unknown state
  std::optional<wire::refusal> no_room = {};  // as of the last group with a version in it

  ~journal_state() {
    for (waiting& item : queue)
      item.promise.deliver(reply_all(item.request->operations.size(),
                                     {wire::refusal::journal_faulted, "the journal has stopped"}));
  }

  caf::result<commit_reply_ptr> on_commit(timed<journal_state>* self, commit_request_ptr& request);
  void on_flush(timed<journal_state>* self);
  void arm(timed<journal_state>* self);

  std::vector<waiting> take_group();
  void commit_group(timed<journal_state>* self, std::vector<waiting>& group);
  void ask_for_room(std::vector<operation>& batch);
  result<std::vector<store::commit_outcome>> commit(const std::vector<operation>& batch);
  void fault(const error& reason);
  void publish(timed<journal_state>* self, const std::vector<operation>& operations,
               const std::vector<store::commit_outcome>& outcomes);
};

caf::result<commit_reply_ptr> journal_state::on_commit(timed<journal_state>* self,
                                                       commit_request_ptr& request) {
  const std::size_t count = request->operations.size();
  if (faulted)
    return reply_all(count,
                     {wire::refusal::journal_faulted, "the journal failed; restart the server to recover"});
  if (queue.size() >= limits.queue_requests_max)
    return reply_all(count, {wire::refusal::overloaded, "too many writes are waiting"});
  std::size_t weight = 0;
  for (const operation& op : request->operations) weight += weight_of(op);
  caf::response_promise promise = self->make_response_promise();
  queue.push_back({std::move(request), promise, weight});
  arm(self);
  return promise;
}

// Flushes when the group is complete; the first of a group that is not starts its clock.
void journal_state::arm(timed<journal_state>* self) {
  if (armed) return;
  if (company.is_complete(queue.size())) {
    armed = true;
    self->send(self, flush_now{});
  } else if (queue.size() == 1) {
    self->delayed_send(self, group_hold::hold, flush_due{groups});
  }
}

// The durable order, in this order and nowhere else:
//   1 take what waits  2 commit it in one flush  3 publish to heads and feed  4 answer
void journal_state::on_flush(timed<journal_state>* self) {
  armed = false;
  ++groups;
  std::vector<waiting> group = take_group();
  company.flushed(group.size());
  if (!group.empty()) commit_group(self, group);
  if (!queue.empty()) {
    armed = true;
    self->send(self, flush_now{});
  }
}

std::vector<journal_state::waiting> journal_state::take_group() {
  std::vector<waiting> group;
  std::size_t weight = 0;
  while (!queue.empty() && group.size() < limits.group_requests_max) {
    weight += queue.front().weight;
    if (!group.empty() && weight > limits.group_bytes_max) break;
    group.push_back(std::move(queue.front()));
    queue.pop_front();
  }
  return group;
}

void journal_state::commit_group(timed<journal_state>* self, std::vector<waiting>& group) {
  std::vector<operation> batch;
  for (waiting& item : group)
    for (operation& op : item.request->operations) batch.push_back(std::move(op));

  ask_for_room(batch);
  auto done = commit(batch);

  if (!done && done.error().code == errc::no_space && group.size() > 1) {
    // One request too large for the room left must not refuse its neighbours: each gets its own try.
    std::size_t at = 0;
    for (waiting& item : group) {
      const std::size_t count = item.request->operations.size();
      for (std::size_t i = 0; i < count; ++i) item.request->operations[i] = std::move(batch[at + i]);
      at += count;
      std::vector<waiting> alone;
      alone.push_back(std::move(item));
      commit_group(self, alone);
    }
    return;
  }
  if (!done) {
    if (done.error().code != errc::no_space) fault(done.error());
    for (waiting& item : group)
      item.promise.deliver(reply_all(item.request->operations.size(), failure_of(done.error())));
    return;
  }

  publish(self, batch, *done);
  std::size_t at = 0;
  for (waiting& item : group) {
    auto reply = std::make_shared<commit_reply>();
    for (std::size_t i = 0; i < item.request->operations.size(); ++i)
      reply->outcomes.push_back(std::move((*done)[at++]));
    item.promise.deliver(std::move(reply));
  }
  log::line(log::level::debug, "journal_commit").add("batch", static_cast<std::int64_t>(group.size()));
}

// Versions are what makes the journal grow; what lets in, shuts out or collects is never refused for room.
void journal_state::ask_for_room(std::vector<operation>& batch) {
  if (!deps.space) return;
  std::int64_t weight = 0;
  for (const operation& op : batch)
    if (std::holds_alternative<store::post_version>(op)) weight += static_cast<std::int64_t>(weight_of(op));
  if (weight == 0) return;
  const auto now = deps.space->refuse(weight);
  if (now != no_room)
    log::line(now ? log::level::error : log::level::info, "journal_room")
        .add("decision", now ? wire::name(*now) : std::string_view("enough"));
  no_room = now;
  for (operation& op : batch)
    if (auto* post = std::get_if<store::post_version>(&op)) post->no_room = no_room;
}

// A group that is being committed is in no ledger, so nothing may leave here but a result.
result<std::vector<store::commit_outcome>> journal_state::commit(const std::vector<operation>& batch) {
  if (faulted) return error{errc::io_failed, "faulted"};
  try {
    return deps.catalog->commit(batch);
  } catch (const std::exception& failure) {
    return error{errc::io_failed, failure.what()};
  }
}

void journal_state::fault(const error& reason) {
  if (faulted) return;
  faulted = true;
  deps.state->fault("journal faulted: restart the server to recover");
  log::line(log::level::error, "journal_append_failed").add("kind", obsync::name(reason.code));
}

void journal_state::publish(timed<journal_state>* self, const std::vector<operation>& operations,
                            const std::vector<store::commit_outcome>& outcomes) {
  std::map<account_id, sequence> advanced;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const auto* post = std::get_if<store::post_version>(&operations[i]);
    if (post == nullptr || !outcomes[i].ok()) continue;
    const auto* stored = std::get_if<store::posted>(&*outcomes[i]);
    if (stored == nullptr || !stored->created) continue;
    sequence& head = advanced[post->account];
    head = std::max(head, stored->answer.seq);
  }
  for (const auto& [account, head] : advanced) {
    deps.heads->advance(account, head);
    self->send(deps.feed, account_advanced{account, head});
  }
}

caf::behavior journal(timed<journal_state>* self, const journal_limits& limits, const journal_deps& deps) {
  self->state.limits = limits;
  self->state.deps = deps;
  log_unexpected(self, journal_state::name);
  return {
      [self](commit_request_ptr& request) { return self->state.on_commit(self, request); },
      [self](flush_now) { self->state.on_flush(self); },
      [self](const flush_due& due) {
        if (due.group == self->state.groups && !self->state.armed) self->state.on_flush(self);
      },
  };
}

}  // namespace

caf::actor spawn_journal(caf::actor_system& system, placement where, const journal_limits& limits,
                         journal_deps deps) {
  return spawn_placed(system, where, journal, limits, std::move(deps));
}

}  // namespace obsync::actors
