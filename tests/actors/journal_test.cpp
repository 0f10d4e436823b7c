#include "actors/journal.hpp"

#include <deque>

#include "tests/actors/actor_world.hpp"
#include "tests/support/sim_disk.hpp"

namespace obsync::actors {
namespace {

// A catalog that says what it is told to, and counts what it is asked.
class scripted_catalog final : public store::catalog_writer {
 public:
  result<std::vector<store::commit_outcome>> commit(std::span<const store::operation> batch) override {
    batches.push_back(batch.size());
    if (const auto* post = std::get_if<store::post_version>(&batch.front())) no_room = post->no_room;
    if (before_return) before_return();
    if (!failures.empty()) {
      const std::optional<error> failure = failures.front();
      failures.pop_front();
      if (failure) return *failure;
    }
    std::vector<store::commit_outcome> outcomes;
    for (const store::operation& op : batch) {
      const auto* post = std::get_if<store::post_version>(&op);
      if (post == nullptr) {
        outcomes.emplace_back(store::committed{});
      } else if (post->post.bytes < 0) {
        outcomes.emplace_back(wire::failure{wire::refusal::missing_chunks, "scripted"});
      } else {
        store::posted done;
        done.created = true;
        done.answer.seq = ++seq;
        outcomes.emplace_back(store::committed{done});
      }
    }
    return outcomes;
  }
  std::uint64_t flush_count() const override { return batches.size(); }

  std::vector<std::size_t> batches;
  std::deque<std::optional<error>> failures;
  std::function<void()> before_return;
  std::optional<wire::refusal> no_room;  // as the last batch's first post says
  sequence seq = 0;
};

class Journal : public actor_world {
 protected:
  void start(journal_limits limits = {}) {
    feed_ = keep(system_->spawn([this](caf::event_based_actor*) -> caf::behavior {
      return {[this](const account_advanced& news) { heard_.push_back(news.head); }};
    }));
    journal_ =
        keep(spawn_journal(*system_, placement::pool, limits, {catalog_, heads_, state_, feed_, space_}));
    asker_ =
        keep(system_->spawn([](caf::event_based_actor* self) -> caf::behavior { return {[self](tick) {}}; }));
  }

  // Sends a request and notes its reply when it comes.
  void ask(std::vector<store::operation> operations) {
    const std::size_t number = replies_.size();
    replies_.emplace_back();
    keep(system_->spawn([this, number, operations](caf::event_based_actor* self) {
      auto wish = std::make_shared<commit_request>();
      wish->operations = operations;
      self->request(journal_, caf::infinite, std::move(wish))
          .then([this, number](const commit_reply_ptr& reply) { replies_[number] = reply; },
                [this, number](const caf::error&) { ++errors_; });
    }));
  }

  store::operation post(std::int64_t bytes = 1) {
    store::post_version op;
    op.post.bytes = bytes;
    return op;
  }

  std::shared_ptr<scripted_catalog> catalog_ = std::make_shared<scripted_catalog>();
  std::shared_ptr<account_heads> heads_ = std::make_shared<account_heads>();
  std::shared_ptr<const store::journal_room> space_ = {};
  std::shared_ptr<health> state_ = [] {
    auto made = std::make_shared<health>();
    made->set_started();
    return made;
  }();
  caf::actor feed_, journal_, asker_;
  std::vector<sequence> heard_;
  std::vector<commit_reply_ptr> replies_;
  int errors_ = 0;
};

TEST_F(Journal, SharesOneCommitAmongAllThatWait) {
  start();
  for (int i = 0; i < 5; ++i) ask({post()});
  run();
  EXPECT_EQ(catalog_->batches, std::vector<std::size_t>{5});
  for (const auto& reply : replies_) {
    ASSERT_TRUE(reply);
    EXPECT_TRUE(reply->outcomes.front().ok());
  }
}

TEST_F(Journal, NeverTakesMoreThanItsGroupInOneCommit) {
  journal_limits limits;
  limits.group_requests_max = 2;
  start(limits);
  for (int i = 0; i < 5; ++i) ask({post()});
  run();
  EXPECT_EQ(catalog_->batches, (std::vector<std::size_t>{2, 2, 1}));
}

TEST_F(Journal, TakesOneRequestThatIsLargerThanTheGroup) {
  journal_limits limits;
  limits.group_bytes_max = 10;
  start(limits);
  for (int i = 0; i < 3; ++i) {
    store::post_version op;
    op.post.manifest_ct.resize(100);
    ask({op});
  }
  run();
  EXPECT_EQ(catalog_->batches, (std::vector<std::size_t>{1, 1, 1}));
}

TEST_F(Journal, AnswersAndTellsTheFeedOnlyAfterTheCommit) {
  start();
  catalog_->before_return = [this] {
    EXPECT_FALSE(replies_[0]);
    EXPECT_TRUE(heard_.empty());
    EXPECT_EQ(heads_->of({})->load(), 0);
  };
  ask({post()});
  run();
  ASSERT_TRUE(replies_[0]);
  EXPECT_EQ(heard_, std::vector<sequence>{1});
  EXPECT_EQ(heads_->of({})->load(), 1);
}

TEST_F(Journal, ARefusedOperationLeavesItsNeighboursAlone) {
  start();
  ask({post(1)});
  ask({post(-1)});
  ask({post(1)});
  run();
  EXPECT_TRUE(replies_[0]->outcomes.front().ok());
  EXPECT_FALSE(replies_[1]->outcomes.front().ok());
  EXPECT_TRUE(replies_[2]->outcomes.front().ok());
  EXPECT_EQ(catalog_->batches.size(), 1u);
}

TEST_F(Journal, TriesEachAloneWhenTheGroupDoesNotFitTheDisk) {
  start();
  catalog_->failures = {error{errc::no_space, "full"}, std::nullopt, error{errc::no_space, "full"},
                        std::nullopt};
  for (int i = 0; i < 3; ++i) ask({post()});
  run();
  EXPECT_EQ(catalog_->batches, (std::vector<std::size_t>{3, 1, 1, 1}));
  EXPECT_TRUE(replies_[0]->outcomes.front().ok());
  EXPECT_EQ(replies_[1]->outcomes.front().error().code, wire::refusal::storage_full);
  EXPECT_TRUE(replies_[2]->outcomes.front().ok());
  EXPECT_FALSE(state_->reason().has_value()) << "a full disk is no fault";
}

TEST_F(Journal, AsksForRoomBeforeEachGroupThatHoldsAVersion) {
  test::sim_disk volume(1, {1000, 400});
  ASSERT_TRUE(volume.make_folder("/j").ok());
  space_ = std::make_shared<const store::journal_room>(
      volume, store::volume{"journal", "ssd", "/j", {}, store::watermark{0, 100}});
  start();
  const std::uint64_t before = volume.operations();
  ask({store::delete_all_pending{}});
  run();
  EXPECT_EQ(volume.operations(), before) << "nothing that grows";
  store::post_version large;
  large.post.manifest_ct.resize(301);
  ask({large});
  run();
  EXPECT_EQ(catalog_->no_room, wire::refusal::journal_full);
  ask({post()});
  run();
  EXPECT_EQ(catalog_->no_room, std::nullopt) << "a small one fits, and the journal goes on";
}

TEST_F(Journal, StaysFaultedAfterAFailedCommitAndNeverTriesAgain) {
  start();
  catalog_->failures = {error{errc::io_failed, "EIO"}};
  ask({post()});
  run();
  ask({post()});
  run();
  EXPECT_EQ(catalog_->batches.size(), 1u);
  EXPECT_EQ(replies_[0]->outcomes.front().error().code, wire::refusal::io_error);
  EXPECT_EQ(replies_[1]->outcomes.front().error().code, wire::refusal::journal_faulted);
  EXPECT_TRUE(state_->reason().has_value());
}

TEST_F(Journal, RefusesPastItsQueueAsOverloaded) {
  journal_limits limits;
  limits.queue_requests_max = 1;
  start(limits);
  // Both stand in the mailbox before the flush the first one asks for.
  ask({post()});
  ask({post()});
  run();
  int overloaded = 0;
  for (const auto& reply : replies_)
    if (!reply->outcomes.front().ok() && reply->outcomes.front().error().code == wire::refusal::overloaded)
      ++overloaded;
  EXPECT_EQ(overloaded, 1);
}

TEST_F(Journal, AnswersWhatWaitsWhenItDies) {
  journal_limits limits;
  limits.group_requests_max = 1;
  start(limits);
  for (int i = 0; i < 3; ++i) ask({post()});
  // Dies while the first is being committed and two wait.
  catalog_->before_return = [this] { caf::anon_send_exit(journal_, caf::exit_reason::kill); };
  run();
  for (const auto& reply : replies_) EXPECT_TRUE(reply) << "a requester was left waiting";
  EXPECT_EQ(errors_, 0);
}

}  // namespace
}  // namespace obsync::actors
