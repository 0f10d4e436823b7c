// The loop with a scripted vault and server, and the kernel's real events. Threads meet at conditions with a
// deadline; nothing sleeps for a fixed time.
#include "client/watch/watch_loop.hpp"

#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <fstream>
#include <thread>

#include "client/remote/sleeper.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::client {
namespace {

using namespace std::chrono_literals;

// Everything the three fakes do, in one place to wait for.
struct scene {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<round_scope> rounds;
  std::vector<std::string> said;
  std::vector<std::string> states;
  std::deque<round_report> reports;  // for coming rounds; then up to date
  int heartbeats = 0;
  int polls = 0;
  bool news = false;
  std::optional<remote_error> poll_error;
  bool stopped = false;

  template <class Condition>
  bool wait(Condition condition) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, 20s, condition);
  }
};

class fake_vault final : public vault_sync {
 public:
  explicit fake_vault(scene& on) : on_(on) {}
  round_report round(const round_scope& scope, progress_sink&) override {
    const std::lock_guard lock(on_.mutex);
    on_.rounds.push_back(scope);
    on_.changed.notify_all();
    round_report report;
    report.up_to_date = true;
    if (!on_.reports.empty()) {
      report = on_.reports.front();
      on_.reports.pop_front();
    }
    return report;
  }
  sequence cursor() const override { return 5; }
  sync_status status() override { return {5, 3, 1}; }
  void stop() override {}

 private:
  scene& on_;
};

class fake_remote final : public remote {
 public:
  explicit fake_remote(scene& on) : on_(on) {}
  remote_result<wire::change_page> changes(sequence since, std::int64_t, std::int64_t) override {
    std::unique_lock lock(on_.mutex);
    ++on_.polls;
    on_.changed.notify_all();
    on_.changed.wait(lock, [&] { return on_.stopped || on_.news || on_.poll_error; });
    if (on_.stopped) return remote_error{remote_error::kind::stopped};
    if (on_.poll_error) return *std::exchange(on_.poll_error, std::nullopt);
    on_.news = false;
    wire::change_page page;
    page.seq = since + 1;
    page.changes.emplace_back();
    return page;
  }
  remote_result<void> heartbeat(const wire::heartbeat_request&) override {
    const std::lock_guard lock(on_.mutex);
    ++on_.heartbeats;
    on_.changed.notify_all();
    return {};
  }
  remote_result<wire::account_info> account() override { return unused(); }
  remote_result<wire::file_record> file(const file_id&) override { return unused(); }
  remote_result<wire::version_record> version(const file_id&, const version_id&) override { return unused(); }
  remote_result<std::vector<chunk_sid>> missing(const std::vector<chunk_sid>&) override { return unused(); }
  remote_result<void> put_chunk(const chunk_sid&, byte_view) override { return unused(); }
  remote_result<bytes> get_chunk(const chunk_sid&) override { return unused(); }
  remote_result<fetched_chunks> get_chunks(const std::vector<chunk_sid>&) override { return unused(); }
  remote_result<wire::version_answer> post_version(const file_id&, const wire::version_post&) override {
    return unused();
  }
  std::optional<epoch_id> epoch() override { return {}; }
  std::optional<wire::batch_limits> batch_limits() override { return {}; }
  remote_result<wire::batch_answer> batch(const wire::batch_request&) override {
    return wire::batch_answer{};
  }
  remote_result<wire::device_list> devices() override { return unused(); }
  std::uint64_t bytes_sent() const override { return 0; }
  std::uint64_t bytes_received() const override { return 0; }

 private:
  static remote_error unused() { return {remote_error::kind::malformed}; }
  scene& on_;
};

class quiet_progress final : public progress_sink {
 public:
  void planned(std::uint64_t, std::uint64_t) override {}
  void moved(std::uint64_t) override {}
  void finished_file(const std::string&) override {}
  void note(const std::string&) override {}
};

class listening_audience final : public watch_audience {
 public:
  explicit listening_audience(scene& on) : on_(on) {}
  void say(const std::string& line) override {
    const std::lock_guard lock(on_.mutex);
    on_.said.push_back(line);
    on_.changed.notify_all();
  }
  void status(const watch_status& now) override {
    const std::lock_guard lock(on_.mutex);
    on_.states.push_back(now.state);
    on_.changed.notify_all();
  }

 private:
  scene& on_;
};

class WatchLoopTest : public ::testing::Test {
 protected:
  WatchLoopTest() { std::filesystem::create_directory(root / "vault"); }
  ~WatchLoopTest() override { finish(); }

  void start() {
    watch_options options;
    options.folder = root / "vault";
    options.settle = {5, 100, 60'000};
    options.root_retry_ms = 10;
    options.retry_ms_first = 10;
    options.retry_ms_max = 20;
    loop.emplace(options, vault, server, pauses, random, progress, audience);
    thread = std::thread([this] { ended = loop->run(); });
  }

  void finish() {
    if (!thread.joinable()) return;
    {
      const std::lock_guard lock(on.mutex);
      on.stopped = true;
      on.changed.notify_all();
    }
    loop->stop();
    thread.join();
  }

  bool round_count_reaches(std::size_t count) {
    return on.wait([&] { return on.rounds.size() >= count; });
  }
  bool state_becomes(const std::string& state) {
    return on.wait([&] { return !on.states.empty() && on.states.back() == state; });
  }
  int times_said(const std::string& part) {
    const std::lock_guard lock(on.mutex);
    return static_cast<int>(std::count_if(on.said.begin(), on.said.end(), [&](const std::string& line) {
      return line.find(part) != std::string::npos;
    }));
  }

  test::scratch_folder root;
  scene on;
  fake_vault vault{on};
  fake_remote server{on};
  real_sleeper pauses;
  seeded_random random{3};
  quiet_progress progress;
  listening_audience audience{on};
  std::optional<watch_loop> loop;
  std::optional<remote_error> ended;
  std::thread thread;
};

TEST_F(WatchLoopTest, LooksAtEverythingFirstAndBeatsItsHeartOnce) {
  start();
  ASSERT_TRUE(state_becomes("up_to_date"));
  finish();
  ASSERT_EQ(on.rounds.size(), 1u);
  EXPECT_FALSE(on.rounds[0].changed);
  EXPECT_EQ(on.heartbeats, 1);
  EXPECT_FALSE(ended);
  EXPECT_EQ(on.states.back(), "stopped");
}

TEST_F(WatchLoopTest, ALocalChangeBecomesARoundOfItsPath) {
  start();
  ASSERT_TRUE(state_becomes("up_to_date"));
  std::ofstream(root / "vault/a.md") << "text";
  ASSERT_TRUE(round_count_reaches(2));
  finish();
  EXPECT_EQ(on.rounds[1].changed, std::set<std::string>{"a.md"});
}

TEST_F(WatchLoopTest, NewsBecomeOneRoundWithoutPaths) {
  start();
  ASSERT_TRUE(state_becomes("up_to_date"));
  {
    const std::lock_guard lock(on.mutex);
    on.news = true;
    on.changed.notify_all();
  }
  ASSERT_TRUE(round_count_reaches(2));
  ASSERT_TRUE(on.wait([&] { return on.polls == 2; }));
  finish();
  EXPECT_EQ(on.rounds.size(), 2u);
  EXPECT_EQ(on.rounds[1].changed, std::set<std::string>{});
}

TEST_F(WatchLoopTest, ComesBackToTroublesUntilTheyAreGone) {
  round_report trouble;
  trouble.troubles = {{"a.md", "volume_full", "the server's volume is full"}};
  on.reports = {trouble, trouble};
  start();
  ASSERT_TRUE(round_count_reaches(3));
  ASSERT_TRUE(state_becomes("up_to_date"));
  finish();
  EXPECT_EQ(std::count(on.states.begin(), on.states.end(), "waiting"), 2);
}

TEST_F(WatchLoopTest, SaysOfflineAndOnlineOnceAndRestsInBetween) {
  start();
  ASSERT_TRUE(state_becomes("up_to_date"));
  loop->link_changed(false, "no route");
  ASSERT_TRUE(state_becomes("offline"));
  std::ofstream(root / "vault/a.md") << "text";
  loop->link_changed(false, "no route");
  loop->link_changed(true, "");
  ASSERT_TRUE(round_count_reaches(2));
  finish();
  EXPECT_FALSE(on.rounds[1].changed);
  EXPECT_EQ(times_said("offline"), 1);
  EXPECT_EQ(times_said("online again"), 1);
}

TEST_F(WatchLoopTest, SaysOnceThatTheFolderIsGoneAndStartsOverWhenItIsBack) {
  start();
  ASSERT_TRUE(state_becomes("up_to_date"));
  std::filesystem::rename(root / "vault", root / "away");
  ASSERT_TRUE(state_becomes("root_missing"));
  std::filesystem::rename(root / "away", root / "vault");
  ASSERT_TRUE(on.wait([&] { return on.said.size() == 2; }));
  finish();
  EXPECT_EQ(times_said("nothing is sent or written"), 1);
  EXPECT_EQ(times_said("the folder is back"), 1);
  EXPECT_FALSE(on.rounds.back().changed);
}

TEST_F(WatchLoopTest, EndsWithTheReasonWhenTheDeviceIsRevoked) {
  start();
  ASSERT_TRUE(state_becomes("up_to_date"));
  {
    const std::lock_guard lock(on.mutex);
    on.poll_error = remote_error{remote_error::kind::refused, wire::refusal::device_revoked};
    on.changed.notify_all();
  }
  thread.join();
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->refusal, wire::refusal::device_revoked);
}

}  // namespace
}  // namespace obsync::client
