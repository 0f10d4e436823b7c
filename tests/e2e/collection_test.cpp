// Collection on the real server, while devices write.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "tests/e2e/browser.hpp"
#include "tests/e2e/raw_device.hpp"
#include "tests/support/scratch_folder.hpp"
#include "wire/upkeep.hpp"

namespace obsync::test {
namespace {

constexpr int writers = 4;
constexpr std::size_t pool_size = 24;
constexpr std::int64_t collections_min = 15;

// What the server says of the last collection that was completed.
std::optional<wire::collection_summary> last_collection(const server_process& server) {
  const finished said = server.operate({"gc", "status", "--json"});
  const auto view = wire::from_json<wire::collection_view>(said.output.substr(0, said.output.find('\n')));
  return view ? view->last : std::nullopt;
}

// Bodies that several writers send and name at the same time: small ones and large ones.
std::vector<made_note> overlapping_bodies(std::uint64_t seed) {
  seeded_random random(seed);
  std::vector<made_note> out;
  for (std::size_t i = 0; i < pool_size; ++i) out.push_back(make_note(random, i % 4 == 0 ? 100'000 : 1'000));
  return out;
}

// Sends the round's chunks, and only then names some of them, so that all lie there unnamed for a while.
// Every version that was acknowledged is kept in mind.
class overlapping_writer {
 public:
  overlapping_writer(const server_process& server, const raw_device& of, std::uint64_t seed)
      : device_(server, of.who()), random_(seed) {}

  void run(const std::atomic<bool>& over) {
    for (std::uint64_t round = 0; !over; ++round) {
      const auto bodies = overlapping_bodies(round);
      for (const made_note& one : bodies) send(one);
      for (int i = 0; i < 6; ++i) name_two(bodies);
    }
  }

  // The chunks of acknowledged versions that the server does not give back.
  int lost() {
    int out = 0;
    for (const chunk_sid& sid : named_)
      if (!device_.server().get_chunk(sid)) ++out;
    return out;
  }
  std::size_t acknowledged() const { return acknowledged_; }

 private:
  bool send(const made_note& one) { return device_.server().put_chunk(one.sid, one.sealed).ok(); }

  void name_two(const std::vector<made_note>& bodies) {
    made_note version = bodies[random_.next() % pool_size];
    const made_note& other = bodies[random_.next() % pool_size];
    version.file = random_id<file_id>(random_);
    version.post.sids = {version.sid, other.sid};
    version.post.id = wire::identify_version(version.file, {}, version.post.manifest_ct, version.post.sids);
    // What was collected before it was named is missing, and is sent again, as the protocol says.
    for (int attempt = 0; attempt < 20; ++attempt) {
      if (device_.server().post_version(version.file, version.post)) {
        ++acknowledged_;
        named_.insert(version.post.sids.begin(), version.post.sids.end());
        return;
      }
      send(version);
      send(other);
    }
  }

  raw_device device_;
  seeded_random random_;
  std::set<chunk_sid> named_;
  std::size_t acknowledged_ = 0;
};

// With no grace at all, so that every chunk is in danger from the moment it is stored. By hand for longer:
// TEST_COLLECTING_S=600.
TEST(Collection, OfNothingThatAnAcknowledgedVersionNamesWhileFourWrite) {
  const scratch_folder scratch;
  server_process server(scratch.path(), {"--gc.grace=0ms", "--session.nonces_per_device=10000000",
                                         "--session.nonces_total=10000000"});
  ASSERT_TRUE(server.start());
  const raw_device first(server, "family");
  ASSERT_TRUE(first.ok());
  const char* asked = std::getenv("TEST_COLLECTING_S");
  const auto until =
      std::chrono::steady_clock::now() + std::chrono::seconds(asked != nullptr ? std::atoi(asked) : 0);
  std::atomic<bool> over = false;

  std::vector<std::unique_ptr<overlapping_writer>> all;
  for (std::uint64_t i = 0; i < writers; ++i)
    all.push_back(std::make_unique<overlapping_writer>(server, first, i + 1));
  std::vector<std::thread> threads;
  for (const auto& one : all) threads.emplace_back([&] { one->run(over); });
  std::int64_t collected = 0, seen_ms = 0, collections = 0;
  while (collections < collections_min || std::chrono::steady_clock::now() < until) {
    ASSERT_EQ(server.operate({"gc", "run"}).status, 0);
    const auto last = last_collection(server);
    if (!last || last->ts_ms == seen_ms) continue;
    collected += last->chunks_collected;
    seen_ms = last->ts_ms;
    ++collections;
  }
  over = true;
  for (std::thread& one : threads) one.join();

  std::size_t acknowledged = 0;
  for (const auto& one : all) {
    EXPECT_EQ(one->lost(), 0);
    acknowledged += one->acknowledged();
  }
  std::cout << acknowledged << " versions acknowledged, " << collected << " chunks collected meanwhile in "
            << collections << " collections\n";
  EXPECT_GT(acknowledged, 0u);
  EXPECT_GT(collected, 0) << "or nothing was in danger";
}

TEST(Collection, TakesWhatNobodyNamedAndItsRoomWhenAskedTo) {
  const scratch_folder scratch;
  server_process server(scratch.path(), {"--gc.grace=0ms"});
  ASSERT_TRUE(server.start());
  raw_device device(server, "family");
  ASSERT_TRUE(device.ok());
  seeded_random random(1);
  const made_note kept = make_note(random, 1'000), small = make_note(random, 2'000),
                  large = make_note(random, 100'000);
  for (const made_note& one : {kept, small, large})
    ASSERT_TRUE(device.server().put_chunk(one.sid, one.sealed).ok());
  ASSERT_TRUE(device.server().post_version(kept.file, kept.post).ok());

  browser operator_(server);
  operator_.get("/login?token=" + server.setup_token());
  const raw_answer asked = operator_.post("/v1/admin/gc/run");
  EXPECT_EQ(asked.status, 202);
  EXPECT_EQ(asked.body, R"({"queued":true})");
  ASSERT_TRUE(eventually([&] { return last_collection(server).has_value(); }));
  EXPECT_EQ(last_collection(server)->chunks_collected, 2);
  EXPECT_EQ(last_collection(server)->bytes_collected, 102'000);
  EXPECT_EQ(last_collection(server)->chunks_retained, 1);
  EXPECT_EQ(device.server().account()->used_bytes, 1'000);
  EXPECT_FALSE(device.server().get_chunk(small.sid).ok());
  EXPECT_FALSE(device.server().get_chunk(large.sid).ok());
  EXPECT_EQ(*device.server().get_chunk(kept.sid), kept.sealed);
  const std::string overview = operator_.get("/v1/admin/overview").body;
  EXPECT_NE(overview.find(R"("chunks_collected":2,"bytes_collected":102000,"chunks_retained":1)"),
            std::string::npos)
      << overview;

  server.kill();
  ASSERT_TRUE(server.start());
  EXPECT_EQ(last_collection(server)->chunks_collected, 2) << "known after a restart";
  EXPECT_EQ(device.server().account()->used_bytes, 1'000);
}

}  // namespace
}  // namespace obsync::test
