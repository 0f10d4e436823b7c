#include "tests/store/fault_world.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>

#include "crypto/digest.hpp"
#include "store/backup.hpp"
#include "store/blob_layout.hpp"
#include "store/mirrored_small_writer.hpp"
#include "store/store_check.hpp"
#include "store/upkeep_reader.hpp"

namespace obsync::store {

namespace {

constexpr std::int64_t noon = 1'796'126'400'000;  // 2026-12-01 12:00:00 UTC
constexpr std::int64_t any_cutoff = 1LL << 60;

void nobody(const copy_report&) {}
void no_one(const check_progress&) {}

std::string old_catalog() {
  std::ifstream in(std::string(OBSYNC_SOURCE_DIR) + "/tests/store/catalog_2.sql", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

stored_chunk chunk_of(std::uint64_t number, std::size_t size) {
  stored_chunk out;
  seeded_random random(number);
  out.body.resize(size);
  random.fill(out.body);
  out.sid.raw = crypto::sha256(out.body).raw;
  return out;
}

fault_world::fault_world(std::uint64_t seed) : disk_(seed), vfs_(disk_, seed) {}

void fault_world::make_old_store() {
  std::string made;
  for (std::size_t from = 1; from < scratch_.path().size();) {
    const std::size_t slash = std::min(scratch_.path().find('/', from), scratch_.path().size());
    ASSERT_TRUE(disk_.make_folder(made = scratch_.path().substr(0, slash)).ok());
    ASSERT_TRUE(disk_.sync_folder(made.substr(0, made.rfind('/'))).ok());
    from = slash + 1;
  }
  for (const char* name : {"/j", "/j/v1", "/b", "/b/v1", "/m", "/m/v1", "/backup"}) {
    ASSERT_TRUE(disk_.make_folder(path(name)).ok());
    ASSERT_TRUE(disk_.sync_folder(path(name).substr(0, path(name).rfind('/'))).ok());
  }
  ASSERT_TRUE(disk_.create(path("/j/v1/catalog.db")).ok());
  sqlite3* old = nullptr;
  ASSERT_EQ(sqlite3_open(path("/j/v1/catalog.db").c_str(), &old), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(old, old_catalog().c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
  // Its chunks are in no fixture.
  EXPECT_EQ(sqlite3_exec(old, "UPDATE version SET sids = x''", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(old);
  ASSERT_TRUE(disk_.sync_folder(path("/j/v1")).ok());
  std::filesystem::create_directory(path("/backup"));  // for its lock
}

blob_options fault_world::blob_places() const {
  return {path("/b/v1"), {path("/m/v1")}, watch_};
}

bool fault_world::open() {
  watch_ = std::make_shared<mirror_watch>(mirror_failure::refuse,
                                          std::vector<mirror_view>{{"mirror", path("/m/v1")}});
  auto catalog = open_catalog_writer({path("/j/v1"), 1 << 20, &disk_}, presence_);
  if (!catalog.ok()) return false;
  auto blobs = open_blob_store(disk_, blob_places());
  if (!blobs.ok()) return false;
  auto small = open_small_writer({path("/b/v1"), 1 << 20, &disk_});
  if (!small.ok()) return false;
  auto mirrored = open_mirrored_small_writer(std::move(*small), {[this] {
                                               return open_small_writer({path("/m/v1"), 1 << 20, &disk_});
                                             }},
                                             watch_);
  if (!mirrored.ok()) return false;
  catalog_ = std::move(*catalog);
  blobs_ = std::move(*blobs);
  small_ = std::move(*mirrored);
  return true;
}

void fault_world::close() {
  small_.reset();
  blobs_.reset();
  catalog_.reset();
}

bool fault_world::put_small(const stored_chunk& chunk) {
  const small_put put{fault_family, chunk.sid, chunk.body, noon};
  if (!small_->put({&put, 1}).ok()) return false;
  presence_.held.insert({fault_family, chunk.sid});
  promised_.chunks.push_back(chunk);
  return true;
}

bool fault_world::put_large(const stored_chunk& chunk) {
  auto upload = blobs_->begin(fault_family, chunk.sid, chunk.body.size());
  if (!upload.ok()) return false;
  const byte_view body = chunk.body;
  const std::size_t half = body.size() / 2;
  if (!(*upload)->write(body.first(half)).ok() || !(*upload)->write(body.subspan(half)).ok()) return false;
  if (!(*upload)->finish().ok()) return false;
  presence_.held.insert({fault_family, chunk.sid});
  promised_.chunks.push_back(chunk);
  return true;
}

bool fault_world::post(std::uint64_t file, std::uint64_t version, std::vector<std::uint64_t> parents,
                       std::vector<chunk_sid> sids, bool deleted) {
  post_version asked = test::post_of(file, version, std::move(parents));
  asked.post.sids = std::move(sids);
  asked.post.deleted = deleted;
  const operation one = asked;
  const auto done = catalog_->commit({&one, 1});
  if (!done.ok() || !done->front().ok()) return false;
  promised_.versions.emplace_back(asked.file, asked.post.id);
  return true;
}

void fault_world::collect(std::uint64_t file, std::uint64_t version, sequence seq,
                          const stored_chunk& chunk) {
  promised_.let_go.insert(test::id_of<version_id>(version));
  const std::vector<operation> act{
      prune_file{fault_family, test::id_of<file_id>(file), false, {seq}, any_cutoff}, give_pages_back{16}};
  const auto done = catalog_->commit(act);
  // A chunk goes after the commit that let go of it. A version that is a head, because its successor failed,
  // stays.
  if (!done.ok() || !done->front().ok() || std::get<pruned>(*done->front()).versions == 0) return;
  promised_.dropped.insert(chunk.sid);
  presence_.held.erase({fault_family, chunk.sid});
  static_cast<void>(small_->remove(fault_family, {&chunk.sid, 1}, any_age));
  static_cast<void>(small_->give_pages_back(16));
  static_cast<void>(blobs_->remove_old(fault_family, chunk.sid, any_age));
}

void fault_world::rot(const stored_chunk& chunk, const std::string& volume) {
  const std::string name = path(volume) + "/v1/" + blob_folder_name(chunk.sid.raw[0]) + "/" +
                           blob_file_name(fault_family, chunk.sid);
  auto file = disk_.open(name);
  if (!file.ok()) return;
  promised_.rotten.insert(chunk.sid);
  const std::uint8_t wrong = static_cast<std::uint8_t>(~chunk.body.front());
  static_cast<void>((*file)->write_at(0, {&wrong, 1}));
  static_cast<void>((*file)->sync());
}

void fault_world::scrub(const stored_chunk& chunk) {
  const auto report = blob_scrub(disk_, blob_places(), *blobs_).check(fault_family, chunk.sid);
  if (report.ok() && report->state == copies_state::good) promised_.rotten.erase(chunk.sid);
}

// As the scrubber does it: evidence, then the finding, then the removal.
void fault_world::quarantine(const stored_chunk& chunk) {
  blob_scrub copies(disk_, blob_places(), *blobs_);
  const auto hold = blobs_->hold(fault_family, chunk.sid);
  const auto size = copies.set_aside(fault_family, chunk.sid, path("/j/v1/quarantine"));
  if (!size.ok() || *size == 0) return;
  const operation finding = note_quarantine{{fault_family, chunk.sid, noon, "sid_mismatch"}};
  if (const auto done = catalog_->commit({&finding, 1}); !done.ok() || !done->front().ok()) return;
  static_cast<void>(copies.drop(fault_family, chunk.sid));
}

void fault_world::back_up(std::int64_t minute) {
  const auto made =
      create_backup(disk_, {path("/j/v1"), path("/b/v1")}, path("/backup"), noon + minute * 60'000, nobody);
  if (made.ok()) promised_.backups.push_back(made->name);
}

// --- what must still be true
// ---------------------------------------------------------------------------------

void fault_world::expect_promises_kept(bool all_was_readable) {
  presence_.held.clear();
  for (const stored_chunk& one : promised_.chunks) presence_.held.insert({fault_family, one.sid});
  ASSERT_TRUE(open()) << "it opens by itself";
  expect_chunks();
  expect_versions();
  expect_evidence(all_was_readable);
  expect_backups();
  expect_clean_check();
  close();
}

void fault_world::expect_chunks() {
  const auto small = open_small_reader({path("/b/v1")}).value();
  for (const stored_chunk& one : promised_.chunks) {
    if (promised_.dropped.contains(one.sid) || promised_.rotten.contains(one.sid)) continue;
    if (one.body.size() <= 64 << 10) {
      EXPECT_EQ(small->get(fault_family, one.sid).value(), one.body) << "a small chunk";
      continue;
    }
    const auto file = blobs_->open(fault_family, one.sid);
    ASSERT_TRUE(file.ok()) << "a large chunk is gone";
    bytes found(one.body.size() + 1);
    EXPECT_EQ((*file)->read_at(0, found).value(), one.body.size());
    found.pop_back();
    EXPECT_EQ(found, one.body) << "a large chunk";
  }
}

void fault_world::expect_versions() {
  const auto reader = open_catalog_reader({path("/j/v1")}).value();
  for (const auto& [file, version] : promised_.versions) {
    if (promised_.let_go.contains(version)) continue;
    const auto found = reader->version(fault_family, file, version);
    EXPECT_TRUE(found.ok() && found->ok()) << version.hex();
  }
  const auto page = reader->changes(fault_family, 0, 1'000, 1 << 24).value();
  for (std::size_t at = 1; at < page.changes.size(); ++at)
    EXPECT_LT(page.changes[at - 1].seq, page.changes[at].seq);
  EXPECT_GE(page.changes.size() + promised_.let_go.size(), promised_.versions.size() + 2) << "two are older";
}

void fault_world::expect_evidence(bool all_was_readable) {
  const auto upkeep = open_upkeep_reader({path("/j/v1")}).value();
  for (const chunk_sid& sid : promised_.rotten) {
    if (blobs_->has(fault_family, sid).value()) continue;  // not removed yet
    const auto evidence = disk_.size_of(path("/j/v1/quarantine/") + blob_file_name(fault_family, sid));
    EXPECT_TRUE(evidence.ok() || !all_was_readable) << "removed without evidence";
    sqlite3* on = nullptr;
    ASSERT_EQ(sqlite3_open(path("/j/v1/catalog.db").c_str(), &on), SQLITE_OK);
    int rows = 0;
    const auto count = [](void* to, int, char**, char**) { return ++*static_cast<int*>(to), 0; };
    EXPECT_EQ(sqlite3_exec(on, "SELECT 1 FROM quarantine", count, &rows, nullptr), SQLITE_OK);
    EXPECT_GE(rows, 1) << "removed without a finding";
    sqlite3_close(on);
  }
}

void fault_world::expect_backups() {
  const auto names = list_backups(disk_, path("/backup"));
  const std::set<std::string> there =
      names.ok() ? std::set(names->begin(), names->end()) : std::set<std::string>{};
  for (const std::string& one : promised_.backups) EXPECT_TRUE(there.contains(one)) << one;
  for (const std::string& one : there) {
    const auto found = verify_backup(disk_, path("/backup"), one, true, no_one);
    ASSERT_TRUE(found.ok()) << found.error().detail;
    EXPECT_TRUE(found->is_clean()) << "a backup that has its name is whole";
  }
}

void fault_world::expect_clean_check() {
  const auto found = check_store(disk_, {path("/j/v1"), path("/b/v1"), {path("/m/v1")}}, true, no_one);
  ASSERT_TRUE(found.ok()) << found.error().detail;
  for (const std::string& one : found->databases) ADD_FAILURE() << one;
  for (const failed_chunk& one : found->failed) {
    // What a version names must be there; a chunk asked to go may have lost one of its copies.
    EXPECT_TRUE(promised_.rotten.contains(one.sid)) << one.reason << " in " << one.where;
  }
}

}  // namespace obsync::store
