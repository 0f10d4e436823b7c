#include "app/actor_set.hpp"

#include <caf/send.hpp>

#include <limits>

#include "actors/blob_writer.hpp"
#include "actors/collector.hpp"
#include "actors/control.hpp"
#include "actors/dashboard.hpp"
#include "actors/eraser.hpp"
#include "actors/feed.hpp"
#include "actors/front.hpp"
#include "actors/journal.hpp"
#include "actors/pairing.hpp"
#include "actors/reader.hpp"
#include "actors/readiness.hpp"
#include "actors/scrubber.hpp"
#include "actors/setup.hpp"
#include "actors/small_writer.hpp"
#include "actors/supervisor.hpp"
#include "app/version.hpp"
#include "core/log.hpp"
#include "wire/capabilities.hpp"
#include "wire/limits.hpp"

namespace obsync::app {

namespace {

// What this server does beyond protocol v1.
wire::capabilities offered(const epoch_id& epoch) {
  wire::capabilities out{"obsyncd " + std::string(version_text)};
  out.epoch = epoch;
  out.batch = {static_cast<std::int64_t>(wire::batch_chunks_max),
               static_cast<std::int64_t>(wire::batch_posts_max),
               static_cast<std::int64_t>(wire::batch_chunk_bytes_max),
               static_cast<std::int64_t>(wire::batch_body_bytes_max)};
  return out;
}

store::volume journal_volume_of(const config::store_settings& from) {
  return {"journal",
          from.journal_class,
          from.journal_dir,
          from.journal_capacity,
          {from.keep_free.percent, from.keep_free.bytes}};
}

std::vector<store::volume> volumes_of(const config::store_settings& from) {
  const store::watermark keep_free{from.keep_free.percent, from.keep_free.bytes};
  std::vector<store::volume> out;
  out.push_back({"blobs", from.blobs_class, from.blobs_dir, from.blobs_capacity, keep_free});
  for (const config::mirror& copy : from.blobs_mirrors)
    out.push_back({"mirror", copy.label, copy.path, {}, keep_free});
  out.push_back(journal_volume_of(from));
  return out;
}

actors::admin_facts facts_of(const config::settings& settings, const std::shared_ptr<disk>& files,
                             const std::shared_ptr<const clock>& time,
                             const std::shared_ptr<actors::sightings>& seen,
                             const std::shared_ptr<actors::upkeep_board>& board) {
  actors::admin_facts out{time, files, seen, board, volumes_of(settings.store)};
  out.edge = settings.server.edge == config::edge_mode::cloudflare ? "cloudflare" : "none";
  if (!settings.server.public_url.empty()) out.public_url = settings.server.public_url;
  out.retention_days = settings.retention.days;
  out.retention_versions = settings.retention.versions;
  out.watermark_spec = std::to_string(settings.store.keep_free.percent) + "%," +
                       std::to_string(settings.store.keep_free.bytes);
  out.scrub_bytes_per_second = settings.scrub.rate;
  return out;
}

struct builder {
  caf::actor_system& system;
  const config::settings& settings;
  const surroundings& around;
  stores& opened;
  std::shared_ptr<actors::health> state;
  std::shared_ptr<request_log> requests;
  std::shared_ptr<random_source> random = around.random;
  std::shared_ptr<const clock> time = around.time;
  std::shared_ptr<actors::account_heads> heads = std::make_shared<actors::account_heads>();
  std::shared_ptr<actors::sightings> seen = std::make_shared<actors::sightings>();
  std::shared_ptr<actors::upkeep_board> board = std::make_shared<actors::upkeep_board>(opened.mirrors);
  std::shared_ptr<const store::journal_room> journal_space =
      std::make_shared<const store::journal_room>(*opened.files, journal_volume_of(settings.store));
  std::shared_ptr<const actors::admin_facts> facts = {};
  actor_set made = {};
  caf::actor supervisor = {};

  caf::actor keep(const char* name, caf::actor who);
  caf::actor spawn_feed();
  caf::actor spawn_journal(const caf::actor& feed);
  caf::actor spawn_small_writer();
  result<caf::actor> spawn_reader();
  status fill_readers();
  void fill_blob_writers();
  actors::session_deps sessions(const caf::actor& journal, const caf::actor& small, const caf::actor& feed);
  void spawn_front(actors::session_deps deps, public_pages pages);
  caf::actor spawn_dashboard(const caf::actor& journal, const caf::actor& collector,
                             const caf::actor& scrubber, const std::optional<account_id>& owner);
  result<caf::actor> spawn_collector(const caf::actor& journal, const caf::actor& small);
  result<caf::actor> spawn_scrubber(const caf::actor& journal, const caf::actor& small,
                                    const actors::scrubber_limits& limits);
  void introduce(const caf::actor& journal, const caf::actor& small, const caf::actor& collector,
                 const caf::actor& scrubber);
};

// The one that the setup token stands for: the first that nobody was invited to make.
std::optional<account_id> owner_of(const std::vector<store::account_row>& accounts) {
  const store::account_row* first = nullptr;
  for (const store::account_row& row : accounts)
    if (!row.invited && (first == nullptr || row.created_ms < first->created_ms)) first = &row;
  if (first == nullptr) return std::nullopt;
  return first->id;
}

std::vector<account_id> disabled_of(const std::vector<store::account_row>& accounts) {
  std::vector<account_id> out;
  for (const store::account_row& row : accounts)
    if (row.disabled_ms) out.push_back(row.id);
  return out;
}

// Watched: its death is a fault of the server.
caf::actor builder::keep(const char* name, caf::actor who) {
  caf::anon_send(supervisor, actors::watch_actor{name, who, {}, {}});
  made.others.push_back(who);
  return who;
}

caf::actor builder::spawn_feed() {
  return keep("feed", actors::spawn_feed(system));
}

caf::actor builder::spawn_journal(const caf::actor& feed) {
  for (const store::account_row& account : opened.accounts) heads->advance(account.id, account.head);
  actors::journal_limits limits;
  limits.group_requests_max = static_cast<std::size_t>(settings.journal.group_posts);
  limits.group_bytes_max = static_cast<std::size_t>(settings.journal.group_bytes);
  limits.queue_requests_max = static_cast<std::size_t>(settings.journal.queue_max);
  return keep("journal", actors::spawn_journal(system, around.blocking, limits,
                                               {opened.catalog, heads, state, feed, journal_space}));
}

caf::actor builder::spawn_small_writer() {
  actors::small_writer_limits limits;
  limits.renewed_after_ms = settings.gc.grace.count() / 2;
  limits.group_chunks_max = static_cast<std::size_t>(settings.small.group);
  return keep("small_writer", actors::spawn_small_writer(system, around.blocking, limits,
                                                         {opened.small, opened.writer_presence, opened.space,
                                                          time, state, opened.mirrors}));
}

result<caf::actor> builder::spawn_reader() {
  auto connections = open_reader_stores(settings, opened);
  if (!connections) return connections.error();
  actors::reader_limits limits;
  limits.file_record_versions_max = settings.retention.versions;
  limits.inline_chunk_bytes_max = static_cast<std::uint64_t>(settings.store.inline_limit);
  return actors::spawn_reader(system, around.blocking, limits,
                              {connections->catalog, opened.blobs, connections->chunks, opened.space, facts});
}

status builder::fill_readers() {
  facts = std::make_shared<const actors::admin_facts>(facts_of(settings, opened.files, time, seen, board));
  std::vector<caf::actor> workers;
  for (std::int64_t i = 0; i < settings.readers.count; ++i) {
    auto reader = spawn_reader();
    if (!reader) return reader.error();
    workers.push_back(*reader);
  }
  made.readers = std::make_shared<actors::worker_pool>(workers);
  for (const caf::actor& worker : workers)
    caf::anon_send(supervisor, actors::watch_actor{"reader", worker, {}, {}});
  return {};
}

void builder::fill_blob_writers() {
  const auto spawn = [&system = system, where = around.blocking, blobs = opened.blobs, space = opened.space] {
    return actors::spawn_blob_writer(system, where, {}, {blobs, space});
  };
  std::vector<caf::actor> workers;
  for (std::int64_t i = 0; i < settings.blob.writers; ++i) workers.push_back(spawn());
  made.blob_writers = std::make_shared<actors::worker_pool>(workers);
  for (const caf::actor& worker : workers)
    caf::anon_send(supervisor, actors::watch_actor{"blob_writer", worker, made.blob_writers, spawn});
}

actors::session_deps builder::sessions(const caf::actor& journal, const caf::actor& small,
                                       const caf::actor& feed) {
  actors::session_deps deps;
  deps.time = time;
  deps.heads = heads;
  deps.journal = journal;
  deps.small_writer = small;
  deps.feed = feed;
  deps.readers = made.readers;
  deps.blob_writers = made.blob_writers;
  deps.capabilities = std::make_shared<const std::string>(wire::to_json(offered(opened.epoch)));
  deps.seen = seen;
  return deps;
}

void builder::spawn_front(actors::session_deps deps, public_pages pages) {
  actors::readiness_deps probes{state, opened.files, time, {}, 5000};
  probes.volumes.push_back({"journal", settings.store.journal_dir + "/v1"});
  probes.volumes.push_back({"blobs", settings.store.blobs_dir + "/v1"});
  // A mirror that may fail does not make the server unready.
  if (settings.store.mirror_failure == config::mirror_failure::refuse)
    for (const config::mirror& copy : settings.store.blobs_mirrors)
      probes.volumes.push_back({"mirror " + copy.label, copy.path + "/v1"});
  const caf::actor readiness =
      keep("readiness", actors::spawn_readiness(system, around.blocking, std::move(probes)));

  actors::front_limits limits;
  limits.sessions.nonces.per_device_max = static_cast<std::size_t>(settings.session.nonces_per_device);
  limits.sessions.nonces.total_max = static_cast<std::size_t>(settings.session.nonces_total);
  limits.sessions.idle_s_min = settings.session.idle.count() / 1000;
  actors::front_deps front;
  front.state = state;
  front.directory = made.directory;
  front.server_key = opened.server_key;
  front.devices = std::move(opened.devices);
  front.disabled = disabled_of(opened.accounts);
  front.plugin_manifest = std::move(pages.plugin_manifest);
  front.readiness = readiness;
  front.sessions = std::move(deps);
  front.pages = std::move(pages.dashboard);
  made.front = keep("front", actors::spawn_front(system, limits, std::move(front)));
}

caf::actor builder::spawn_dashboard(const caf::actor& journal, const caf::actor& collector,
                                    const caf::actor& scrubber, const std::optional<account_id>& owner) {
  actors::dashboard_deps deps{time,
                              random,
                              heads,
                              requests,
                              opened.setup_token,
                              owner,
                              settings.server.public_url,
                              made.front,
                              journal,
                              made.readers,
                              collector,
                              scrubber};
  return keep("dashboard", actors::spawn_dashboard(system, {}, std::move(deps)));
}

result<caf::actor> builder::spawn_collector(const caf::actor& journal, const caf::actor& small) {
  auto connections = open_upkeep_stores(settings);
  if (!connections) return connections.error();
  actors::collector_limits limits;
  limits.rule = {settings.retention.days, settings.retention.versions};
  limits.period_ms = settings.gc.period.count();
  limits.budget_ms = settings.gc.budget.count();
  limits.grace_ms = settings.gc.grace.count();
  actors::collector_deps deps;
  deps.time = time;
  deps.random = random;
  deps.catalog = connections->catalog;
  deps.small = connections->small;
  deps.blobs = opened.blobs;
  deps.departing = opened.departing;
  deps.space = opened.space;
  deps.board = board;
  deps.journal = journal;
  deps.small_writer = small;
  made.collector =
      keep("collector", actors::spawn_collector(system, around.blocking, limits, std::move(deps)));
  return made.collector;
}

result<caf::actor> builder::spawn_scrubber(const caf::actor& journal, const caf::actor& small,
                                           const actors::scrubber_limits& limits) {
  auto connections = open_scrub_stores(settings, opened);
  if (!connections) return connections.error();
  actors::scrubber_deps deps;
  deps.time = time;
  deps.files = opened.files;
  deps.catalog = connections->primary.catalog;
  deps.small = connections->primary.small;
  deps.small_mirrors = connections->small_mirrors;
  deps.mirrors = opened.mirrors;
  deps.journal_space = journal_space;
  deps.blobs = opened.blobs;
  deps.copies = connections->copies;
  deps.presence = connections->presence;
  deps.space = opened.space;
  deps.board = board;
  deps.quarantine_folder = settings.store.journal_dir + "/v1/quarantine";
  deps.journal = journal;
  deps.small_writer = small;
  made.scrubber = keep("scrubber", actors::spawn_scrubber(system, around.blocking, limits, std::move(deps)));
  return made.scrubber;
}

void builder::introduce(const caf::actor& journal, const caf::actor& small, const caf::actor& collector,
                        const caf::actor& scrubber) {
  const actors::enrolment_deps enrolment{time, random, opened.server_key, made.directory};
  actors::setup_deps first;
  first.enrolment = enrolment;
  first.setup_token = opened.setup_token;
  first.owner = owner_of(opened.accounts);
  first.invitations = std::move(opened.invitations);
  first.heads = heads;
  first.space = opened.space;
  first.front = made.front;
  first.requests = requests;
  first.journal = journal;
  first.readers = made.readers;
  const caf::actor dashboard = spawn_dashboard(journal, collector, scrubber, first.owner);
  const caf::actor setup = keep("setup", actors::spawn_setup(system, std::move(first)));
  actors::pairing_limits pairings;
  pairings.life_s = std::chrono::ceil<std::chrono::seconds>(settings.pairing.life).count();
  const caf::actor pairing =
      keep("pairing", actors::spawn_pairing(system, pairings, {enrolment, made.front, journal}));
  caf::anon_send(made.front, actors::introduce{setup, pairing, dashboard});
  made.control = keep("control", actors::spawn_control(system, {},
                                                       {time, random, opened.space, made.readers, board,
                                                        journal, made.front, setup, collector, scrubber}));
  keep("eraser", actors::spawn_eraser(system, {},
                                      {time, opened.space, made.readers, made.blob_writers, journal, small,
                                       made.front, setup}));
}

}  // namespace

void actor_set::end() {
  const auto stop = [](const caf::actor& who) { caf::anon_send_exit(who, caf::exit_reason::user_shutdown); };
  for (const caf::actor& who : others) stop(who);
  for (const auto& pool : {readers, blob_writers}) {
    if (!pool) continue;
    for (const caf::actor& who : pool->all()) stop(who);
    pool->clear();
  }
  others.clear();
  front = nullptr;
  control = nullptr;
  scrubber = nullptr;
  collector = nullptr;
}

result<actor_set> spawn_actors(caf::actor_system& system, const config::settings& settings,
                               const surroundings& around, stores& opened,
                               const std::shared_ptr<actors::health>& state,
                               const std::shared_ptr<request_log>& requests, public_pages pages) {
  builder build{system, settings, around, opened, state, requests};
  build.supervisor = actors::spawn_supervisor(system, state);
  build.made.others.push_back(build.supervisor);
  const caf::actor feed = build.spawn_feed();
  const caf::actor journal = build.spawn_journal(feed);
  const caf::actor small = build.spawn_small_writer();
  if (const status filled = build.fill_readers(); !filled) return filled.error();
  build.fill_blob_writers();
  build.spawn_front(build.sessions(journal, small, feed), std::move(pages));
  const auto collector = build.spawn_collector(journal, small);
  if (!collector) return collector.error();
  actors::scrubber_limits pace;
  pace.bytes_per_second = settings.scrub.rate;
  const auto scrubber = build.spawn_scrubber(journal, small, pace);
  if (!scrubber) return scrubber.error();
  build.introduce(journal, small, *collector, *scrubber);
  log::line(log::level::debug, "actors_ready");
  return std::move(build.made);
}

result<actor_set> spawn_repairers(caf::actor_system& system, const config::settings& settings,
                                  const surroundings& around, stores& opened,
                                  const std::shared_ptr<actors::health>& state,
                                  const std::shared_ptr<actors::upkeep_board>& board) {
  builder build{system, settings, around, opened, state, {}};
  build.board = board;
  build.supervisor = actors::spawn_supervisor(system, state);
  build.made.others.push_back(build.supervisor);
  const caf::actor journal = build.spawn_journal(build.spawn_feed());
  actors::scrubber_limits at_once;
  at_once.rest_factor = 0;
  at_once.bytes_per_second = std::numeric_limits<std::int64_t>::max();
  const auto scrubber = build.spawn_scrubber(journal, build.spawn_small_writer(), at_once);
  if (!scrubber) return scrubber.error();
  return std::move(build.made);
}

}  // namespace obsync::app
