#include "actors/supervisor.hpp"

#include <map>

#include "actors/spawn.hpp"
#include "core/log.hpp"

namespace obsync::actors {

namespace {

struct supervisor_state {
  static inline const char* name = "supervisor";
  using self_ptr = timed<supervisor_state>*;

  std::shared_ptr<health> state;
  std::map<caf::actor_addr, watch_actor> watched;

  void on_watch(self_ptr self, const watch_actor& wish) {
    const caf::actor_addr address = wish.who.address();
    self->monitor(wish.who);
    watch_actor kept = wish;
    kept.who = nullptr;  // watching must not keep an actor alive
    watched.insert_or_assign(address, std::move(kept));
  }

  void on_down(self_ptr self, const caf::down_msg& news) {
    const auto found = watched.find(news.source);
    if (found == watched.end()) return;
    watch_actor lost = std::move(found->second);
    watched.erase(found);
    if (state->stopping()) return;
    log::line(log::level::error, "actor_died")
        .add("actor", lost.name)
        .add("reason", caf::to_string(news.reason))
        .add("decision", lost.respawn ? "restarted" : "faulted");
    if (!lost.respawn) return state->fault(lost.name + " stopped: restart the server to recover");
    lost.who = lost.respawn();
    lost.pool->replace(news.source, lost.who);
    on_watch(self, lost);
  }
};

caf::behavior supervisor(timed<supervisor_state>* self, const std::shared_ptr<health>& state) {
  self->state.state = state;
  self->set_down_handler([self](caf::down_msg& news) { self->state.on_down(self, news); });
  log_unexpected(self, supervisor_state::name);
  return {
      [self](const watch_actor& wish) { self->state.on_watch(self, wish); },
  };
}

}  // namespace

caf::actor spawn_supervisor(caf::actor_system& system, std::shared_ptr<health> state) {
  return system.spawn(supervisor, std::move(state));
}

}  // namespace obsync::actors
