#include "app/repair.hpp"

#include <caf/actor_system.hpp>
#include <caf/send.hpp>

#include <chrono>
#include <thread>

#include "actors/messages.hpp"
#include "actors/scrubber.hpp"
#include "app/actor_config.hpp"
#include "app/actor_set.hpp"
#include "app/stores.hpp"
#include "store/catalog_schema.hpp"
#include "store/clean_mark.hpp"

namespace obsync::app {

namespace {

constexpr std::chrono::milliseconds look_every{20};

// A pass that a stop interrupted would be gone on with; here the whole store is meant.
status forget_place(stores& of) {
  const store::operation begin_anew = store::set_upkeep{actors::scrub_place_note, ""};
  const auto done = of.catalog->commit({&begin_anew, 1});
  if (!done) return done.error();
  return {};
}

result<wire::scrub_summary> run_pass(const config::settings& settings, const surroundings& around,
                                     stores& opened, const std::function<void(std::int64_t)>& told) {
  const auto state = std::make_shared<actors::health>();
  state->set_started();  // nobody is let in here who would have to wait
  const auto board = std::make_shared<actors::upkeep_board>(opened.mirrors);
  const std::int64_t begun_ms = system_clock().now_ms();
  actor_config setup(settings);
  caf::actor_system system(setup);
  auto actors = spawn_repairers(system, settings, around, opened, state, board);
  if (!actors) return actors.error();
  caf::anon_send(actors->scrubber, actors::scrub_now{});
  std::optional<wire::scrub_summary> made;
  while (!made && !state->reason()) {
    std::this_thread::sleep_for(look_every);
    told((system_clock().now_ms() - begun_ms) / 1000);
    const wire::scrub_view now = board->scrub();
    if (!now.running && now.last && now.last->ts_ms >= begun_ms) made = now.last;
  }
  actors->end();
  if (!made) return error{errc::io_failed, *state->reason()};
  return *made;
}

}  // namespace

result<wire::scrub_summary> repair_store(const config::settings& settings,
                                         const std::function<void(std::int64_t)>& told) {
  const std::string journal = settings.store.journal_dir + "/v1";
  if (!make_posix_disk()->size_of(journal + "/" + store::catalog_file_name))
    return error{errc::not_found, "there is no store in " + settings.store.journal_dir};
  const surroundings around;
  auto opened = open_stores(settings, around);
  if (!opened) return opened.error();
  if (const status ready = forget_place(*opened); !ready) return ready.error();
  auto summary = run_pass(settings, around, *opened, told);
  // No request was accepted, so the mark of the last stop is as good as it was.
  if (opened->clean_stop_ms)
    if (const status left = store::leave_clean_mark(*opened->files, journal, *opened->clean_stop_ms); !left)
      return left.error();
  return summary;
}

}  // namespace obsync::app
