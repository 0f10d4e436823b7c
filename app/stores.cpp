#include "app/stores.hpp"

#include <filesystem>
#include <map>

#include "core/log.hpp"
#include "store/clean_mark.hpp"
#include "store/mirrored_small_writer.hpp"
#include "store/posture.hpp"
#include "store/secrets.hpp"

namespace obsync::app {

namespace {

// The folder that holds this layout's files, inside a volume's folder.
std::string layout_folder(const std::string& volume) {
  return volume + "/v1";
}

error in_folder(error reason, const char* option, const std::string& folder) {
  reason.detail = std::string(option) + " = " + folder + ": " + reason.detail;
  return reason;
}

// Only what stands above a volume's own folder may be missing at a first start.
void make_way_to(const std::string& volume) {
  std::error_code failed;  // said by whoever needs the folder
  std::filesystem::create_directories(std::filesystem::path(volume).parent_path(), failed);
}

status make_layout(disk& files, const char* option, const std::string& volume) {
  for (const std::string& folder : {volume, layout_folder(volume)})
    if (const status made = files.make_folder(folder); !made) return in_folder(made.error(), option, folder);
  if (const status synced = files.sync_folder(volume); !synced)
    return in_folder(synced.error(), option, volume);
  // Its own name too. A folder above it that may not be opened was not made by us.
  const status named = files.sync_folder(std::filesystem::path(volume).parent_path().string());
  if (!named && named.error().code != errc::denied) return in_folder(named.error(), option, volume);
  return {};
}

store::small_options small_options_of(const config::settings& settings, disk* files = nullptr) {
  return {layout_folder(settings.store.blobs_dir), settings.store.cache_size / 2, files};
}

store::catalog_options catalog_options_of(const config::settings& settings, disk* files = nullptr) {
  return {layout_folder(settings.store.journal_dir), settings.store.cache_size, files};
}

result<std::shared_ptr<store::chunk_source>> open_source(const config::settings& settings,
                                                         const stores& opened) {
  auto small = store::open_small_reader(small_options_of(settings));
  if (!small) return small.error();
  return std::make_shared<store::chunk_source>(std::move(*small), *opened.blobs, opened.departing);
}

result<crypto::secret32> server_key_of(const config::settings& settings, disk& files, random_source& random) {
  if (settings.store.server_key) return *crypto::secret32::from(*settings.store.server_key);
  return store::load_server_key(files, layout_folder(settings.store.journal_dir), random);
}

// Nobody else may be able to replace or read the store.
status take_posture(const config::settings& settings) {
  const auto findings = store::look_at_posture({settings.store.journal_dir, settings.store.blobs_dir}, true);
  for (const store::posture_finding& one : findings)
    if (one.what != store::posture_finding::state::ok && one.what != store::posture_finding::state::absent)
      log::line(one.is_fine() ? log::level::warn : log::level::error, "posture")
          .add("object", one.object)
          .add("decision", one.is_fine() ? "repaired" : one.reason);
  return store::require_posture(findings);
}

std::shared_ptr<store::mirror_watch> watch_mirrors(const config::settings& settings) {
  std::vector<store::mirror_view> mirrors;
  for (const config::mirror& copy : settings.store.blobs_mirrors)
    mirrors.push_back({copy.label, layout_folder(copy.path)});
  const bool degrades = settings.store.mirror_failure == config::mirror_failure::degrade;
  return std::make_shared<store::mirror_watch>(
      degrades ? store::mirror_failure::degrade : store::mirror_failure::refuse, std::move(mirrors));
}

store::blob_options blob_options_of(const config::settings& settings, const stores& opened) {
  store::blob_options out{layout_folder(settings.store.blobs_dir), {}, opened.mirrors};
  for (const store::mirror_view& mirror : opened.mirrors->all()) out.mirrors.push_back(mirror.folder);
  return out;
}

store::small_options mirror_options_of(const config::settings& settings, const store::mirror_view& mirror,
                                       disk* files = nullptr) {
  return {mirror.folder, settings.store.cache_size / 2, files};
}

status open_blobs(const config::settings& settings, stores& into) {
  into.mirrors = watch_mirrors(settings);
  std::vector<store::small_writer_opener> mirrors;
  const auto& places = settings.store.blobs_mirrors;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const status made = make_layout(*into.files, "store.blobs_mirrors", places[i].path);
    if (!made && !into.mirrors->go_on_without(i, made.error())) return made;
    mirrors.push_back([options = mirror_options_of(settings, into.mirrors->all()[i], into.files.get())] {
      auto opened = store::open_small_writer(options);
      if (!opened)
        return result<std::unique_ptr<store::small_writer>>(
            in_folder(opened.error(), "store.blobs_mirrors", options.folder));
      return opened;
    });
  }
  auto blobs = store::open_blob_store(*into.files, blob_options_of(settings, into));
  if (!blobs) return in_folder(blobs.error(), "store.blobs_dir", settings.store.blobs_dir);
  into.blobs = std::move(*blobs);
  auto small = store::open_small_writer(small_options_of(settings, into.files.get()));
  if (!small) return in_folder(small.error(), "store.blobs_dir", settings.store.blobs_dir);
  auto mirrored = store::open_mirrored_small_writer(std::move(*small), std::move(mirrors), into.mirrors);
  if (!mirrored) return mirrored.error();
  into.small = std::move(*mirrored);
  return {};
}

status open_catalog(const config::settings& settings, stores& into) {
  for (auto* presence : {&into.journal_presence, &into.writer_presence}) {
    auto source = open_source(settings, into);
    if (!source) return source.error();
    *presence = std::move(*source);
  }
  auto catalog =
      store::open_catalog_writer(catalog_options_of(settings, into.files.get()), *into.journal_presence);
  if (!catalog) return in_folder(catalog.error(), "store.journal_dir", settings.store.journal_dir);
  into.catalog = std::move(*catalog);
  return {};
}

void make_ways(const config::settings& settings) {
  make_way_to(settings.store.journal_dir);
  make_way_to(settings.store.blobs_dir);
  for (const config::mirror& copy : settings.store.blobs_mirrors) make_way_to(copy.path);
}

// Against other users of the machine, and other servers.
status claim_folders(const config::settings& settings, stores& into) {
  const std::string& journal = settings.store.journal_dir;
  if (const status safe = take_posture(settings); !safe) return safe;
  auto journal_lock = store::lock_folder(layout_folder(journal));
  if (!journal_lock) return in_folder(journal_lock.error(), "store.journal_dir", journal);
  into.journal_lock = std::move(*journal_lock);
  if (settings.store.blobs_dir == journal) return {};
  auto blobs_lock = store::lock_folder(layout_folder(settings.store.blobs_dir));
  if (!blobs_lock) return in_folder(blobs_lock.error(), "store.blobs_dir", settings.store.blobs_dir);
  into.blobs_lock = std::move(*blobs_lock);
  return {};
}

// Pairings live in memory, so a device still pending belongs to a process that is gone.
status drop_pending(stores& of) {
  const store::operation operation = store::delete_all_pending{};
  auto done = of.catalog->commit({&operation, 1});
  if (!done) return done.error();
  return {};
}

status read_directory(const config::settings& settings, stores& into) {
  auto reader = store::open_catalog_reader(catalog_options_of(settings));
  if (!reader) return reader.error();
  auto devices = (*reader)->devices();
  if (!devices) return devices.error();
  for (const store::device_row& device : *devices) {
    if (device.info.state != wire::device_state::pending) continue;
    const status dropped = drop_pending(into);
    // They can do nothing, and a start with room removes them.
    if (!dropped && dropped.error().code == errc::no_space) break;
    if (!dropped) return dropped;
    log::line(log::level::info, "pending_reconciled");
    devices = (*reader)->devices();
    if (!devices) return devices.error();
    break;
  }
  const auto epoch = (*reader)->epoch();
  if (!epoch) return epoch.error();
  into.epoch = *epoch;
  auto accounts = (*reader)->accounts();
  if (!accounts) return accounts.error();
  auto invitations = (*reader)->invitations();
  if (!invitations) return invitations.error();
  into.devices = std::move(*devices);
  into.invitations = std::move(*invitations);
  into.accounts = std::move(*accounts);
  return {};
}

status count_usage(const config::settings& settings, stores& into) {
  into.space = std::make_shared<store::room>(
      *into.files, settings.store.blobs_dir, settings.store.blobs_capacity,
      store::watermark{settings.store.keep_free.percent, settings.store.keep_free.bytes});
  std::map<account_id, std::int64_t> used;
  auto small = store::open_small_reader(small_options_of(settings));
  if (!small) return small.error();
  auto in_rows = (*small)->usage();
  if (!in_rows) return in_rows.error();
  auto in_files = into.blobs->usage();
  if (!in_files) return in_files.error();
  for (const auto& [account, bytes] : *in_rows) used[account] += bytes;
  for (const auto& [account, bytes] : *in_files) used[account] += bytes;
  for (const auto& [account, bytes] : used) into.space->set_used(account, bytes);
  for (const store::account_row& account : into.accounts)
    into.space->set_quota(account.id, account.quota_bytes);
  return {};
}

struct opening_step {
  const char* name;
  status (*act)(const config::settings&, stores&);
};
constexpr opening_step opening_steps[] = {
    {"blobs", open_blobs}, {"catalog", open_catalog}, {"directory", read_directory}, {"usage", count_usage}};

}  // namespace

result<stores> open_stores(const config::settings& settings, const surroundings& around) {
  stores made;
  made.files = around.files;
  const std::string& journal = settings.store.journal_dir;
  if (around.shared_machine) make_ways(settings);
  if (const status done = make_layout(*made.files, "store.journal_dir", journal); !done) return done.error();
  if (const status done = make_layout(*made.files, "store.blobs_dir", settings.store.blobs_dir); !done)
    return done.error();
  if (around.shared_machine)
    if (const status ours = claim_folders(settings, made); !ours) return ours.error();
  made.took.done("folders");
  random_source& random = *around.random;
  auto key = server_key_of(settings, *made.files, random);
  if (!key) return in_folder(key.error(), "store.journal_dir", journal);
  made.server_key = *key;
  auto token = store::load_setup_token(*made.files, layout_folder(journal), random);
  if (!token) return in_folder(token.error(), "store.journal_dir", journal);
  made.setup_token = *token;
  auto mark = store::take_clean_mark(*made.files, layout_folder(journal));
  if (!mark) return in_folder(mark.error(), "store.journal_dir", journal);
  made.clean_stop_ms = *mark;
  made.took.done("secrets");
  for (const auto& [name, act] : opening_steps) {
    if (const status done = act(settings, made); !done) return done.error();
    made.took.done(name);
  }
  return made;
}

result<reader_stores> open_reader_stores(const config::settings& settings, const stores& opened) {
  auto catalog = store::open_catalog_reader(catalog_options_of(settings));
  if (!catalog) return catalog.error();
  auto chunks = open_source(settings, opened);
  if (!chunks) return chunks.error();
  return reader_stores{std::move(*catalog), std::move(*chunks)};
}

result<upkeep_stores> open_upkeep_stores(const config::settings& settings) {
  auto catalog = store::open_upkeep_reader(catalog_options_of(settings));
  if (!catalog) return catalog.error();
  auto small = store::open_small_reader(small_options_of(settings));
  if (!small) return small.error();
  return upkeep_stores{std::move(*catalog), std::move(*small)};
}

result<scrub_stores> open_scrub_stores(const config::settings& settings, const stores& opened) {
  scrub_stores out;
  auto primary = open_upkeep_stores(settings);
  if (!primary) return primary.error();
  out.primary = std::move(*primary);
  std::vector<store::small_reader_opener> mirrors;
  for (const store::mirror_view& mirror : opened.mirrors->all())
    mirrors.push_back(
        [options = mirror_options_of(settings, mirror)] { return store::open_small_reader(options); });
  out.small_mirrors = std::make_shared<store::small_copies>(std::move(mirrors), opened.mirrors);
  auto presence = open_source(settings, opened);
  if (!presence) return presence.error();
  out.presence = std::move(*presence);
  out.copies =
      std::make_shared<store::blob_scrub>(*opened.files, blob_options_of(settings, opened), *opened.blobs);
  return out;
}

}  // namespace obsync::app
