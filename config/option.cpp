#include "config/option.hpp"

#include <vector>

#include "config/kinds.hpp"
#include "config/nearest.hpp"

namespace obsync::config {

namespace {

constexpr std::int64_t kib = 1LL << 10;
constexpr std::int64_t mib = 1LL << 20;
constexpr std::int64_t tib = 1LL << 40;

template <auto Section, auto Field, class Grammar>
bool assign(settings& to, std::string_view text) {
  auto value = Grammar::parse(text);
  if (!value) return false;
  (to.*Section).*Field = std::move(*value);
  return true;
}

template <auto Section, auto Field, class Grammar>
std::string print(const settings& from) {
  return Grammar::print((from.*Section).*Field);
}

template <auto Section, auto Field, class Grammar>
option make(std::string_view name, std::string_view environment, std::string_view unit,
            std::string_view effect) {
  return {name,
          environment,
          unit,
          effect,
          Grammar::expected(),
          &assign<Section, Field, Grammar>,
          &print<Section, Field, Grammar>};
}

option secret(option made) {
  made.secret = true;
  return made;
}

option live(option made) {
  made.reloadable = true;
  return made;
}

void add_server(std::vector<option>& to) {
  using s = server_settings;
  constexpr auto in = &settings::server;
  to.push_back(make<in, &s::listen, kinds::address>(
      "server.listen", "OBSYNC_LISTEN", "address:port",
      "Where the server listens. An address that other machines reach needs TLS, below, or allow_plain."));
  to.push_back(make<in, &s::allow_plain, kinds::flag>(
      "server.allow_plain", "OBSYNC_ALLOW_PLAIN", "yes or no",
      "Plain HTTP where other machines reach it, as behind a proxy on another machine or in a container."));
  to.push_back(make<in, &s::io_threads, kinds::count<1, 64>>(
      "server.io_threads", "OBSYNC_SERVER_IO_THREADS", "threads",
      "Threads that move bytes between sockets and the rest."));
  to.push_back(live(make<in, &s::max_connections, kinds::count<1, 100'000>>(
      "server.max_connections", "OBSYNC_MAX_CONNECTIONS", "connections",
      "Connections open at once; one more is answered 503 and closed.")));
  to.push_back(live(make<in, &s::idle_timeout, kinds::span<1'000, 3'600'000>>(
      "server.idle_timeout", "OBSYNC_SERVER_IDLE_TIMEOUT", "time",
      "A connection without a request is closed after this.")));
  to.push_back(live(make<in, &s::head_timeout, kinds::span<100, 600'000>>(
      "server.head_timeout", "OBSYNC_SERVER_HEAD_TIMEOUT", "time",
      "How long a request head may take to arrive.")));
  to.push_back(live(make<in, &s::shutdown_grace, kinds::span<0, 600'000>>(
      "server.shutdown_grace", "OBSYNC_SERVER_SHUTDOWN_GRACE", "time",
      "How long a stop waits for requests in flight.")));
  to.push_back(live(make<in, &s::body_rate_min, kinds::rate<1, 1024 * mib>>(
      "server.body_rate_min", "OBSYNC_SERVER_BODY_RATE_MIN", "bytes per second",
      "A body that arrives slower than this is refused.")));
  to.push_back(live(make<in, &s::admission_budget, kinds::size<16 * mib, tib>>(
      "server.admission_budget", "OBSYNC_SERVER_ADMISSION_BUDGET", "bytes",
      "Bytes of request bodies in flight; uploads beyond it wait.")));
  to.push_back(live(make<in, &s::preauth_budget, kinds::size<4 * mib, tib>>(
      "server.preauth_budget", "OBSYNC_SERVER_PREAUTH_BUDGET", "bytes",
      "Memory for bodies whose sender has not yet proved who it is.")));
  to.push_back(live(make<in, &s::public_url, kinds::url>(
      "server.public_url", "OBSYNC_PUBLIC_URL", "URL",
      "The address devices and browsers use; login links begin with it.")));
  to.push_back(make<in, &s::edge, kinds::edge>(
      "server.edge", "OBSYNC_EDGE", "mode", "cloudflare: every request must have come through Cloudflare."));
  to.push_back(make<in, &s::trusted_proxies, kinds::networks>(
      "server.trusted_proxies", "OBSYNC_TRUSTED_PROXY_CIDRS", "address blocks",
      "Peers whose forwarding headers are believed; empty: loopback and private networks."));
  to.push_back(make<in, &s::plugin_dir, kinds::path>(
      "server.plugin_dir", "OBSYNC_PLUGIN_DIR", "folder",
      "Holds the plugin's manifest.json, main.js and styles.css, for the version the server announces."));
  to.push_back(make<in, &s::dashboard_dir, kinds::path>("server.dashboard_dir", "OBSYNC_DASHBOARD_DIR",
                                                        "folder", "Holds the dashboard's files."));
}

void add_tls(std::vector<option>& to) {
  using s = tls_settings;
  constexpr auto in = &settings::tls;
  to.push_back(make<in, &s::certificate, kinds::path_or_nothing>(
      "tls.certificate", "OBSYNC_TLS_CERTIFICATE", "PEM file",
      "The server's certificate and its chain. With tls.key it makes the listener speak TLS; both are read "
      "again when they change."));
  to.push_back(make<in, &s::key, kinds::path_or_nothing>(
      "tls.key", "OBSYNC_TLS_KEY", "PEM file",
      "The private key of that certificate, readable by the server's user alone."));
}

void add_store(std::vector<option>& to) {
  using s = store_settings;
  constexpr auto in = &settings::store;
  to.push_back(make<in, &s::journal_dir, kinds::path>(
      "store.journal_dir", "OBSYNC_JOURNAL_DIR", "folder",
      "Accounts, devices and history. Its own volume, so that full chunk storage never stops a revocation."));
  to.push_back(make<in, &s::blobs_dir, kinds::path>("store.blobs_dir", "OBSYNC_BLOBS_DIR", "folder",
                                                    "Encrypted chunks."));
  to.push_back(make<in, &s::blobs_mirrors, kinds::mirrors>(
      "store.blobs_mirrors", "OBSYNC_BLOBS_MIRRORS", "folders",
      "Further copies of every chunk, written before an upload is acknowledged."));
  to.push_back(make<in, &s::mirror_failure, kinds::on_mirror_failure>(
      "store.mirror_failure", "OBSYNC_MIRROR_FAILURE", "mode",
      "When a mirror cannot be written: refuse the chunk, or degrade: go on without the mirror until it "
      "returns."));
  to.push_back(make<in, &s::blobs_capacity, kinds::capacity>(
      "store.blobs_capacity", "OBSYNC_BLOBS_CAPACITY", "bytes",
      "The most chunk storage may grow to; empty: as far as the file system has room."));
  to.push_back(make<in, &s::journal_capacity, kinds::capacity>(
      "store.journal_capacity", "OBSYNC_JOURNAL_CAPACITY", "bytes",
      "The most the journal volume may grow to; empty: as far as the file system has room."));
  to.push_back(
      make<in, &s::blobs_class, kinds::label>("store.blobs_class", "OBSYNC_BLOBS_CLASS", "label",
                                              "A word for the kind of storage, shown on the dashboard."));
  to.push_back(make<in, &s::journal_class, kinds::label>("store.journal_class", "OBSYNC_JOURNAL_CLASS",
                                                         "label", "The same for the journal volume."));
  to.push_back(make<in, &s::keep_free, kinds::watermark>(
      "store.free_watermark", "OBSYNC_FREE_WATERMARK", "share and bytes",
      "Room that stays free on either volume, the larger of the two; writes that would use it are refused."));
  to.push_back(make<in, &s::inline_limit, kinds::size<0, mib>>(
      "store.inline_limit", "OBSYNC_STORE_INLINE_LIMIT", "bytes",
      "Chunks up to this size share one database, larger ones are files of their own."));
  to.push_back(make<in, &s::cache_size, kinds::size<256 * kib, 64LL << 30>>(
      "store.cache_size", "OBSYNC_STORE_CACHE_SIZE", "bytes",
      "Memory for the database pages of each connection."));
  to.push_back(secret(make<in, &s::server_key, kinds::key>(
      "store.server_key", "OBSYNC_SERVER_KEY", "64 hex digits",
      "Wraps device secrets at rest; empty: a key file in journal_dir, made at first start.")));
}

void add_work(std::vector<option>& to) {
  using j = journal_settings;
  using e = session_settings;
  using r = retention_settings;
  to.push_back(make<&settings::journal, &j::group_posts, kinds::count<1, 4096>>(
      "journal.group_posts", "OBSYNC_JOURNAL_GROUP_POSTS", "posts", "Versions that may share one flush."));
  to.push_back(make<&settings::journal, &j::group_bytes, kinds::size<mib, 64 * mib>>(
      "journal.group_bytes", "OBSYNC_JOURNAL_GROUP_BYTES", "bytes",
      "The most those versions may weigh together; a single larger one still passes alone."));
  to.push_back(make<&settings::journal, &j::queue_max, kinds::count<1, 1'000'000>>(
      "journal.queue_max", "OBSYNC_JOURNAL_QUEUE_MAX", "posts",
      "Posts waiting for the journal; one more is refused as overloaded."));
  to.push_back(make<&settings::small, &small_settings::group, kinds::count<1, 4096>>(
      "small.group", "OBSYNC_SMALL_GROUP", "chunks", "Small chunks that may share one flush."));
  to.push_back(make<&settings::blob, &blob_settings::writers, kinds::count<1, 256>>(
      "blob.writers", "OBSYNC_BLOB_WRITERS", "threads", "Threads that write large chunks."));
  to.push_back(make<&settings::blob, &blob_settings::slice, kinds::size<4 * kib, 8 * mib>>(
      "blob.slice", "OBSYNC_BLOB_SLICE", "bytes",
      "The piece of an upload in memory at a time; each upload holds at most two."));
  to.push_back(make<&settings::readers, &readers_settings::count, kinds::count<1, 64>>(
      "readers.count", "OBSYNC_READERS_COUNT", "threads",
      "Threads that read from the store, each with its own connection."));
  to.push_back(make<&settings::actors, &actors_settings::threads, kinds::count<1, 64>>(
      "actors.threads", "OBSYNC_ACTORS_THREADS", "threads",
      "Threads that decide; they never wait for a disk."));
  to.push_back(live(make<&settings::session, &e::idle, kinds::span<60'000, 86'400'000>>(
      "session.idle", "OBSYNC_SESSION_IDLE", "time",
      "A device's state leaves memory after this long without a request.")));
  to.push_back(live(make<&settings::session, &e::nonces_per_device, kinds::count<100, 10'000'000>>(
      "session.nonces_per_device", "OBSYNC_SESSION_NONCES_PER_DEVICE", "requests",
      "Signed requests of one device remembered for ten minutes.")));
  to.push_back(live(make<&settings::session, &e::nonces_total, kinds::count<100, 100'000'000>>(
      "session.nonces_total", "OBSYNC_SESSION_NONCES_TOTAL", "requests",
      "The same for all devices of one account together.")));
  to.push_back(make<&settings::pairing, &pairing_settings::life, kinds::span<1'000, 86'400'000>>(
      "pairing.life", "OBSYNC_PAIRING_LIFE", "time",
      "A pairing code that has not been used by then is worth nothing."));
  to.push_back(live(make<&settings::retention, &r::days, kinds::count<1, 36'500>>(
      "retention.days", "OBSYNC_RETENTION_DAYS", "days", "Versions younger than this are kept.")));
  to.push_back(live(make<&settings::retention, &r::versions, kinds::count<1, 100'000>>(
      "retention.versions", "OBSYNC_RETENTION_VERSIONS", "versions",
      "The newest so many of each file are kept whatever their age.")));
  using g = gc_settings;
  to.push_back(make<&settings::gc, &g::period, kinds::span<60'000, 86'400'000>>(
      "gc.period", "OBSYNC_GC_PERIOD", "time", "How often what is no longer kept is looked for."));
  to.push_back(make<&settings::gc, &g::budget, kinds::span<1'000, 86'400'000>>(
      "gc.budget", "OBSYNC_GC_BUDGET", "time",
      "One look takes at most so long; the next goes on from there."));
  to.push_back(make<&settings::gc, &g::grace, kinds::span<0, 2'592'000'000>>(
      "gc.grace", "OBSYNC_GC_GRACE", "time",
      "Chunks that no version names are kept so long, for a device that is about to name them."));
  to.push_back(live(make<&settings::scrub, &scrub_settings::rate, kinds::rate<1, tib>>(
      "scrub.rate", "OBSYNC_SCRUB_RATE", "bytes per second",
      "How fast stored chunks are checked while a check is at work.")));
  to.push_back(live(make<&settings::log, &log_settings::level, kinds::level>(
      "log.level", "OBSYNC_LOG", "level", "The least severe line that is written.")));
}

const std::vector<option>& table() {
  static const std::vector<option> made = [] {
    std::vector<option> out;
    add_server(out);
    add_tls(out);
    add_store(out);
    add_work(out);
    return out;
  }();
  return made;
}

}  // namespace

std::span<const option> options() {
  return table();
}

const option* find_option(std::string_view name) {
  for (const option& each : table()) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

const option* find_variable(std::string_view environment) {
  for (const option& each : table()) {
    if (each.environment == environment) return &each;
  }
  return nullptr;
}

std::string_view nearest_option(std::string_view name) {
  std::vector<std::string_view> names;
  for (const option& each : table()) names.push_back(each.name);
  return nearest(name, names);
}

std::string_view nearest_variable(std::string_view environment) {
  std::vector<std::string_view> names;
  for (const option& each : table()) names.push_back(each.environment);
  return nearest(environment, names);
}

}  // namespace obsync::config
