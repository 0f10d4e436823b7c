// Bytes that rot on the real server's disks.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>

#include "tests/e2e/browser.hpp"
#include "tests/e2e/device.hpp"
#include "tests/e2e/raw_device.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/small_volume.hpp"
#include "wire/upkeep.hpp"

namespace obsync::test {
namespace {

std::optional<wire::scrub_view> scrub_of(const server_process& server) {
  const finished said = server.operate({"scrub", "status", "--json"});
  const auto view = wire::from_json<wire::scrub_view>(said.output.substr(0, said.output.find('\n')));
  if (!view) return std::nullopt;
  return *view;
}

class Scrub : public testing::Test {
 protected:
  void start(std::vector<std::string> options) {
    options.push_back("--scrub.rate=1TiB/s");
    server_ = std::make_unique<server_process>(scratch_.path(), std::move(options));
    ASSERT_TRUE(server_->start());
    device_ = std::make_unique<raw_device>(*server_, "family");
    ASSERT_TRUE(device_->ok());
    for (const made_note& one : {small_, large_}) {
      ASSERT_TRUE(device_->server().put_chunk(one.sid, one.sealed).ok());
      ASSERT_TRUE(device_->server().post_version(one.file, one.post).ok());
    }
  }

  // One byte of each changes while the server is down.
  void rot() {
    rot_and_stay_down();
    ASSERT_TRUE(server_->start());
  }
  void rot_and_stay_down() {
    ASSERT_EQ(server_->stop(), 0);
    const std::string sid = large_.sid.hex();
    const std::string folder = scratch_ / ("blobs/v1/" + sid.substr(0, 2));
    for (const auto& entry : std::filesystem::directory_iterator(folder)) rot_file(entry.path());
    rot_rows();
  }
  static void rot_file(const std::filesystem::path& path) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(1'000);
    const int old = file.get();
    file.seekp(1'000);
    file.put(static_cast<char>(old ^ 1));
  }
  void rot_rows() {
    sqlite3* on = nullptr;
    ASSERT_EQ(sqlite3_open((scratch_ / "blobs/v1/small.db").c_str(), &on), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(on, "UPDATE chunk SET body = zeroblob(length(body))", nullptr, nullptr, nullptr),
              SQLITE_OK);
    sqlite3_close(on);
  }

  finished check(std::vector<std::string> words) const {
    words.insert(words.begin(), "check");
    words.push_back("--store.blobs_dir=" + scratch_.path() + "/blobs");
    return server_->operate(words);
  }

  void scrub() {
    const auto before = scrub_of(*server_);
    ASSERT_EQ(server_->operate({"scrub", "run"}).status, 0);
    ASSERT_TRUE(eventually([&] {
      const auto now = scrub_of(*server_);
      return now && !now->running && now->last && (!before->last || now->last->ts_ms > before->last->ts_ms);
    }));
  }

  std::vector<chunk_sid> missing() { return *device_->server().missing({small_.sid, large_.sid}); }

  scratch_folder scratch_;
  seeded_random random_{3};
  made_note small_ = make_note(random_, 2'000), large_ = make_note(random_, 200'000);
  std::unique_ptr<server_process> server_;
  std::unique_ptr<raw_device> device_;
};

TEST_F(Scrub, SetsAsideWhatRottedSoThatADeviceSendsItAgain) {
  start({});
  rot();
  EXPECT_TRUE(missing().empty()) << "nobody has looked yet";
  scrub();
  EXPECT_EQ(missing(), (std::vector{small_.sid, large_.sid}));
  EXPECT_EQ(scrub_of(*server_)->last->quarantined, 2);
  EXPECT_EQ(device_->server().account()->used_bytes, 0);

  browser owner(*server_);
  owner.get("/login?token=" + server_->setup_token());
  const std::string storage = owner.get("/v1/admin/storage").body;
  EXPECT_NE(storage.find(R"("quarantine":[{"sid":")" + large_.sid.hex()), std::string::npos) << storage;

  for (const made_note& one : {small_, large_})
    EXPECT_TRUE(device_->server().put_chunk(one.sid, one.sealed).ok());
  EXPECT_TRUE(missing().empty());
  EXPECT_EQ(*device_->server().get_chunk(large_.sid), large_.sealed);
  scrub();
  EXPECT_EQ(scrub_of(*server_)->last->mismatches, 0);
}

// The real client, whose folder still has what the server's disk lost.
TEST_F(Scrub, ADeviceThatHasTheFilesSendsThemAgain) {
  server_ =
      std::make_unique<server_process>(scratch_.path(), std::vector<std::string>{"--scrub.rate=1TiB/s"});
  ASSERT_TRUE(server_->start());
  const device laptop(scratch_.path(), "laptop"), phone(scratch_.path(), "phone");
  ASSERT_EQ(laptop.init(server_->url(), server_->setup_token()).status, 0);
  laptop.pair(phone, server_->url());
  laptop.write("note.md", std::string(2'000, 'n'));
  laptop.write("large.bin", std::string(200'000, 'l'));
  laptop.sync();
  ASSERT_EQ(server_->stop(), 0);
  rot_rows();
  for (const auto& entry : std::filesystem::recursive_directory_iterator(scratch_ / "blobs/v1"))
    if (entry.is_regular_file() && entry.path().filename().string().size() > 90) rot_file(entry.path());
  ASSERT_TRUE(server_->start());
  scrub();
  const std::int64_t lost = scrub_of(*server_)->last->quarantined;
  EXPECT_GE(lost, 2);
  EXPECT_NE(phone.run({"sync", phone.root()}).status, 0) << "nobody has sent them again";

  const finished said = laptop.run({"sync", "--verify", laptop.root()});
  EXPECT_EQ(said.status, 0) << said.output;
  EXPECT_NE(said.output.find("sent again"), std::string::npos) << said.output;
  phone.sync();
  EXPECT_EQ(difference(laptop.tree(), phone.tree()), "");
  scrub();
  EXPECT_EQ(scrub_of(*server_)->last->mismatches, 0);
}

TEST_F(Scrub, AMirrorThatMustNotFailRefusesChunksAndIsNamedUntilItHasRoom) {
  const small_volume volume(scratch_ / "mirror", 4 << 20);
  if (!volume.ok()) GTEST_SKIP() << "only root can mount a volume that is really full";
  start({"--store.blobs_mirrors=" + scratch_.path() + "/mirror=usb", "--store.free_watermark=0%,0"});
  const made_note small = make_note(random_, 60'000), large = make_note(random_, 300'000);
  {
    const ballast weight(scratch_ / "mirror/ballast");
    for (const made_note& one : {small, large}) {
      const auto refused = device_->server().put_chunk(one.sid, one.sealed);
      ASSERT_FALSE(refused.ok());
      EXPECT_EQ(refused.error().refusal, wire::refusal::storage_full);
    }
    EXPECT_EQ(device_->server().missing({small.sid, large.sid})->size(), 2u);
    raw_answer said;
    EXPECT_TRUE(eventually([&] {
      said = ask_unsigned(*server_, "GET", "/readyz");
      return said.status == 503;
    }));
    EXPECT_NE(said.body.find("mirror usb"), std::string::npos) << said.body;
  }
  for (const made_note& one : {small, large})
    EXPECT_TRUE(device_->server().put_chunk(one.sid, one.sealed).ok());
  EXPECT_TRUE(eventually([&] { return ask_unsigned(*server_, "GET", "/readyz").status == 200; }));
}

// A mirror that is full for a while, on a volume of its own.
TEST_F(Scrub, AMirrorThatWasFullIsCaughtUpWithoutAnyUploadHavingWaited) {
  const small_volume volume(scratch_ / "mirror", 4 << 20);
  if (!volume.ok()) GTEST_SKIP() << "only root can mount a volume that is really full";
  start({"--store.blobs_mirrors=" + scratch_.path() + "/mirror=usb", "--store.mirror_failure=degrade",
         "--store.free_watermark=0%,0"});
  ballast weight(scratch_ / "mirror/ballast");
  const made_note small = make_note(random_, 60'000), large = make_note(random_, 300'000);
  for (const made_note& one : {small, large}) {
    ASSERT_TRUE(device_->server().put_chunk(one.sid, one.sealed).ok());
    ASSERT_TRUE(device_->server().post_version(one.file, one.post).ok());
  }
  EXPECT_EQ(ask_unsigned(*server_, "GET", "/readyz").status, 200);
  EXPECT_EQ(scrub_of(*server_)->mirrors.front().state, "behind");
  EXPECT_NE(server_->log().find("event=mirror_behind mirror=usb"), std::string::npos);
  browser owner(*server_);
  owner.get("/login?token=" + server_->setup_token());
  EXPECT_NE(owner.get("/v1/admin/overview").body.find(R"("state":"behind")"), std::string::npos);

  weight.lift();
  scrub();
  EXPECT_EQ(scrub_of(*server_)->mirrors.front().state, "whole");
  ASSERT_EQ(server_->stop(), 0);
  std::filesystem::remove_all(scratch_ / "blobs");
  ASSERT_TRUE(server_->start()) << "with an empty disk in the place of the first";
  EXPECT_EQ(device_->server().missing({small.sid, large.sid})->size(), 2u);
  scrub();
  EXPECT_EQ(device_->server().missing({small.sid, large.sid, small_.sid, large_.sid})->size(), 0u)
      << "what the mirror has came back";
}

TEST_F(Scrub, ACheckWithoutAServerRepairsFromAMirrorWhenToldTo) {
  const std::string mirror = "--store.blobs_mirrors=" + scratch_.path() + "/mirror";
  start({mirror});
  rot_and_stay_down();
  const finished before = check({"--deep", mirror});
  EXPECT_EQ(before.status, 1) << before.output;
  EXPECT_EQ(check({"--deep", mirror}).output, before.output) << "a check without --repair changes nothing";
  const finished repaired = check({"--deep", "--repair", mirror});
  EXPECT_EQ(repaired.status, 0) << repaired.output;
  EXPECT_NE(repaired.output.find("2 copies were wrong; 0 chunks"), std::string::npos) << repaired.output;
  ASSERT_TRUE(server_->start());
  EXPECT_NE(server_->log().rfind("decision=clean"), std::string::npos);
  EXPECT_EQ(*device_->server().get_chunk(small_.sid), small_.sealed);
  EXPECT_EQ(*device_->server().get_chunk(large_.sid), large_.sealed);
}

TEST_F(Scrub, ACheckWithoutAServerSetsAsideWhatNoCopyHasWhenToldTo) {
  start({});
  rot_and_stay_down();
  const finished repaired = check({"--repair"});
  EXPECT_EQ(repaired.status, 1) << "two chunks are missing now";
  EXPECT_NE(repaired.output.find("2 chunks no copy of which was right are set aside"), std::string::npos)
      << repaired.output;
  ASSERT_TRUE(server_->start());
  EXPECT_EQ(missing(), (std::vector{small_.sid, large_.sid}));
  for (const made_note& one : {small_, large_})
    EXPECT_TRUE(device_->server().put_chunk(one.sid, one.sealed).ok());
  ASSERT_EQ(server_->stop(), 0);
  EXPECT_EQ(check({"--deep"}).status, 0);
}

TEST_F(Scrub, ARepairBesideARunningServerIsLeftToIt) {
  start({});
  rot();
  const finished said = check({"--repair"});
  EXPECT_NE(said.output.find("the running server was asked"), std::string::npos) << said.output;
  EXPECT_TRUE(eventually([&] { return missing().size() == 2; })) << "its scrub sets them aside";
}

TEST(Repair, WhereThereIsNoStoreNoneIsMade) {
  const scratch_folder scratch;
  const server_process nobody(scratch.path());
  const finished said =
      nobody.operate({"check", "--repair", "--store.blobs_dir=" + scratch.path() + "/blobs"});
  EXPECT_EQ(said.status, 1);
  EXPECT_NE(said.output.find("there is no store in "), std::string::npos) << said.output;
  EXPECT_FALSE(std::filesystem::exists(scratch / "journal"));
}

TEST_F(Scrub, MakesWholeFromAMirrorWhatRotted) {
  start({"--store.blobs_mirrors=" + scratch_.path() + "/mirror"});
  rot();
  scrub();
  EXPECT_TRUE(missing().empty());
  EXPECT_EQ(scrub_of(*server_)->last->mismatches, 2);
  EXPECT_EQ(scrub_of(*server_)->last->quarantined, 0);
  EXPECT_EQ(*device_->server().get_chunk(small_.sid), small_.sealed);
  EXPECT_EQ(*device_->server().get_chunk(large_.sid), large_.sealed);
}

TEST_F(Scrub, EveryChunkIsOnTheMirrorBeforeItIsAnswered) {
  start({"--store.blobs_mirrors=" + scratch_.path() + "/mirror"});
  server_->kill();
  for (const char* volume : {"blobs", "mirror"}) {
    const std::string sid = large_.sid.hex();
    const auto folder =
        std::filesystem::directory_iterator(scratch_ / (std::string(volume) + "/v1/" + sid.substr(0, 2)));
    EXPECT_EQ(std::distance(begin(folder), end(folder)), 1) << volume;
    sqlite3* on = nullptr;
    ASSERT_EQ(sqlite3_open((scratch_ / (std::string(volume) + "/v1/small.db")).c_str(), &on), SQLITE_OK);
    sqlite3_stmt* count = nullptr;
    ASSERT_EQ(sqlite3_prepare_v2(on, "SELECT count(*) FROM chunk", -1, &count, nullptr), SQLITE_OK);
    ASSERT_EQ(sqlite3_step(count), SQLITE_ROW);
    EXPECT_EQ(sqlite3_column_int(count, 0), 1) << volume;
    sqlite3_finalize(count);
    sqlite3_close(on);
  }
}

}  // namespace
}  // namespace obsync::test
