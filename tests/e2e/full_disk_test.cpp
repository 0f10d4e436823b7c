// Volumes without room: what was acknowledged stays, what is refused says so, and it goes on by itself.
#include <gtest/gtest.h>

#include "tests/e2e/browser.hpp"
#include "tests/e2e/conformance_world.hpp"
#include "tests/support/small_volume.hpp"

namespace obsync::test {
namespace {

std::string target_of(const made_note& note) {
  return "/v1/files/" + note.file.hex() + "/versions";
}

// A version with no chunks whose manifest takes that many bytes.
made_note version_of(seeded_random& random, std::size_t manifest_bytes) {
  made_note out = make_note(random, 1);
  out.post.sids.clear();
  out.post.bytes = 0;
  out.post.manifest_ct.resize(manifest_bytes);
  random.fill(out.post.manifest_ct);
  out.post.id = wire::identify_version(out.file, {}, out.post.manifest_ct, {});
  return out;
}

TEST(FullJournal, RefusesVersionsButAnswersStoredOnesAndStillRevokesAndLetsIn) {
  conformance_world world({"--store.journal_capacity=20MiB"});
  ASSERT_TRUE(world.ok());
  std::vector<made_note> stored;
  raw_answer last;
  do {
    stored.push_back(version_of(world.random, 600'000));
    last = world.ask("POST", target_of(stored.back()), post_with(stored.back()));
  } while (last.status == 201 && stored.size() < 20);
  EXPECT_EQ(last.status, 507);
  EXPECT_EQ(last.code(), "journal_full");
  const made_note refused = stored.back();
  stored.pop_back();
  ASSERT_FALSE(stored.empty());
  for (const made_note& one : stored)
    EXPECT_EQ(world.ask("POST", target_of(one), post_with(one)).status, 200) << "it is stored already";

  // Nothing that lets in or shuts out is held up, nor a chunk.
  const made_note chunk = make_note(world.random, 2'000);
  EXPECT_EQ(world.ask("PUT", "/v1/chunks/" + chunk.sid.hex(), std::string(as_text(chunk.sealed))).status,
            201);
  const client::credential another = world.pair();
  EXPECT_EQ(world.ask(another, "GET", "/v1/account").status, 200);
  EXPECT_EQ(world.ask("POST", "/v1/devices/" + world.phone.device.hex() + "/revoke").status, 204);
  browser owner(world.server());
  EXPECT_EQ(owner.get("/login?token=" + world.server().setup_token()).status, 302);
  EXPECT_EQ(owner.get("/v1/admin/overview").status, 200);
  EXPECT_EQ(world.unsigned_ask("GET", "/readyz").status, 200);
  EXPECT_EQ(world.ask("GET", "/v1/files/" + refused.file.hex()).code(), "unknown_file");
  EXPECT_NE(world.server().log().find("event=journal_room decision=journal_full"), std::string::npos);
}

class ReallyFull : public testing::Test {
 protected:
  void start() {
    ASSERT_TRUE(server_.start());
    device_ = std::make_unique<raw_device>(server_, "family");
    ASSERT_TRUE(device_->ok());
  }

  raw_answer put(const made_note& note) {
    return ask(server_, device_->who(), "PUT", "/v1/chunks/" + note.sid.hex(),
               std::string(as_text(note.sealed)));
  }
  raw_answer post(const made_note& note) {
    return ask(server_, device_->who(), "POST", target_of(note), post_with(note));
  }
  // Stores notes of mixed sizes until one is refused; that one's answers.
  std::vector<raw_answer> store_some(int count) {
    for (int i = 0; i < count; ++i) {
      const made_note note = make_note(random_, i % 4 == 3 ? 100'000 : 3'000);
      std::vector<raw_answer> said{put(note)};
      if (said[0].status == 201) said.push_back(post(note));
      if (said.back().status != 201) return said;
      stored_.push_back(note);
    }
    return {};
  }
  void expect_all_there() {
    for (const made_note& note : stored_) {
      EXPECT_TRUE(device_->server().version(note.file, note.post.id).ok());
      if (note.post.sids.empty()) continue;
      const auto chunk = device_->server().get_chunk(note.sid);
      ASSERT_TRUE(chunk.ok()) << chunk.error().detail;
      EXPECT_EQ(*chunk, note.sealed);
    }
  }
  // Killed as it is, and read back.
  void expect_all_there_after_a_crash() {
    server_.kill();
    ASSERT_TRUE(server_.start());
    expect_all_there();
  }

  scratch_folder scratch_;
  seeded_random random_{11};
  server_process server_{scratch_.path(), {"--store.free_watermark=0%,0"}};
  std::unique_ptr<raw_device> device_;
  std::vector<made_note> stored_;
};

TEST_F(ReallyFull, ABlobsVolumeRefusesChunksAloneAndGoesOnWhenThereIsRoom) {
  const small_volume volume(scratch_ / "blobs", 6 << 20);
  if (!volume.ok()) GTEST_SKIP() << "only root can mount a volume that is really full";
  start();
  ASSERT_TRUE(store_some(8).empty());
  {
    const ballast weight(scratch_ / "blobs/ballast");
    const made_note small = make_note(random_, 60'000), large = make_note(random_, 100'000);
    EXPECT_EQ(put(small).status, 507);
    EXPECT_EQ(put(large).status, 507);
    EXPECT_EQ(put(stored_.front()).status, 200) << "it is stored already";
    const made_note bare = version_of(random_, 1'000);
    EXPECT_EQ(post(bare).status, 201) << "the journal has room";
    EXPECT_EQ(device_->server().missing({small.sid, large.sid})->size(), 2u);
    expect_all_there();
  }
  EXPECT_TRUE(store_some(8).empty());
  EXPECT_EQ(ask_unsigned(server_, "GET", "/readyz").status, 200);
  expect_all_there_after_a_crash();
}

TEST_F(ReallyFull, AJournalLosesNothingAndGoesOnWhenThereIsRoom) {
  const small_volume volume(scratch_ / "journal", 4 << 20);
  if (!volume.ok()) GTEST_SKIP() << "only root can mount a volume that is really full";
  start();
  ASSERT_TRUE(store_some(8).empty());
  {
    const ballast weight(scratch_ / "journal/ballast");
    raw_answer said;
    for (int i = 0; i < 100 && said.status != 507; ++i) {
      const made_note note = version_of(random_, 100'000);
      said = post(note);
      if (said.status == 201) stored_.push_back(note);
    }
    EXPECT_EQ(said.status, 507) << said.body;
    expect_all_there();
  }
  EXPECT_TRUE(store_some(8).empty());
  EXPECT_TRUE(eventually([&] { return ask_unsigned(server_, "GET", "/readyz").status == 200; }));
  expect_all_there_after_a_crash();
}

// Every write, sync and rename of a filling volume finds its end somewhere.
TEST_F(ReallyFull, FillingVolumesToTheLastByteLosesNothingAcknowledged) {
  const small_volume blobs(scratch_ / "blobs", 5 << 20), journal(scratch_ / "journal", 5 << 20);
  if (!blobs.ok() || !journal.ok()) GTEST_SKIP() << "only root can mount a volume that is really full";
  start();
  ballast later_blobs(scratch_ / "blobs/ballast", 500'000),
      later_journal(scratch_ / "journal/ballast", 500'000);
  const auto refused = store_some(500);
  ASSERT_FALSE(refused.empty());
  EXPECT_EQ(refused.back().status, 507) << refused.back().body;
  for (int i = 0; i < 20; ++i) store_some(50);
  EXPECT_EQ(ask_unsigned(server_, "GET", "/livez").status, 200);
  expect_all_there();

  server_.kill();
  ASSERT_TRUE(server_.launch()) << "a full volume keeps it from starting";
  EXPECT_EQ(ask_unsigned(server_, "GET", "/readyz").code(), "not_ready");
  later_blobs.lift();
  later_journal.lift();
  EXPECT_TRUE(eventually([&] { return ask_unsigned(server_, "GET", "/readyz").status == 200; }));
  expect_all_there();
  EXPECT_TRUE(store_some(8).empty());
  expect_all_there();
}

}  // namespace
}  // namespace obsync::test
