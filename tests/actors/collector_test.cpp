// The collector over a real store, with its real writers, on time that moves by hand.
#include "actors/collector.hpp"

#include <filesystem>

#include "actors/journal.hpp"
#include "actors/small_writer.hpp"
#include "store/chunk_reader.hpp"
#include "store/sqlite.hpp"
#include "tests/actors/actor_world.hpp"
#include "tests/support/catalog_fixture.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/sim_disk.hpp"

namespace obsync::actors {
namespace {

using test::id_of;

constexpr std::int64_t day = 86'400'000;
const account_id family = id_of<account_id>(1);

class Collector : public actor_world {
 protected:
  void SetUp() override {
    time_->advance_ms(1'000 * day);
    tell_the_disk();
    blobs_ = std::move(*store::open_blob_store(disk_, {"/v1", {}}));
    small_ = std::move(*store::open_small_writer({folder_.path()}));
    presence_ = source();
    catalog_ = std::move(*store::open_catalog_writer({folder_.path()}, *presence_));
    reader_ = std::move(*store::open_catalog_reader({folder_.path()}));
    space_ = std::make_shared<store::room>(disk_, "/v1", std::nullopt, store::watermark{0, 0});
    journal_ = keep(spawn_journal(*system_, placement::pool, {},
                                  {catalog_, std::make_shared<account_heads>(), state_, feed_stub()}));
    small_writer_ =
        keep(spawn_small_writer(*system_, placement::pool, {}, {small_, source(), space_, time_, state_}));
    store::operation made = test::account_of(1, 1);
    ASSERT_TRUE(catalog_->commit({&made, 1}).ok());
  }

  std::shared_ptr<store::chunk_source> source() {
    return std::make_shared<store::chunk_source>(std::move(*store::open_small_reader({folder_.path()})),
                                                 *blobs_, departing_);
  }
  caf::actor feed_stub() {
    return keep(system_->spawn(
        [](caf::event_based_actor*) -> caf::behavior { return {[](const account_advanced&) {}}; }));
  }

  void start(const collector_limits& limits) {
    collector_deps deps{time_,
                        random_,
                        std::move(*store::open_upkeep_reader({folder_.path()})),
                        std::move(*store::open_small_reader({folder_.path()})),
                        blobs_,
                        departing_,
                        space_,
                        board_,
                        journal_,
                        small_writer_};
    collector_ = keep(spawn_collector(*system_, placement::pool, limits, std::move(deps)));
    run();
  }
  static collector_limits two_versions() {
    collector_limits out;
    out.rule = {30, 2};
    return out;
  }

  void tell_the_disk() { disk_.set_time(time_->now_ms()); }
  // The round that is due then runs to its end.
  void wait(std::chrono::hours span) {
    advance(span);
    tell_the_disk();
    finish_round();
  }
  void collect() {
    caf::anon_send(collector_, collect_now{});
    run();
    finish_round();
  }
  void finish_round() {
    for (int step = 0; step < 100'000 && board_->collection().running; ++step)
      advance(std::chrono::milliseconds(5));
    ASSERT_FALSE(board_->collection().running);
  }

  chunk_sid put(const std::string& text) {
    const bytes body(text.begin(), text.end());
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
  // The outcome of posting version n of a file with these chunks, on top of n - 1.
  store::commit_outcome post(std::uint64_t file, std::uint64_t version, std::vector<chunk_sid> sids) {
    store::post_version one = test::post_of(file, 100'000 * file + version);
    if (version > 1) one.post.parents = {id_of<version_id>(100'000 * file + version - 1)};
    one.post.sids = std::move(sids);
    one.now_ms = time_->now_ms();
    const store::operation asked = one;
    return std::move(catalog_->commit({&asked, 1})->front());
  }
  // The two databases, when nothing is left in their logs.
  std::int64_t bytes_on_disk() {
    std::int64_t out = 0;
    for (const char* name : {"/catalog.db", "/small.db"}) {
      const auto on = store::sql::connection::open(folder_.path() + name);
      EXPECT_EQ((*on)->number("PRAGMA wal_checkpoint(TRUNCATE)"), 0) << "busy";
      out += static_cast<std::int64_t>(std::filesystem::file_size(folder_.path() + name));
    }
    return out;
  }
  bool has(const chunk_sid& sid) { return *presence_->has(family, sid); }

  test::scratch_folder folder_;
  test::sim_disk disk_;
  std::shared_ptr<seeded_random> random_ = std::make_shared<seeded_random>(1);
  std::shared_ptr<health> state_ = std::make_shared<health>();
  std::shared_ptr<upkeep_board> board_ = std::make_shared<upkeep_board>();
  std::shared_ptr<store::departing_chunks> departing_ = std::make_shared<store::departing_chunks>();
  std::shared_ptr<store::blob_store> blobs_;
  std::shared_ptr<store::small_writer> small_;
  std::shared_ptr<store::chunk_source> presence_;
  std::shared_ptr<store::catalog_writer> catalog_;
  std::unique_ptr<store::catalog_reader> reader_;
  std::shared_ptr<store::room> space_;
  caf::actor journal_, small_writer_, collector_;
};

TEST_F(Collector, ChunksOfPrunedVersionsGoAndThoseOfKeptOnesStay) {
  const std::string large(100'000, 'x');
  std::vector<chunk_sid> sids;
  for (std::uint64_t version = 1; version <= 6; ++version) {
    const std::string text = "version " + std::to_string(version);
    sids.push_back(put(version % 2 == 0 ? text + large : text));
    ASSERT_TRUE(post(1, version, {sids.back()}).ok());
  }
  const chunk_sid shared = put("shared");
  ASSERT_TRUE(post(2, 1, {shared, sids[0]}).ok());
  start(two_versions());
  wait(std::chrono::hours(31 * 24));
  for (std::size_t at = 0; at < sids.size(); ++at)
    EXPECT_EQ(has(sids[at]), at == 0 || at >= 4) << "the first is named by another file: " << at;
  EXPECT_TRUE(has(shared));
  const auto last = board_->collection().last;
  ASSERT_TRUE(last);
  EXPECT_EQ(space_->used(family), 6 + 9 + 9 + 100'009 + 0) << "counted exactly";
}

TEST_F(Collector, AChunkNobodyNamedGoesAfterItsGraceAndNotBefore) {
  const chunk_sid young = put("never named"), large = put(std::string(100'000, 'y'));
  start({});
  collect();
  EXPECT_TRUE(has(young) && has(large));
  wait(std::chrono::hours(48));
  EXPECT_FALSE(has(young) || has(large));
  EXPECT_EQ(space_->used(family), 0);
}

TEST_F(Collector, ARoundWithNothingToDoWritesNothing) {
  ASSERT_TRUE(post(1, 1, {put("a note")}).ok());
  start({});
  wait(std::chrono::hours(48));
  const std::uint64_t catalog = catalog_->flush_count(), small = small_->flush_count();
  for (int round = 0; round < 20; ++round) wait(std::chrono::hours(1));
  EXPECT_EQ(catalog_->flush_count(), catalog);
  EXPECT_EQ(small_->flush_count(), small);
}

TEST_F(Collector, APostThatNamesADepartingChunkIsToldThatItIsMissing) {
  const chunk_sid sid = put("about to go");
  departing_->add({{family, sid}});
  EXPECT_FALSE(post(1, 1, {sid}).ok());
  departing_->clear();
  EXPECT_TRUE(post(1, 1, {sid}).ok());
}

// The version arrives after the marking, in the middle of the walk: whatever step it falls into, its chunk is
// there afterwards or it was refused.
TEST_F(Collector, APostAtAnyStepOfARoundIsRefusedOrKeepsItsChunks) {
  for (int steps = 0; steps < 40; ++steps) {
    collector_limits limits;
    limits.grace_ms = 0;
    limits.first_ms = 1'000 * day;
    start(limits);
    const auto file = static_cast<std::uint64_t>(steps + 1);
    const chunk_sid small = put("small " + std::to_string(steps));
    const chunk_sid large = put(std::string(100'000, 'z') + std::to_string(steps));
    advance(std::chrono::milliseconds(10));
    tell_the_disk();
    caf::anon_send(collector_, collect_now{});
    for (int i = 0; i < steps; ++i) advance(std::chrono::milliseconds(5));
    const bool posted = post(file, 1, {small, large}).ok();
    finish_round();
    if (posted) {
      EXPECT_TRUE(has(small) && has(large)) << steps;
    } else {
      EXPECT_FALSE(has(small) && has(large)) << steps;
    }
  }
}

TEST_F(Collector, AfterARestartItKnowsWhatWasLeftToSweep) {
  ASSERT_TRUE(post(1, 1, {put("one")}).ok());
  ASSERT_TRUE(post(1, 2, {put("two")}).ok());
  const chunk_sid third = put("three");
  ASSERT_TRUE(post(1, 3, {third}).ok());
  // As a crash between the pruning and the sweep leaves it.
  std::vector<store::operation> left{
      store::prune_file{family, id_of<file_id>(1), false, {1}, time_->now_ms() + 1},
      store::set_upkeep{"unswept", "1"}, store::set_upkeep{"swept_ms", std::to_string(time_->now_ms())}};
  ASSERT_TRUE(catalog_->commit(left).ok());
  collector_limits limits;
  limits.grace_ms = 0;
  start(limits);
  advance(std::chrono::minutes(1));
  finish_round();
  EXPECT_EQ(board_->collection().last->chunks_collected, 1);
}

// 5,000 versions of a note of 2 KiB, each in a chunk of its own, beside 1,000 notes that stay.
TEST_F(Collector, ANoteOverwritten5000TimesEndsNearTheSizeOfWhatIsKept) {
  const auto write_note = [&](std::uint64_t file, std::uint64_t version) {
    std::string body(2'048, '\0');
    for (char& one : body) one = static_cast<char>(random_->next());
    ASSERT_TRUE(post(file, version, {put(body)}).ok());
  };
  for (std::uint64_t note = 0; note < 1'000; ++note) write_note(100 + note, 1);
  const std::int64_t alive = bytes_on_disk();
  for (std::uint64_t version = 1; version <= 5'000; ++version) write_note(1, version);
  EXPECT_GE(bytes_on_disk(), 4 * alive);
  collector_limits limits;
  limits.rule = {30, 10};
  start(limits);
  wait(std::chrono::hours(33 * 24));
  const std::int64_t promised = alive / 100;  // ten versions
  EXPECT_LE(bytes_on_disk(), (alive + promised) * 12 / 10);
}

}  // namespace
}  // namespace obsync::actors
