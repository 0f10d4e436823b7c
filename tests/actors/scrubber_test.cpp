// The scrubber over a real store whose bytes rot, on time that moves by hand.
#include "actors/scrubber.hpp"

#include <sqlite3.h>

#include <deque>

#include "actors/journal.hpp"
#include "actors/small_writer.hpp"
#include "core/log.hpp"
#include "store/mirrored_small_writer.hpp"
#include "tests/actors/actor_world.hpp"
#include "tests/support/catalog_fixture.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/sim_disk.hpp"

namespace obsync::actors {
namespace {

using test::id_of;

const account_id family = id_of<account_id>(1);
constexpr std::int64_t hour_ms = 3'600'000;

// The simulated disk, on which reading takes time, and from which the mirror's volume can be taken away.
class slow_disk final : public disk {
 public:
  explicit slow_disk(std::shared_ptr<manual_clock> time) : time_(std::move(time)) {}

  std::int64_t read_ms = 0;  // for each file opened
  std::int64_t list_ms = 0;  // for each folder listed, which then fails
  std::int64_t worked_ms = 0;
  bool mirror_is_gone = false;

  result<std::unique_ptr<disk_file>> open(const std::string& path) override {
    work(read_ms);
    if (is_gone(path)) return gone();
    return under_.open(path);
  }
  result<std::unique_ptr<disk_file>> create(const std::string& path) override {
    if (is_gone(path)) return gone();
    return under_.create(path);
  }
  result<std::uint64_t> size_of(const std::string& path) override { return under_.size_of(path); }
  result<std::int64_t> modified_ms(const std::string& path) override { return under_.modified_ms(path); }
  status touch(const std::string& path) override { return under_.touch(path); }
  status rename(const std::string& from, const std::string& to) override { return under_.rename(from, to); }
  status remove(const std::string& path) override { return under_.remove(path); }
  status remove_folder(const std::string& path) override { return under_.remove_folder(path); }
  status make_folder(const std::string& path) override {
    return is_gone(path) ? gone() : under_.make_folder(path);
  }
  status sync_folder(const std::string& path) override { return under_.sync_folder(path); }
  result<std::vector<disk_entry>> list(const std::string& path) override {
    work(list_ms);
    if (list_ms > 0) return gone();
    return under_.list(path);
  }
  result<disk_room> room(const std::string& path) override { return under_.room(path); }

 private:
  void work(std::int64_t for_ms) {
    time_->advance_ms(for_ms);
    worked_ms += for_ms;
  }
  bool is_gone(const std::string& path) const { return mirror_is_gone && path.starts_with("/m/"); }
  static error gone() { return {errc::io_failed, "gone"}; }

  test::sim_disk under_;
  std::shared_ptr<manual_clock> time_;
};

class Scrubber : public actor_world {
 protected:
  void open(std::vector<std::string> mirrors = {}) {
    disk_ = std::make_shared<slow_disk>(time_);
    for (const std::string parent : {"/p", "/m", "/j"}) ASSERT_TRUE(disk_->make_folder(parent).ok());
    options_ = {"/p/v1", std::move(mirrors)};
    std::vector<store::mirror_view> watched;
    for (const std::string& mirror : options_.mirrors) watched.push_back({"mirror", mirror});
    mirrors_ = std::make_shared<store::mirror_watch>(policy_, std::move(watched));
    options_.watch = mirrors_;
    board_ = std::make_shared<upkeep_board>(mirrors_);
    blobs_ = std::move(*store::open_blob_store(*disk_, options_));
    std::vector<store::small_writer_opener> copies;
    if (!options_.mirrors.empty())
      copies.push_back([this] { return store::open_small_writer({mirror_.path()}); });
    small_ = std::move(*store::open_mirrored_small_writer(
        std::move(*store::open_small_writer({folder_.path()})), std::move(copies), mirrors_));
    presence_ = source();
    catalog_ = std::move(*store::open_catalog_writer({folder_.path()}, *presence_));
    space_ = std::make_shared<store::room>(*disk_, "/p", std::nullopt, store::watermark{0, 0});
    const caf::actor feed = keep(system_->spawn(
        [](caf::event_based_actor*) -> caf::behavior { return {[](const account_advanced&) {}}; }));
    journal_ = keep(spawn_journal(*system_, placement::pool, {},
                                  {catalog_, std::make_shared<account_heads>(), state_, feed}));
    small_writer_ =
        keep(spawn_small_writer(*system_, placement::pool, {}, {small_, source(), space_, time_, state_}));
    store::operation made = test::account_of(1, 1);
    ASSERT_TRUE(catalog_->commit({&made, 1}).ok());
  }

  std::shared_ptr<store::chunk_source> source() {
    return std::make_shared<store::chunk_source>(std::move(*store::open_small_reader({folder_.path()})),
                                                 *blobs_);
  }

  void start(scrubber_limits limits = {}) {
    scrubber_deps deps;
    deps.time = time_;
    deps.files = disk_;
    deps.catalog = std::move(*store::open_upkeep_reader({folder_.path()}));
    deps.small = std::move(*store::open_small_reader({folder_.path()}));
    std::vector<store::small_reader_opener> copies;
    if (!options_.mirrors.empty())
      copies.push_back([this] { return store::open_small_reader({mirror_.path()}); });
    deps.small_mirrors = std::make_shared<store::small_copies>(std::move(copies), mirrors_);
    deps.mirrors = mirrors_;
    deps.journal_space = journal_space_;
    deps.blobs = blobs_;
    deps.copies = std::make_shared<store::blob_scrub>(*disk_, options_, *blobs_);
    deps.presence = source();
    deps.space = space_;
    deps.board = board_;
    deps.quarantine_folder = "/j/quarantine";
    deps.journal = journal_;
    deps.small_writer = small_writer_;
    scrubber_ = keep(spawn_scrubber(*system_, placement::pool, limits, std::move(deps)));
    run();
  }
  void stop() {
    caf::anon_send_exit(scrubber_, caf::exit_reason::user_shutdown);
    run();
  }
  void finish_pass() {
    for (int step = 0; step < 10'000 && board_->scrub().running; ++step) advance(std::chrono::seconds(1));
    ASSERT_FALSE(board_->scrub().running);
  }

  chunk_sid put(bytes body) {
    const chunk_sid sid{crypto::sha256(body).raw};
    if (body.size() > 64 << 10) {
      auto upload = blobs_->begin(family, sid, body.size());
      EXPECT_TRUE((*upload)->write(body).ok());
      EXPECT_TRUE((*upload)->finish().ok());
    } else {
      const store::small_put one{family, sid, body, time_->now_ms()};
      EXPECT_TRUE(small_->put({&one, 1}).ok());
    }
    space_->set_used(family, space_->used(family) + static_cast<std::int64_t>(body.size()));
    return sid;
  }
  bytes noise(std::size_t size) {
    bytes out(size);
    random_.fill(out);
    return out;
  }

  static std::string file_of(const chunk_sid& sid, const std::string& root = "/p/v1") {
    return root + "/" + sid.hex().substr(0, 2) + "/" + sid.hex() + "." + family.hex();
  }
  void rot_file(const chunk_sid& sid, const std::string& root = "/p/v1") {
    const auto old = *disk_->size_of(file_of(sid, root));
    ASSERT_TRUE(disk_->remove(file_of(sid, root)).ok());
    const auto file = disk_->create(file_of(sid, root));
    ASSERT_TRUE((*file)->write_at(0, bytes(old, 'r')).ok());
  }
  static void rot_row(const chunk_sid& sid, const std::string& folder) {
    sqlite3* on = nullptr;
    ASSERT_EQ(sqlite3_open((folder + "/small.db").c_str(), &on), SQLITE_OK);
    const std::string text =
        "UPDATE chunk SET body = zeroblob(length(body)) WHERE sid = x'" + sid.hex() + "'";
    EXPECT_EQ(sqlite3_exec(on, text.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(on);
  }
  static void lose_row(const chunk_sid& sid, const std::string& folder) {
    sqlite3* on = nullptr;
    ASSERT_EQ(sqlite3_open((folder + "/small.db").c_str(), &on), SQLITE_OK);
    const std::string text = "DELETE FROM chunk WHERE sid = x'" + sid.hex() + "'";
    EXPECT_EQ(sqlite3_exec(on, text.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(on);
  }
  void post(std::uint64_t file, std::vector<chunk_sid> sids) {
    store::post_version one = test::post_of(file, file);
    one.post.sids = std::move(sids);
    const store::operation asked = one;
    ASSERT_TRUE(catalog_->commit({&asked, 1})->front().ok());
  }
  bool mirror_has(const chunk_sid& sid) {
    if (disk_->size_of(file_of(sid, "/m/v1")).ok()) return true;
    return *(*store::open_small_reader({mirror_.path()}))->has(family, sid);
  }
  store::mirror_state mirror_state() { return mirrors_->all().front().state; }
  std::optional<std::string> note(const char* name) {
    return *(*store::open_upkeep_reader({folder_.path()}))->note(name);
  }
  void scrub_again() {
    caf::anon_send(scrubber_, scrub_now{});
    run();
    finish_pass();
  }
  bool has(const chunk_sid& sid) { return *presence_->has(family, sid); }
  std::size_t set_aside() {
    const auto reader = std::move(*store::open_catalog_reader({folder_.path()}));
    return reader->quarantined(100)->size();
  }

  test::scratch_folder folder_, mirror_;
  seeded_random random_{5};
  store::mirror_failure policy_ = store::mirror_failure::refuse;
  std::shared_ptr<store::mirror_watch> mirrors_;
  store::blob_options options_;
  std::shared_ptr<slow_disk> disk_;
  std::shared_ptr<health> state_ = std::make_shared<health>();
  std::shared_ptr<upkeep_board> board_ = std::make_shared<upkeep_board>();
  std::shared_ptr<store::blob_store> blobs_;
  std::shared_ptr<store::small_writer> small_;
  std::shared_ptr<store::chunk_source> presence_;
  std::shared_ptr<store::catalog_writer> catalog_;
  std::shared_ptr<store::room> space_;
  std::shared_ptr<const store::journal_room> journal_space_;
  caf::actor journal_, small_writer_, scrubber_;
};

TEST_F(Scrubber, LooksAtEveryChunkOnceAPass) {
  open();
  for (int i = 0; i < 300; ++i) put(noise(100));
  for (int i = 0; i < 5; ++i) put(noise(100'000));
  start();
  finish_pass();
  const auto last = board_->scrub().last;
  EXPECT_EQ(last->chunks_verified, 305);
  EXPECT_EQ(last->bytes_verified, 300 * 100 + 5 * 100'000);
  EXPECT_EQ(last->mismatches, 0);
  EXPECT_TRUE(last->complete_pass);
}

TEST_F(Scrubber, WhatIsRottenEverywhereIsSetAsideAndThenMissing) {
  open();
  const chunk_sid small = put(noise(100)), large = put(noise(100'000)), whole = put(noise(100));
  rot_row(small, folder_.path());
  rot_file(large);
  start();
  finish_pass();
  EXPECT_FALSE(has(small) || has(large));
  EXPECT_TRUE(has(whole));
  EXPECT_EQ(set_aside(), 2u);
  EXPECT_EQ(*disk_->size_of("/j/quarantine/" + small.hex() + "." + family.hex()), 100u);
  EXPECT_EQ(*disk_->size_of("/j/quarantine/" + large.hex() + "." + family.hex()), 100'000u);
  EXPECT_EQ(space_->used(family), 100);
  EXPECT_EQ(board_->scrub().last->quarantined, 2);
}

TEST_F(Scrubber, WhatWasSetAsideCanBeSentAgain) {
  open();
  const bytes body = noise(100'000);
  const chunk_sid sid = put(body);
  rot_file(sid);
  start();
  finish_pass();
  ASSERT_FALSE(has(sid));
  EXPECT_EQ(put(body), sid);
  EXPECT_TRUE(has(sid));
}

TEST_F(Scrubber, ARottenPrimaryIsMadeWholeFromAMirror) {
  open({"/m/v1"});
  const chunk_sid small = put(noise(100)), large = put(noise(100'000));
  rot_row(small, folder_.path());
  rot_file(large);
  start();
  finish_pass();
  EXPECT_TRUE(has(small) && has(large));
  EXPECT_EQ(set_aside(), 0u);
  EXPECT_EQ(board_->scrub().last->mismatches, 2);
  scrub_again();
  EXPECT_EQ(board_->scrub().last->mismatches, 0) << "they are right now";
}

TEST_F(Scrubber, AMirrorThatRottedOrLostACopyIsMadeWholeFromThePrimary) {
  open({"/m/v1"});
  const chunk_sid small = put(noise(100)), wrong = put(noise(100'000)), lost = put(noise(100'000));
  rot_row(small, mirror_.path());
  rot_file(wrong, "/m/v1");
  ASSERT_TRUE(disk_->remove(file_of(lost, "/m/v1")).ok());
  start();
  finish_pass();
  EXPECT_EQ(board_->scrub().last->mismatches, 3);
  scrub_again();
  EXPECT_EQ(board_->scrub().last->mismatches, 0);
  EXPECT_EQ(*disk_->size_of(file_of(lost, "/m/v1")), 100'000u);
}

TEST_F(Scrubber, APassBeginsAtTheStartAndADayAfterTheLastBegan) {
  open();
  put(noise(100));
  time_->advance_ms(100 * 24 * hour_ms);
  start();
  finish_pass();
  const std::int64_t first_ms = board_->scrub().last->ts_ms;
  for (int hour = 0; hour < 23; ++hour) advance(std::chrono::hours(1));
  EXPECT_EQ(board_->scrub().last->ts_ms, first_ms);
  for (int hour = 0; hour < 2; ++hour) advance(std::chrono::hours(1));
  finish_pass();
  EXPECT_GE(board_->scrub().last->ts_ms - first_ms, 24 * hour_ms);
}

TEST_F(Scrubber, ARestartGoesOnWhereThePassWasAndDoesNotBeginAnotherTheSameDay) {
  open();
  time_->advance_ms(100 * 24 * hour_ms);
  for (int i = 0; i < 200; ++i) put(noise(70'000));
  disk_->read_ms = 1'000;  // 200 s of work: more than three hours
  start();
  for (int i = 0; i < 5'500; ++i) advance(std::chrono::seconds(1));
  ASSERT_TRUE(board_->scrub().running);
  stop();
  disk_->worked_ms = 0;
  start();
  for (int i = 0; i < 40'000 && board_->scrub().running; ++i) advance(std::chrono::seconds(1));
  ASSERT_FALSE(board_->scrub().running);
  EXPECT_FALSE(board_->scrub().last->complete_pass);
  EXPECT_LT(disk_->worked_ms, 160'000) << "of 200 s, at least an hour's minute less was done again";
  stop();
  disk_->worked_ms = 0;
  start();
  advance(std::chrono::minutes(20));
  EXPECT_EQ(disk_->worked_ms, 0);
}

// Every second of a week: how much was worked in the hour that ends there.
TEST_F(Scrubber, WorksAtMostAMinuteInAnyHourOfAWeek) {
  open();
  for (int i = 0; i < 400; ++i) put(noise(70'000));
  disk_->read_ms = 370;
  scrubber_limits limits;
  limits.period_ms = hour_ms;  // no sooner done than begun again
  start(limits);
  std::deque<std::pair<std::int64_t, std::int64_t>> steps;  // when, how long
  std::int64_t in_window = 0, most = 0, total = 0;
  const std::int64_t end_ms = time_->now_ms() + 7 * 24 * hour_ms;
  while (time_->now_ms() < end_ms) {
    const std::int64_t before = disk_->worked_ms;
    advance(std::chrono::seconds(1));
    const std::int64_t worked = disk_->worked_ms - before;
    if (worked > 0) steps.emplace_back(time_->now_ms(), worked);
    in_window += worked;
    total += worked;
    while (!steps.empty() && steps.front().first <= time_->now_ms() - hour_ms) {
      in_window -= steps.front().second;
      steps.pop_front();
    }
    most = std::max(most, in_window);
  }
  EXPECT_LE(most, 60'000);
  EXPECT_GE(total, 7 * 24 * 45'000) << "and it does work";
}

TEST_F(Scrubber, AnIdleScrubberWritesNothing) {
  open();
  put(noise(100));
  start();
  finish_pass();
  const std::uint64_t before = catalog_->flush_count() + small_->flush_count();
  for (int i = 0; i < 12; ++i) advance(std::chrono::hours(1));
  EXPECT_EQ(catalog_->flush_count() + small_->flush_count(), before);
}

TEST_F(Scrubber, WithoutRoomForTheEvidenceARottenChunkStaysWhereItIs) {
  open();
  journal_space_ = std::make_shared<const store::journal_room>(
      *disk_, store::volume{"journal", "", "/j", 1'000, store::watermark{0, 1'000}});
  const chunk_sid small = put(noise(100)), large = put(noise(100'000)), whole = put(noise(100'000));
  rot_row(small, folder_.path());
  rot_file(large);
  start();
  finish_pass();
  EXPECT_TRUE(has(small) && has(large) && has(whole));
  EXPECT_EQ(set_aside(), 0u);
  EXPECT_EQ(board_->scrub().last->mismatches, 2);
  EXPECT_EQ(board_->scrub().last->chunks_verified, 3) << "and the pass goes on";
}

TEST_F(Scrubber, ReadsThatFailSlowlyKeepToTheMinuteToo) {
  open();
  put(noise(70'000));
  disk_->list_ms = 3'000;
  start();
  for (int i = 0; i < 3'600 - 3; ++i) advance(std::chrono::seconds(1));
  EXPECT_GT(disk_->worked_ms, 30'000);
  EXPECT_LE(disk_->worked_ms, 60'000);
}

TEST_F(Scrubber, AStopKeepsThePlaceOfAPassInOneFlush) {
  open();
  for (int i = 0; i < 100; ++i) put(noise(70'000));
  disk_->read_ms = 1'000;
  start();
  for (int i = 0; i < 1'800; ++i) advance(std::chrono::seconds(1));
  ASSERT_TRUE(board_->scrub().running);
  ASSERT_EQ(note("scrub_place"), std::nullopt);
  const std::uint64_t before = catalog_->flush_count();
  caf::anon_send(scrubber_, settle{});
  run();
  EXPECT_EQ(catalog_->flush_count(), before + 1);
  EXPECT_TRUE(note("scrub_place")->starts_with("file ")) << *note("scrub_place");
  const std::int64_t worked_ms = disk_->worked_ms;
  for (int i = 0; i < 1'800; ++i) advance(std::chrono::seconds(1));
  EXPECT_EQ(disk_->worked_ms, worked_ms) << "it has stopped";
}

TEST_F(Scrubber, WhatThePrimaryLostComesBackFromAMirror) {
  open({"/m/v1"});
  const chunk_sid small = put(noise(100)), large = put(noise(100'000));
  post(1, {small, large});
  ASSERT_TRUE(disk_->remove(file_of(large)).ok());
  lose_row(small, folder_.path());
  space_->set_used(family, 0);
  start();
  finish_pass();
  EXPECT_TRUE(has(small) && has(large));
  EXPECT_EQ(space_->used(family), 100'100);
  EXPECT_EQ(board_->scrub().last->mismatches, 2);
}

TEST_F(Scrubber, AChunkThatNobodyHasIsSaidOnceAPass) {
  open();
  const chunk_sid lost = put(noise(100'000));
  for (std::uint64_t file = 1; file <= 150; ++file) post(file, {lost});
  ASSERT_TRUE(disk_->remove(file_of(lost)).ok());
  int said = 0;
  log::set_sink([&said](std::string_view line) {
    if (line.find("event=chunk_missing") != line.npos) ++said;
  });
  start();
  finish_pass();
  EXPECT_EQ(said, 1);
  scrub_again();
  EXPECT_EQ(said, 2);
  log::set_sink({});
}

TEST_F(Scrubber, AMirrorThatReturnsIsGivenWhatItMissed) {
  policy_ = store::mirror_failure::degrade;
  open({"/m/v1"});
  start();
  finish_pass();
  disk_->mirror_is_gone = true;
  const chunk_sid large = put(noise(100'000)), small = put(noise(100));
  EXPECT_EQ(mirror_state(), store::mirror_state::behind);
  for (int i = 0; i < 3; ++i) advance(std::chrono::minutes(10));
  EXPECT_EQ(mirror_state(), store::mirror_state::behind);
  EXPECT_EQ(board_->scrub().mirrors.front().state, "behind");
  disk_->mirror_is_gone = false;
  advance(std::chrono::minutes(10));
  finish_pass();
  EXPECT_TRUE(mirror_has(large) && mirror_has(small));
  EXPECT_EQ(mirror_state(), store::mirror_state::whole) << "within a day: it had a pass of its own";
  EXPECT_EQ(set_aside(), 0u);
}

TEST_F(Scrubber, WhatAMirrorLacksIsKnownOverARestart) {
  policy_ = store::mirror_failure::degrade;
  open({"/m/v1"});
  disk_->mirror_is_gone = true;
  const chunk_sid large = put(noise(100'000));
  start();
  finish_pass();
  EXPECT_EQ(note("mirrors_behind"), "/m/v1\n");
  stop();
  mirrors_->returns(0);  // as after a restart nobody knows better
  mirrors_->completes(0, mirrors_->all().front().returned);
  disk_->mirror_is_gone = false;
  start();
  finish_pass();
  EXPECT_TRUE(mirror_has(large));
  EXPECT_EQ(mirror_state(), store::mirror_state::whole);
  EXPECT_EQ(note("mirrors_behind"), "");
}

TEST_F(Scrubber, RightBytesSentInThePlaceOfRottenOnesReplaceThemAndStay) {
  open();
  const bytes body = noise(100);
  const chunk_sid sid = put(body);
  rot_row(sid, folder_.path());
  const auto call = make_call(route::chunk_put, {sid.hex()}, std::string(as_text(body)));
  caf::anon_send(small_writer_, small_chunk_call{call, family, sid});
  run();
  EXPECT_EQ(call->status(), 200);
  caf::anon_send(small_writer_, drop_rotten_chunk{family, sid});
  run();
  EXPECT_EQ(*(*store::open_small_reader({folder_.path()}))->get(family, sid), body);
  EXPECT_EQ(space_->used(family), 100);
  start();
  finish_pass();
  EXPECT_EQ(board_->scrub().last->mismatches, 0);
}

}  // namespace
}  // namespace obsync::actors
