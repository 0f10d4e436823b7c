#include "tests/sim/sim_server.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/all.hpp>
#include <caf/scheduler/test_coordinator.hpp>

#include <algorithm>

#include "actors/control.hpp"
#include "actors/front.hpp"
#include "actors/messages.hpp"
#include "app/actor_set.hpp"
#include "app/start_wait.hpp"
#include "app/stores.hpp"
#include "core/assert.hpp"
#include "http/router.hpp"
#include "http/target.hpp"
#include "store/clean_mark.hpp"
#include "wire/signing.hpp"

namespace obsync::test {

namespace {

constexpr std::int64_t begins_ms = 1'796'126'400'000;  // 2026-12-01 12:00:00 UTC
constexpr std::int64_t idle_step_ms = 5;
constexpr std::int64_t settle_wait_ms = 10'000;

struct test_config : caf::actor_system_config {
  test_config() {
    set("scheduler.policy", caf::atom("testing"));
    set("logger.console", caf::atom("none"));
  }
};

class kept_answer final : public actors::control_call {
 public:
  using control_call::control_call;
  std::string text;

 protected:
  void deliver(std::string json) override { text = std::move(json); }
};

std::optional<std::string> header_of(const client::http_request& from, std::string_view name) {
  for (const auto& [key, value] : from.headers)
    if (key == name) return value;
  return std::nullopt;
}

}  // namespace

struct sim_server::life {
  life() : system(setup), scheduler(dynamic_cast<caf::scheduler::test_coordinator*>(&system.scheduler())) {}

  app::stores stores;  // outlives the actors
  test_config setup;
  caf::actor_system system;
  caf::scheduler::test_coordinator* scheduler;
  std::shared_ptr<actors::health> state = std::make_shared<actors::health>();
  app::actor_set actors;
  std::unique_ptr<actors::door> door;
  std::vector<std::weak_ptr<sim_call>> calls;
};

sim_server::sim_server(std::uint64_t seed)
    : order_(seed),
      disk_(std::make_shared<sim_disk>(seed)),
      vfs_(*disk_, seed),
      time_(std::make_shared<manual_clock>(begins_ms)) {
  OBSYNC_ASSERT(disk_->make_folder("/sim").ok() && disk_->sync_folder("/").ok());
  around_ = {disk_, time_, std::make_shared<seeded_random>(seed), actors::placement::pool, false};
  settings_.store.journal_dir = "/sim/j";
  settings_.store.blobs_dir = "/sim/b";
  settings_.store.keep_free = {0, 0};
  if (seed % 3 == 0) settings_.store.blobs_mirrors = {{"/sim/m", "mirror"}};
  settings_.store.cache_size = 256 << 10;
  settings_.retention = {1, 2};
  settings_.gc.grace = std::chrono::hours(2);
  settings_.scrub.rate = 1 << 30;
  settings_.readers.count = 2;
  settings_.blob.writers = 2;
}

sim_server::~sim_server() {
  end_life();
}

bool sim_server::start() {
  OBSYNC_ASSERT(!life_);
  disk_->set_time(time_->now_ms());
  auto opened = app::open_stores(settings_, around_);
  if (!opened.ok()) {
    why_ = opened.error().detail;
    return false;
  }
  life_ = std::make_unique<life>();
  life_->stores = std::move(*opened);
  const auto clean = life_->stores.clean_stop_ms;
  auto actors = app::spawn_actors(life_->system, settings_, around_, life_->stores, life_->state,
                                  std::make_shared<request_log>(time_), {});
  if (!actors.ok()) {
    why_ = actors.error().detail;
    end_life();
    return false;
  }
  life_->actors = std::move(*actors);
  life_->door = actors::make_door(life_->actors.front, life_->actors.directory);
  if (was_started_) advance(app::start_wait_ms(clean, time_->now_ms()));
  was_started_ = true;
  life_->state->set_started();
  return true;
}

void sim_server::stop() {
  life_->state->set_stopping();
  caf::anon_send(life_->actors.front, actors::release_polls{});
  drain();
  const auto answered = std::make_shared<int>(0);
  const auto settled_at = std::make_shared<bool>(false);
  life_->system.spawn(
      [=, front = life_->actors.front, scrubber = life_->actors.scrubber](caf::event_based_actor* self) {
        self->request(front, caf::infinite, actors::settle{})
            .then([=](const actors::settled&) { *settled_at = ++*answered > 0; },
                  [=](const caf::error&) { ++*answered; });
        self->request(scrubber, caf::infinite, actors::settle{})
            .then([=](const actors::settled&) { ++*answered; }, [=](const caf::error&) { ++*answered; });
      });
  for (std::int64_t waited = 0; waited < settle_wait_ms && *answered < 2; waited += idle_step_ms) {
    run();
    advance(idle_step_ms);
  }
  bool settled = *settled_at;
  if (life_->state->is_faulted()) settled = false;
  if (settled)
    static_cast<void>(store::leave_clean_mark(*disk_, settings_.store.journal_dir + "/v1", time_->now_ms()));
  end_life();
}

// As the listener is wound down: nobody new comes in, and whoever is inside is answered, or cut.
void sim_server::drain() {
  for (std::int64_t waited = 0; waited < settle_wait_ms; waited += idle_step_ms) {
    run();
    std::erase_if(life_->calls, [](const auto& one) { return one.expired() || one.lock()->has_answer(); });
    if (life_->calls.empty()) return;
    advance(idle_step_ms);
  }
  for (const auto& one : life_->calls)
    if (const auto call = one.lock()) call->vanish();
  run();
}

void sim_server::crash(cut how) {
  disk_->die_at(0);
  end_life();
  disk_->power_cut(how);
}

void sim_server::end_life() {
  if (!life_) return;
  // As sockets are cut before their actors end.
  for (const auto& one : life_->calls)
    if (const auto call = one.lock(); call && call->is_uploading()) call->vanish();
  if (life_->actors.front) caf::anon_send(life_->actors.front, actors::release_polls{});
  run();
  life_->actors.end();
  life_->door.reset();
  // A timer holds the actor it was set by; the real clock would come to it.
  do {
    run();
  } while (life_->scheduler->trigger_timeout());
  run();
  life_.reset();
}

bool sim_server::is_faulted() const {
  return life_ && life_->state->is_faulted();
}

sim_call_ptr sim_server::submit(const client::http_request& request) {
  const auto target = http::parse_target(request.target);
  OBSYNC_ASSERT(target);
  const auto match = http::match_route(request.method, target->segments);
  OBSYNC_ASSERT(match);
  actors::request made;
  made.where = match->entry->where;
  made.method = request.method;
  made.target = request.target;
  made.params = match->params;
  made.query = target->query;
  made.signer = {header_of(request, wire::header_device), header_of(request, wire::header_timestamp),
                 header_of(request, wire::header_nonce), header_of(request, wire::header_signature)};
  made.address = "192.0.2.1";
  made.content_length = request.body.size();
  bytes large;
  if (made.where == actors::route::chunk_put &&
      request.body.size() > static_cast<std::size_t>(settings_.store.inline_limit)) {
    made.body_is = actors::body_state::streamed;
    large.assign(request.body.begin(), request.body.end());
  } else {
    made.body = std::string(as_text(request.body));
  }
  auto call = std::make_shared<sim_call>(std::move(made), std::move(large));
  if (!life_) return call;
  std::erase_if(life_->calls, [](const auto& one) { return one.expired(); });
  life_->calls.push_back(call);
  life_->door->submit(call);
  return call;
}

void sim_server::run_some(std::uint64_t messages) {
  auto& jobs = life_->scheduler->jobs;
  for (std::uint64_t done = 0; done < messages && !jobs.empty(); ++done) {
    std::swap(jobs.front(), jobs[order_.next() % jobs.size()]);
    life_->scheduler->run_once();
    ++messages_;
  }
}

void sim_server::run() {
  while (!life_->scheduler->jobs.empty()) run_some(64);
}

void sim_server::advance(std::int64_t ms) {
  time_->advance_ms(ms);
  disk_->set_time(time_->now_ms());
  life_->scheduler->advance_time(std::chrono::milliseconds(ms));
}

bool sim_server::await(const sim_call& call, std::int64_t ms) {
  for (std::int64_t waited = 0; life_ && !call.has_answer() && waited < ms; waited += idle_step_ms) {
    run();
    if (!call.has_answer()) advance(idle_step_ms);
  }
  return call.has_answer();
}

void sim_server::collect_garbage() {
  caf::anon_send(life_->actors.collector, actors::collect_now{});
}

void sim_server::scrub() {
  caf::anon_send(life_->actors.scrubber, actors::scrub_now{});
}

std::string sim_server::setup_token() const {
  return life_->stores.setup_token.hex();
}

std::string sim_server::invite(const std::string& name) {
  wire::control_request wish;
  wish.verb = wire::control_verb::account_invite;
  wish.name = name;
  wish.expires_in_ms = 86'400'000;
  const auto call = std::make_shared<kept_answer>(wish, 0);
  actors::make_control_door(life_->actors.control)->submit(call);
  for (int tries = 0; call->text.empty() && tries < 1'000; ++tries) {
    run();
    advance(idle_step_ms);
  }
  const auto answer = wire::from_json<wire::invitation_answer>(call->text);
  return answer.ok() ? answer->token.hex() : "";
}

client::exchange_result sim_transport::exchange(const client::http_request& request,
                                                const client::exchange_limits& limits) {
  using kind = client::exchange_failure::kind;
  if (!to_.is_running()) return client::exchange_failure{kind::no_connection, "the server is down"};
  const sim_call_ptr call = to_.submit(request);
  if (!to_.await(*call, limits.deadline_ms)) return client::exchange_failure{kind::timed_out, "no answer"};
  client::http_answer out;
  out.status = call->status();
  out.content_type = "application/json";
  const std::string text = call->text();
  out.body.assign(text.begin(), text.end());
  if (auto chunk = call->chunk()) {
    out.content_type = "application/octet-stream";
    out.body = std::move(*chunk);
  }
  return out;
}

}  // namespace obsync::test
