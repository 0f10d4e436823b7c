#include "store/store_check.hpp"

#include <set>

#include "crypto/digest.hpp"
#include "store/blob_layout.hpp"
#include "store/blob_store.hpp"
#include "store/catalog_schema.hpp"
#include "store/chunk_reader.hpp"
#include "store/database.hpp"
#include "store/reference_walk.hpp"
#include "store/small_schema.hpp"
#include "store/small_store.hpp"

namespace obsync::store {

namespace {

constexpr std::int64_t cache_bytes = 8 << 20;
constexpr std::int64_t versions_max = 512;  // in one snapshot
constexpr std::int64_t names_max = 1'024;
constexpr std::size_t slice_bytes = 1 << 20;
constexpr std::size_t complaints_max = 20;  // of one database

class checker {
 public:
  checker(disk& on, const check_places& places, const std::function<void(const check_progress&)>& told)
      : disk_(on), places_(places), told_(told) {}

  status open() {
    auto catalog = open_upkeep_reader({places_.journal_folder, cache_bytes});
    if (!catalog) return catalog.error();
    catalog_ = std::move(*catalog);
    blobs_ = view_blob_store(disk_, {places_.blobs_folder, {}});
    auto presence = open_small_reader({places_.blobs_folder, cache_bytes});
    if (!presence) return presence.error();
    presence_ = std::make_unique<chunk_source>(std::move(*presence), *blobs_);
    const auto progress = catalog_->progress();
    if (!progress) return progress.error();
    accounts_ = *progress;
    return {};
  }

  void databases() {
    told_({"databases", 0});
    examine({places_.journal_folder, catalog_file_name, cache_bytes}, catalog_schema);
    examine({places_.blobs_folder, small_file_name, cache_bytes}, small_schema);
    for (const std::string& mirror : places_.mirror_folders)
      examine({mirror, small_file_name, cache_bytes}, small_schema);
  }

  status references() {
    return walk_references(*catalog_, versions_max, [this](const account_id& account, const auto& slice) {
      for (const std::vector<chunk_sid>& named : slice.sids) look_up(account, named);
      report_.versions += slice.versions;
      told_({"references", report_.references});
      return status{};
    });
  }

  status bytes_of_everything() {
    if (const status done = small_chunks(places_.blobs_folder, "primary"); !done) return done;
    for (const std::string& mirror : places_.mirror_folders)
      if (const status done = small_chunks(mirror, mirror); !done) return done;
    files(places_.blobs_folder, "primary");
    for (const std::string& mirror : places_.mirror_folders) files(mirror, mirror);
    return {};
  }

  check_report take() { return std::move(report_); }

 private:
  void examine(const database_options& where, const schema& made_of) {
    const auto opened = open_for_reading(where, made_of);
    const std::string name = where.folder + "/" + where.file_name + ": ";
    if (!opened) return report_.databases.push_back(name + opened.error().detail);
    sql::connection& on = **opened;
    const std::string limit = std::to_string(complaints_max);
    {
      sql::statement sound(on, "PRAGMA integrity_check(" + limit + ")");
      sql::cursor row = sound.query();
      while (row.next())
        if (row.text(0) != "ok") report_.databases.push_back(name + row.text(0));
    }
    {
      sql::statement keys(on, "PRAGMA foreign_key_check");
      sql::cursor row = keys.query();
      for (std::size_t count = 0; count < complaints_max && row.next(); ++count)
        report_.databases.push_back(name + "a row of " + row.text(0) + " refers to nothing in " +
                                    row.text(2));
    }
    if (on.failed()) report_.databases.push_back(name + on.take_failure().detail);
  }

  void look_up(const account_id& account, const std::vector<chunk_sid>& named) {
    report_.references += static_cast<std::int64_t>(named.size());
    for (const chunk_sid& sid : named) {
      const auto there = presence_->has(account, sid);
      if (there && *there) continue;
      if (!said_.insert({account, sid}).second) continue;
      report_.failed.push_back({account, sid, "primary", there ? "missing" : "unreadable"});
    }
  }

  status small_chunks(const std::string& folder, const std::string& where) {
    const auto opened = open_small_reader({folder, cache_bytes});
    if (!opened) return opened.error();
    for (const prune_progress& one : accounts_) {
      std::optional<chunk_sid> after;
      for (bool finished = false; !finished;) {
        const auto names = (*opened)->names(one.account, after, names_max);
        if (!names) return names.error();
        for (const chunk_sid& sid : *names) small_chunk(**opened, one.account, sid, where);
        finished = static_cast<std::int64_t>(names->size()) < names_max;
        if (!names->empty()) after = names->back();
        told_({"small chunks", report_.bytes});
      }
    }
    return {};
  }

  void small_chunk(small_reader& from, const account_id& account, const chunk_sid& sid,
                   const std::string& where) {
    const auto body = from.get(account, sid);
    if (!body) return report_.failed.push_back({account, sid, where, "unreadable"});
    if (!*body) return;  // collected meanwhile
    ++report_.chunks;
    report_.bytes += static_cast<std::int64_t>((*body)->size());
    if (crypto::sha256(**body).raw != sid.raw) report_.failed.push_back({account, sid, where, "mismatch"});
  }

  void files(const std::string& folder, const std::string& where) {
    const auto view = view_blob_store(disk_, {folder, {}});
    for (std::size_t first = 0; first < blob_folder_count; ++first) {
      const auto names = view->names(static_cast<std::uint8_t>(first));
      if (!names) {
        report_.databases.push_back(folder + "/" + blob_folder_name(static_cast<std::uint8_t>(first)) + ": " +
                                    names.error().detail);
        continue;
      }
      for (const auto& [account, sid] : *names) {
        file(*view, account, sid, where);
        told_({"files", report_.bytes});
      }
    }
  }

  void file(blob_store& view, const account_id& account, const chunk_sid& sid, const std::string& where) {
    const auto opened = view.open(account, sid);
    if (!opened && opened.error().code == errc::not_found) return;  // collected meanwhile
    if (!opened) return report_.failed.push_back({account, sid, where, "unreadable"});
    crypto::sha256_stream hash;
    slice_.resize(slice_bytes);
    for (std::uint64_t at = 0;;) {
      const auto got = (*opened)->read_at(at, slice_);
      if (!got) return report_.failed.push_back({account, sid, where, "unreadable"});
      hash.update(byte_view(slice_).first(*got));
      at += *got;
      report_.bytes += static_cast<std::int64_t>(*got);
      if (*got < slice_.size()) break;
    }
    ++report_.chunks;
    if (hash.finish().raw != sid.raw) report_.failed.push_back({account, sid, where, "mismatch"});
  }

  disk& disk_;
  const check_places& places_;
  const std::function<void(const check_progress&)>& told_;
  check_report report_;
  std::unique_ptr<upkeep_reader> catalog_;
  std::unique_ptr<blob_store> blobs_;
  std::unique_ptr<chunk_source> presence_;
  std::vector<prune_progress> accounts_;
  std::set<std::pair<account_id, chunk_sid>> said_;
  bytes slice_;
};

}  // namespace

result<check_report> check_store(disk& on, const check_places& places, bool deep,
                                 const std::function<void(const check_progress&)>& told) {
  checker one(on, places, told);
  if (const status opened = one.open(); !opened) return opened.error();
  one.databases();
  if (const status done = one.references(); !done) return done.error();
  if (!deep) return one.take();
  if (const status done = one.bytes_of_everything(); !done) return done.error();
  return one.take();
}

}  // namespace obsync::store
