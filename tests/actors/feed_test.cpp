#include "actors/feed.hpp"

#include "tests/actors/actor_world.hpp"

namespace obsync::actors {
namespace {

class Feed : public actor_world {
 protected:
  Feed() {
    feed_ = keep(spawn_feed(*system_));
    waiter_ = keep(system_->spawn([this](caf::event_based_actor*) -> caf::behavior {
      return {[this](const account_advanced& news) { heard_.push_back(news.head); }};
    }));
  }

  template <class Message>
  void tell(Message message) {
    caf::anon_send(feed_, std::move(message));
    run();
  }

  account_id family_{{1}};
  account_id strangers_{{2}};
  caf::actor feed_, waiter_;
  std::vector<sequence> heard_;
};

TEST_F(Feed, WakesWhoWaitsOnceAndOnlyForItsAccount) {
  tell(await_account{family_, 0, waiter_});
  tell(account_advanced{strangers_, 9});
  EXPECT_TRUE(heard_.empty());
  tell(account_advanced{family_, 1});
  tell(account_advanced{family_, 2});
  EXPECT_EQ(heard_, std::vector<sequence>{1});
}

TEST_F(Feed, ACommitBetweenLookingAndWaitingIsNotMissed) {
  tell(account_advanced{family_, 3});
  tell(await_account{family_, 2, waiter_});
  EXPECT_EQ(heard_, std::vector<sequence>{3});
  tell(await_account{family_, 3, waiter_});
  EXPECT_EQ(heard_.size(), 1u);
}

}  // namespace
}  // namespace obsync::actors
