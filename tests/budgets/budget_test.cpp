// What each hot route may cost, exactly, on one small store: a change that adds a flush, a statement or a
// message fails here and prints what was run. Whoever makes a route cheaper lowers its row. Heap bytes are
// those of the whole exchange, the device's signing and the simulated disk's copies with it: a bound, not a
// figure.
#include <gtest/gtest.h>

#include <functional>

#include "client/remote/enrolment.hpp"
#include "client/remote/http_remote.hpp"
#include "core/log.hpp"
#include "tests/budgets/work_counter.hpp"
#include "tests/support/counting_sleeper.hpp"
#include "tests/support/made_note.hpp"
#include "tests/support/sanitized.hpp"

namespace obsync::test {
namespace {

class Budget : public testing::Test {
 protected:
  void SetUp() override {
    log::set_level(log::level::error);
    ASSERT_TRUE(server_.start());
    client::caller open(wire_, server_.time(), random_, pauses_, {.attempts_max = 1}, {});
    const auto made =
        client::public_routes(open).setup({server_.setup_token(), "family", {"one", "linux", "1"}, {}, {}});
    ASSERT_TRUE(made.ok());
    calls_ = std::make_unique<client::caller>(wire_, server_.time(), random_, pauses_,
                                              client::retry_policy{.attempts_max = 1},
                                              client::credential{made->device, made->device_secret});
    remote_ = client::make_http_remote(*calls_);
    for (int i = 0; i < 20; ++i) store(small_ = make(2'000));
    store(large_ = make(100'000));
  }

  made_note make(std::size_t size) { return make_note(random_, size); }
  void put(const made_note& one) { EXPECT_TRUE(remote_->put_chunk(one.sid, one.sealed).ok()); }
  void post(const made_note& one) { EXPECT_TRUE(remote_->post_version(one.file, one.post).ok()); }
  void store(const made_note& one) {
    put(one);
    post(one);
  }

  // The third of three alike, each in the same second as a request before it, whose horizon covers it.
  void expect(const work& budget, const std::function<void(int)>& act) {
    for (int round = 0; round < 2; ++round) act(round);
    server_.run();
    counter_.begin(server_);
    act(2);
    server_.run();
    const work spent = counter_.end(server_);
    EXPECT_EQ(spent.flushes, budget.flushes);
    EXPECT_EQ(spent.statements, budget.statements) << counter_.statements();
    EXPECT_EQ(spent.messages, budget.messages);
    if (is_slowed_down) return;
    EXPECT_LE(spent.heap_bytes, budget.heap_bytes);
    EXPECT_GE(spent.heap_bytes, budget.heap_bytes * 3 / 4) << "cheaper than that: lower the budget";
  }

  work_counter counter_;
  sim_server server_{1};
  sim_transport wire_{server_};
  seeded_random random_{1};
  counting_sleeper pauses_;
  std::unique_ptr<client::caller> calls_;
  std::unique_ptr<client::remote> remote_;
  made_note small_, large_;
};

TEST_F(Budget, OfAskingForTheAccount) {
  expect({0, 1, 3, 4'000}, [this](int) { EXPECT_TRUE(remote_->account().ok()); });
}

TEST_F(Budget, OfASmallChunk) {
  const std::vector<made_note> fresh{make(2'000), make(2'000), make(2'000)};
  expect({1, 7, 4, 32'000}, [&](int round) { put(fresh[static_cast<std::size_t>(round)]); });
}

TEST_F(Budget, OfASmallChunkThatIsThere) {
  expect({0, 5, 4, 9'000}, [this](int) { put(small_); });
}

TEST_F(Budget, OfALargeChunk) {
  const std::vector<made_note> fresh{make(100'000), make(100'000), make(100'000)};
  expect({2, 0, 8, 868'000}, [&](int round) { put(fresh[static_cast<std::size_t>(round)]); });
}

TEST_F(Budget, OfAVersion) {
  std::vector<made_note> fresh{make(2'000), make(2'000), make(2'000)};
  for (const made_note& one : fresh) put(one);
  expect({1, 10, 6, 69'000}, [&](int round) { post(fresh[static_cast<std::size_t>(round)]); });
}

TEST_F(Budget, OfABatchOfAHundredNotes) {
  std::vector<std::vector<made_note>> fresh(3);
  for (auto& notes : fresh)
    for (int i = 0; i < 100; ++i) notes.push_back(make(500));
  expect({2, 1304, 9, 1'780'000}, [&](int round) {
    wire::batch_request request;
    for (const made_note& one : fresh[static_cast<std::size_t>(round)]) {
      request.chunks.push_back({one.sid, one.sealed});
      request.posts.push_back({one.file, one.post});
    }
    EXPECT_TRUE(remote_->batch(request).ok());
  });
}

TEST_F(Budget, OfAPageOfChanges) {
  expect({0, 4, 3, 109'000}, [this](int) { EXPECT_EQ(remote_->changes(0, 0, 20)->changes.size(), 20u); });
}

TEST_F(Budget, OfFetchingASmallChunk) {
  expect({0, 1, 3, 8'000}, [this](int) { EXPECT_EQ(*remote_->get_chunk(small_.sid), small_.sealed); });
}

TEST_F(Budget, OfFetchingALargeChunk) {
  expect({0, 1, 3, 105'000}, [this](int) { EXPECT_EQ(*remote_->get_chunk(large_.sid), large_.sealed); });
}

TEST_F(Budget, OfAskingWhichOfAHundredChunksAreMissing) {
  std::vector<chunk_sid> asked;
  for (int i = 0; i < 100; ++i) asked.push_back(make(10).sid);
  expect({0, 100, 3, 93'000}, [&](int) { EXPECT_EQ(remote_->missing(asked)->size(), 100u); });
}

}  // namespace
}  // namespace obsync::test
