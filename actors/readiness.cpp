#include "actors/readiness.hpp"

#include <optional>

#include "actors/messages.hpp"
#include "actors/spawn.hpp"

namespace obsync::actors {

namespace {

constexpr const char* probe_name = "/.obsync-readyz";

// A small durable write, taken back.
status probe(disk& on, const std::string& folder) {
  const std::string path = folder + probe_name;
  auto file = on.create(path);
  if (!file && file.error().code == errc::exists) {
    // Left by a crash between create and remove.
    if (const status removed = on.remove(path); !removed) return removed;
    file = on.create(path);
  }
  if (!file) return file.error();
  const std::string_view word = "ready\n";
  status done = (*file)->write_at(0, as_bytes(word));
  if (done) done = (*file)->sync();
  const status removed = on.remove(path);
  return done ? removed : done;
}

struct readiness_state {
  static inline const char* name = "readiness";

  readiness_deps deps;
  std::int64_t judged_ms = 0;
  std::optional<std::string> verdict;  // what is wrong; nothing when all is well

  std::optional<std::string> judge() {
    if (const auto reason = deps.state->reason()) return reason;
    const std::int64_t now_ms = deps.time->now_ms();
    const bool fresh = judged_ms != 0 && now_ms - judged_ms < deps.verdict_life_ms && now_ms >= judged_ms;
    if (fresh) return verdict;
    judged_ms = now_ms;
    verdict.reset();
    for (const probed_volume& volume : deps.volumes)
      if (!verdict && !probe(*deps.volumes_disk, volume.folder))
        verdict = volume.name + " volume not writable";
    return verdict;
  }
};

caf::behavior readiness(timed<readiness_state>* self, const readiness_deps& deps) {
  self->state.deps = deps;
  log_unexpected(self, readiness_state::name);
  return {
      [self](const readiness_call& from) {
        guarded(readiness_state::name, from.call, [&] {
          const auto wrong = self->state.judge();
          from.call->answer(wrong ? refuse(wire::refusal::not_ready, *wrong) : ok("{\"ready\":true}"));
        });
      },
  };
}

}  // namespace

caf::actor spawn_readiness(caf::actor_system& system, placement where, readiness_deps deps) {
  return spawn_placed(system, where, readiness, std::move(deps));
}

}  // namespace obsync::actors
