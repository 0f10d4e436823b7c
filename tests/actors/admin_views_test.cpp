#include "actors/admin_views.hpp"

#include <gtest/gtest.h>

#include "tests/support/catalog_fixture.hpp"
#include "tests/support/scratch_folder.hpp"
#include "wire/dashboard.hpp"

namespace obsync::actors {
namespace {

using test::id_of;

constexpr std::int64_t hour_ms = 3'600'000;

TEST(CountByHour, PutsEachTimeIntoItsHourTheOldestFirst) {
  const std::int64_t now_ms = 100 * hour_ms + 5;
  const auto hours = count_by_hour(
      {77 * hour_ms - 1, 77 * hour_ms, 99 * hour_ms + 7, 100 * hour_ms, now_ms, 101 * hour_ms}, now_ms);
  EXPECT_EQ(hours.front().hour_ms, 77 * hour_ms);
  EXPECT_EQ(hours.front().count, 1);
  EXPECT_EQ(hours[22].count, 1);
  EXPECT_EQ(hours.back().hour_ms, 100 * hour_ms);
  EXPECT_EQ(hours.back().count, 2) << "times beyond the present hour are a clock set back, and not counted";
}

// Two accounts over a real catalog: family 1 owns the server, 2 is a guest.
class AdminViews : public testing::Test {
 protected:
  void SetUp() override {
    writer_ = store::open_catalog_writer({folder_.path()}, presence_).value();
    reader_ = store::open_catalog_reader({folder_.path()}).value();
    commit(test::account_of(1, 1));
    commit(test::account_of(2, 2));
    post(1, 11, 101);
    post(1, 11, 102);
    post(1, 12, 103);
    post(2, 13, 104);
    space_.set_used(id_of<account_id>(1), 1000);
    space_.set_used(id_of<account_id>(2), 234);
    facts_.time = time_;
    facts_.files = files_;
    facts_.seen = seen_;
    facts_.board = board_;
    facts_.volumes.push_back({"blobs", "ssd", folder_.path(), 5'000'000, {1, 100}});
    facts_.watermark_spec = "1%,100";
  }

  void commit(store::operation one) {
    const auto outcomes = writer_->commit({&one, 1});
    ASSERT_TRUE(outcomes.ok());
    ASSERT_TRUE((*outcomes)[0].ok()) << (*outcomes)[0].error().detail;
  }

  void post(std::uint64_t account, std::uint64_t file, std::uint64_t version) {
    store::post_version one = test::post_of(file, version);
    one.account = id_of<account_id>(account);
    one.device = id_of<device_id>(account);
    one.now_ms = time_->now_ms();
    commit(one);
  }

  std::string view(std::uint64_t account, route where) {
    const reply answer =
        answer_admin_view(facts_, *reader_, space_, {id_of<account_id>(account), account == 1, false}, where);
    EXPECT_EQ(answer.status, 200);
    return std::get<text_body>(answer.body).text;
  }

  static bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  test::scratch_folder folder_;
  test::chunks_in_memory presence_;
  std::unique_ptr<store::catalog_writer> writer_;
  std::unique_ptr<store::catalog_reader> reader_;
  std::shared_ptr<manual_clock> time_ = std::make_shared<manual_clock>(1000 * hour_ms);
  std::shared_ptr<disk> files_ = make_posix_disk();
  std::shared_ptr<sightings> seen_ = std::make_shared<sightings>();
  std::shared_ptr<upkeep_board> board_ = std::make_shared<upkeep_board>();
  store::room space_{*files_, folder_.path(), std::nullopt, {1, 100}};
  admin_facts facts_;
};

TEST_F(AdminViews, TheOverviewCountsTheAccountsOwnVersionsFilesAndBytes) {
  const std::string mine = view(1, route::admin_overview);
  EXPECT_TRUE(has(mine, "\"used_bytes\":1000")) << mine;
  EXPECT_TRUE(has(mine, "\"versions\":{\"total\":3,\"files\":2}")) << mine;
  EXPECT_TRUE(has(mine, "{\"hour\":3600000000,\"count\":3}")) << mine;
  const std::string theirs = view(2, route::admin_overview);
  EXPECT_TRUE(has(theirs, "\"versions\":{\"total\":1,\"files\":1}")) << theirs;
  EXPECT_TRUE(has(theirs, "\"used_bytes\":234")) << theirs;
}

TEST_F(AdminViews, VolumesAreTheOwnersToSeeForTheyTellOfEverybody) {
  for (const route where : {route::admin_overview, route::admin_storage}) {
    EXPECT_TRUE(has(view(1, where),
                    "\"volumes\":[{\"role\":\"blobs\",\"path_class\":\"ssd\",\"bytes_total\":5000000,"
                    "\"bytes_used\":1234,"));
    EXPECT_TRUE(has(view(2, where), "\"volumes\":[]"));
  }
}

TEST_F(AdminViews, DevicesAreTheAccountsOwnWithTheirHistory) {
  seen_->note(id_of<device_id>(2), {5'000'000, wire::sighting_kind::heartbeat, "192.0.2.9", {}});
  const std::string theirs = view(2, route::admin_devices);
  EXPECT_TRUE(has(theirs, id_of<device_id>(2).hex()));
  EXPECT_FALSE(has(theirs, id_of<device_id>(1).hex()));
  EXPECT_TRUE(
      has(theirs, "{\"ts\":5000000,\"event\":\"heartbeat\",\"address\":\"192.0.2.9\",\"country\":null}"));
  EXPECT_FALSE(has(view(1, route::admin_devices), "192.0.2.9"));
}

TEST_F(AdminViews, StorageShowsCollectorAndScrubberIdleWithNoLastRun) {
  const std::string text = view(1, route::admin_storage);
  EXPECT_TRUE(has(text, "\"watermark\":{\"spec\":\"1%,100\"}"));
  EXPECT_TRUE(has(text, "\"gc\":{\"state\":\"idle\",\"last\":null}"));
  EXPECT_TRUE(text.ends_with("\"quarantine\":[]}"));
}

TEST_F(AdminViews, WithoutAnAccountThereIsNothingToSee) {
  const reply answer =
      answer_admin_view(facts_, *reader_, space_, {std::nullopt, true, true}, route::admin_overview);
  const std::string text = std::get<text_body>(answer.body).text;
  EXPECT_TRUE(has(text, "{\"account\":null,"));
  EXPECT_TRUE(has(text, "\"session\":{\"recovery\":true}"));
}

}  // namespace
}  // namespace obsync::actors
