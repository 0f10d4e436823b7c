#include "actors/eraser.hpp"

#include <caf/send.hpp>

#include "actors/commit_one.hpp"
#include "actors/messages.hpp"
#include "actors/spawn.hpp"
#include "core/log.hpp"

namespace obsync::actors {

namespace {

// The next piece of work is due: the eraser to itself.
struct erase_step {};

constexpr int blob_folders = 256;

}  // namespace

}  // namespace obsync::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::erase_step)

namespace obsync::actors {

namespace {

struct eraser_state {
  static inline const char* name = "eraser";
  using self_ptr = timed<eraser_state>*;

  // In the order of the work.
  enum class stage { idle, rows, small_chunks, blobs, account };

  eraser_limits limits;
  eraser_deps deps;
  stage at = stage::idle;
  account_id account;
  int folder = 0;

  void on_tick(self_ptr self);
  void look(self_ptr self);
  void begin(self_ptr self, const census& all);
  void on_step(self_ptr self);
  void commit(self_ptr self, store::operation operation);
  void on_committed(self_ptr self, const store::commit_outcome& outcome);
  template <class Step>
  void ask(self_ptr self, const caf::actor& whom, Step step);
  void advance(self_ptr self, bool finished);
  void give_up();
};

void eraser_state::on_tick(self_ptr self) {
  self->delayed_send(self, std::chrono::seconds(limits.period_s), tick{});
  if (at == stage::idle) look(self);
}

void eraser_state::look(self_ptr self) {
  self->request(deps.readers->next(), caf::infinite, census_lookup{})
      .then([this, self](const census_ptr& all) { begin(self, *all); }, [](const caf::error&) {});
}

void eraser_state::begin(self_ptr self, const census& all) {
  if (at != stage::idle) return;
  const std::int64_t now_ms = deps.time->now_ms();
  for (const store::account_row& row : all.accounts) {
    if (!row.delete_after_ms || *row.delete_after_ms > now_ms) continue;
    account = row.id;
    at = stage::rows;
    folder = 0;
    self->send(deps.front, account_erased{account});
    log::line(log::level::info, "account_erasing").add("account", account.hex().substr(0, 8));
    return self->send(self, erase_step{});
  }
}

void eraser_state::on_step(self_ptr self) {
  const std::int64_t now_ms = deps.time->now_ms();
  switch (at) {
    case stage::idle:
      return;
    case stage::rows:
      return commit(self, store::erase_rows{account, limits.rows_max, now_ms});
    case stage::small_chunks:
      return ask(self, deps.small_writer, erase_small_chunks{account});
    case stage::blobs:
      return ask(self, deps.blob_writers->next(),
                 erase_blob_folder{account, static_cast<std::uint8_t>(folder)});
    case stage::account:
      return commit(self, store::forget_account{account, now_ms});
  }
}

void eraser_state::commit(self_ptr self, store::operation operation) {
  commit_one(self, deps.journal, std::move(operation),
             [this, self](const store::commit_outcome& outcome) { on_committed(self, outcome); });
}

void eraser_state::on_committed(self_ptr self, const store::commit_outcome& outcome) {
  if (!outcome.ok()) return give_up();
  const auto* step = std::get_if<store::erasure_step>(&*outcome);
  advance(self, step == nullptr || step->finished);
}

template <class Step>
void eraser_state::ask(self_ptr self, const caf::actor& whom, Step step) {
  self->request(whom, caf::infinite, step)
      .then(
          [this, self](const erased& done) {
            if (!done.ok) return give_up();
            advance(self, done.finished);
          },
          [this](const caf::error&) { give_up(); });
}

void eraser_state::advance(self_ptr self, bool finished) {
  if (at == stage::blobs && ++folder < blob_folders) finished = false;
  if (finished && at == stage::account) {
    deps.space->set_used(account, 0);
    self->send(deps.setup, account_erased{account});
    log::line(log::level::info, "account_erased").add("account", account.hex().substr(0, 8));
    at = stage::idle;
    return look(self);
  }
  if (finished) at = static_cast<stage>(static_cast<int>(at) + 1);
  self->delayed_send(self, std::chrono::milliseconds(limits.rest_ms), erase_step{});
}

// Until the next hour, or the next start.
void eraser_state::give_up() {
  at = stage::idle;
}

caf::behavior eraser(timed<eraser_state>* self, const eraser_limits& limits, const eraser_deps& deps) {
  self->state.limits = limits;
  self->state.deps = deps;
  log_unexpected(self, eraser_state::name);
  self->send(self, tick{});
  return {
      [self](tick) { self->state.on_tick(self); },
      [self](erase_step) { self->state.on_step(self); },
  };
}

}  // namespace

caf::actor spawn_eraser(caf::actor_system& system, const eraser_limits& limits, eraser_deps deps) {
  return system.spawn(eraser, limits, std::move(deps));
}

}  // namespace obsync::actors
