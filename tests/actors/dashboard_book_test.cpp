#include "actors/dashboard_book.hpp"

#include <gtest/gtest.h>

#include "tests/support/catalog_fixture.hpp"

namespace obsync::actors {
namespace {

using test::id_of;

constexpr std::int64_t start_s = 1'757'200'000;

class DashboardBook : public testing::Test {
 protected:
  dashboard_visitor visitor(std::uint64_t account, std::uint64_t device = 1) const {
    return {id_of<account_id>(account), id_of<device_id>(device), false};
  }

  seeded_random random_{4};
  dashboard_book book_{{3, 2, 43'200, 3'600, 300}, random_};
};

TEST_F(DashboardBook, AnOpenedSessionIsFoundByItsTokenAndByNoOther) {
  const auto tokens = book_.open(visitor(1), start_s);
  ASSERT_NE(book_.find(tokens.session.hex(), start_s), nullptr);
  EXPECT_EQ(book_.find(tokens.csrf.hex(), start_s), nullptr);
  EXPECT_EQ(book_.find("", start_s), nullptr);
  EXPECT_EQ(book_.find(std::string(64, '0'), start_s), nullptr);
  EXPECT_EQ(book_.find(tokens.session.hex() + "0", start_s), nullptr);
}

TEST_F(DashboardBook, ASessionIdlesOutAfterAnHourWithoutUse) {
  const std::string token = book_.open(visitor(1), start_s).session.hex();
  ASSERT_NE(book_.find(token, start_s + 3'599), nullptr);
  book_.find(token, start_s + 3'599)->used_s = start_s + 3'599;
  EXPECT_NE(book_.find(token, start_s + 7'198), nullptr);
  EXPECT_EQ(book_.find(token, start_s + 7'199), nullptr);
}

TEST_F(DashboardBook, ASessionEndsAfterTwelveHoursHoweverBusy) {
  const std::string token = book_.open(visitor(1), start_s).session.hex();
  for (std::int64_t at = start_s; at < start_s + 43'200; at += 1'800) {
    ASSERT_NE(book_.find(token, at), nullptr);
    book_.find(token, at)->used_s = at;
  }
  EXPECT_NE(book_.find(token, start_s + 43'199), nullptr);
  EXPECT_EQ(book_.find(token, start_s + 43'200), nullptr);
}

TEST_F(DashboardBook, ALinkWorksOnceWithinFiveMinutes) {
  const auto link = book_.make_link(id_of<account_id>(1), id_of<device_id>(7), start_s);
  const auto who = book_.spend_link(link.hex(), start_s + 299);
  ASSERT_TRUE(who);
  EXPECT_EQ(who->account, id_of<account_id>(1));
  EXPECT_EQ(who->device, id_of<device_id>(7));
  EXPECT_FALSE(who->recovery);
  EXPECT_FALSE(book_.spend_link(link.hex(), start_s + 299));
  const auto late = book_.make_link(id_of<account_id>(1), id_of<device_id>(7), start_s);
  EXPECT_FALSE(book_.spend_link(late.hex(), start_s + 300));
}

TEST_F(DashboardBook, TooManyLinksDropTheAccountsOldestAndNobodyElses) {
  const auto others = book_.make_link(id_of<account_id>(2), id_of<device_id>(2), start_s);
  const auto first = book_.make_link(id_of<account_id>(1), id_of<device_id>(1), start_s);
  const auto second = book_.make_link(id_of<account_id>(1), id_of<device_id>(1), start_s);
  const auto third = book_.make_link(id_of<account_id>(1), id_of<device_id>(1), start_s);
  EXPECT_EQ(book_.link_count(), 3u);
  EXPECT_FALSE(book_.spend_link(first.hex(), start_s));
  EXPECT_TRUE(book_.spend_link(second.hex(), start_s));
  EXPECT_TRUE(book_.spend_link(third.hex(), start_s));
  EXPECT_TRUE(book_.spend_link(others.hex(), start_s));
}

TEST_F(DashboardBook, TooManySessionsCloseTheOneLongestUnused) {
  const auto first = book_.open(visitor(1), start_s).session.hex();
  const auto second = book_.open(visitor(1), start_s + 1).session.hex();
  const auto third = book_.open(visitor(1), start_s + 2).session.hex();
  book_.find(first, start_s + 3)->used_s = start_s + 3;
  book_.open(visitor(1), start_s + 4);
  EXPECT_EQ(book_.session_count(), 3u);
  EXPECT_NE(book_.find(first, start_s + 4), nullptr);
  EXPECT_EQ(book_.find(second, start_s + 4), nullptr);
  EXPECT_NE(book_.find(third, start_s + 4), nullptr);
}

TEST_F(DashboardBook, EndedSessionsAndLinksLeaveMemoryWithTheNextOne) {
  book_.open(visitor(1), start_s);
  book_.make_link(id_of<account_id>(1), id_of<device_id>(1), start_s);
  book_.open(visitor(2), start_s + 3'600);
  EXPECT_EQ(book_.session_count(), 1u);
  EXPECT_EQ(book_.link_count(), 0u);
}

TEST_F(DashboardBook, ClosingADeviceEndsItsSessionsAndLinksAndNoOthers) {
  const auto gone = book_.open(visitor(1, 7), start_s).session.hex();
  const auto stays = book_.open(visitor(1, 8), start_s).session.hex();
  const auto link = book_.make_link(id_of<account_id>(1), id_of<device_id>(7), start_s);
  EXPECT_EQ(book_.close_device(id_of<device_id>(7)), 1u);
  EXPECT_EQ(book_.find(gone, start_s), nullptr);
  EXPECT_NE(book_.find(stays, start_s), nullptr);
  EXPECT_FALSE(book_.spend_link(link.hex(), start_s));
}

TEST_F(DashboardBook, ClosingAnAccountLeavesTheOtherAccountsAlone) {
  const auto mine = book_.open(visitor(1), start_s).session.hex();
  const auto theirs = book_.open(visitor(2), start_s).session.hex();
  const auto link = book_.make_link(id_of<account_id>(2), id_of<device_id>(2), start_s);
  EXPECT_EQ(book_.close_all(id_of<account_id>(1)), 1u);
  EXPECT_EQ(book_.find(mine, start_s), nullptr);
  EXPECT_NE(book_.find(theirs, start_s), nullptr);
  EXPECT_TRUE(book_.spend_link(link.hex(), start_s));
}

TEST_F(DashboardBook, WhoCameBeforeThereWasAnAccountIsAdoptedByIt) {
  const auto early = book_.open({std::nullopt, std::nullopt, true}, start_s).session.hex();
  book_.adopt(id_of<account_id>(1));
  EXPECT_EQ(book_.find(early, start_s)->who.account, id_of<account_id>(1));
}

TEST_F(DashboardBook, CsrfNeedsHeaderAndCookieToHoldTheSessionsOwnValue) {
  const auto tokens = book_.open(visitor(1), start_s);
  const auto other = book_.open(visitor(1), start_s);
  const auto& session = *book_.find(tokens.session.hex(), start_s);
  const std::string right = tokens.csrf.hex();
  const std::string foreign = other.csrf.hex();
  EXPECT_TRUE(dashboard_book::csrf_fits(session, right, right));
  EXPECT_FALSE(dashboard_book::csrf_fits(session, right, std::nullopt));
  EXPECT_FALSE(dashboard_book::csrf_fits(session, std::nullopt, right));
  EXPECT_FALSE(dashboard_book::csrf_fits(session, right, foreign));
  EXPECT_FALSE(dashboard_book::csrf_fits(session, foreign, right));
  EXPECT_FALSE(dashboard_book::csrf_fits(session, foreign, foreign)) << "equal to each other is not enough";
  EXPECT_FALSE(dashboard_book::csrf_fits(session, "", ""));
}

}  // namespace
}  // namespace obsync::actors
