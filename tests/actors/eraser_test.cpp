#include "actors/eraser.hpp"

#include "tests/actors/actor_world.hpp"

namespace obsync::actors {
namespace {

using wire::refusal;

// An eraser among actors that take notes of what they are asked, in order.
class Eraser : public actor_world {
 protected:
  void start(std::int64_t delete_after_ms) {
    account_.id.raw.fill(7);
    account_.delete_after_ms = delete_after_ms;
    const caf::actor stub = keep(system_->spawn([this](caf::event_based_actor*) -> caf::behavior {
      return {[this](census_lookup) {
                census found;
                if (!forgotten_) found.accounts.push_back(account_);
                return std::make_shared<const census>(found);
              },
              [this](const commit_request_ptr& wish) {
                auto reply = std::make_shared<commit_reply>();
                reply->outcomes.push_back(committed(wish->operations.front()));
                return reply;
              },
              [this](const erase_small_chunks&) {
                note("small");
                return erased{small_works_, ++small_steps_ == 2};
              },
              [this](const erase_blob_folder& step) {
                note("blobs");
                last_folder_ = step.folder;
                return erased{true, true};
              },
              [this](const account_erased&) { note("told"); }};
    }));
    eraser_deps deps;
    deps.time = time_;
    deps.space = std::make_shared<store::room>(*files_, "/", std::nullopt, store::watermark{0, 0});
    deps.space->set_used(account_.id, 100);
    space_ = deps.space;
    deps.readers = deps.blob_writers = std::make_shared<worker_pool>(std::vector{stub});
    deps.journal = deps.small_writer = deps.front = deps.setup = stub;
    keep(spawn_eraser(*system_, {}, std::move(deps)));
    run();
  }

  store::commit_outcome committed(const store::operation& asked) {
    if (std::holds_alternative<store::forget_account>(asked)) {
      note("account");
      forgotten_ = true;
      return store::committed{};
    }
    note("rows");
    return store::committed{store::erasure_step{++row_steps_ == 2}};
  }

  // Each step rests before the next.
  void take_steps(int count) {
    for (int i = 0; i < count; ++i) advance(std::chrono::milliseconds(20));
  }

  // Runs of equal steps are one word.
  void note(const std::string& what) {
    if (notes_.empty() || notes_.back() != what) notes_.push_back(what);
    ++count_[what];
  }

  store::account_row account_;
  std::unique_ptr<disk> files_ = make_posix_disk();
  std::shared_ptr<store::room> space_;
  std::vector<std::string> notes_;
  std::map<std::string, int> count_;
  bool forgotten_ = false;
  bool small_works_ = true;
  int row_steps_ = 0;
  int small_steps_ = 0;
  int last_folder_ = -1;
};

TEST_F(Eraser, TakesVersionsThenChunksThenTheAccountAndTellsBeforeAndAfter) {
  start(time_->now_ms());
  take_steps(400);
  EXPECT_EQ(notes_, (std::vector<std::string>{"told", "rows", "small", "blobs", "account", "told"}));
  EXPECT_EQ(count_["rows"], 2);
  EXPECT_EQ(count_["small"], 2);
  EXPECT_EQ(count_["blobs"], 256);
  EXPECT_EQ(last_folder_, 255);
  EXPECT_EQ(space_->used(account_.id), 0);
}

TEST_F(Eraser, RestsAfterEachStep) {
  start(time_->now_ms());
  EXPECT_EQ(count_["rows"], 1);
  advance(std::chrono::milliseconds(20));
  EXPECT_EQ(count_["rows"], 2);
  EXPECT_EQ(count_["small"], 0);
}

TEST_F(Eraser, LeavesAnAccountAloneWhileItsGraceLastsAndLooksEveryHour) {
  start(time_->now_ms() + 90 * 60'000);
  advance(std::chrono::minutes(61));
  EXPECT_TRUE(notes_.empty());
  advance(std::chrono::minutes(60));
  EXPECT_EQ(count_["rows"], 1);
}

TEST_F(Eraser, TriesAgainAfterAnHourWhenAStepFails) {
  small_works_ = false;
  start(time_->now_ms());
  take_steps(10);
  EXPECT_EQ(notes_.back(), "small");
  EXPECT_EQ(count_["blobs"], 0);
  small_works_ = true;
  small_steps_ = row_steps_ = 0;
  advance(std::chrono::minutes(61));
  take_steps(400);
  EXPECT_TRUE(forgotten_);
}

}  // namespace
}  // namespace obsync::actors
