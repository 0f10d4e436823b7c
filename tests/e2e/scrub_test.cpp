// Bytes that rot on the real server's disks.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>

#include "tests/e2e/browser.hpp"
#include "tests/e2e/raw_device.hpp"
#include "tests/support/scratch_folder.hpp"
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
    ASSERT_EQ(server_->stop(), 0);
    const std::string sid = large_.sid.hex();
    const std::string folder = scratch_ / ("blobs/v1/" + sid.substr(0, 2));
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
      file.seekp(1'000);
      file.put(static_cast<char>(large_.sealed[1'000] ^ 1));
    }
    sqlite3* on = nullptr;
    ASSERT_EQ(sqlite3_open((scratch_ / "blobs/v1/small.db").c_str(), &on), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(on, "UPDATE chunk SET body = zeroblob(length(body))", nullptr, nullptr, nullptr),
              SQLITE_OK);
    sqlite3_close(on);
    ASSERT_TRUE(server_->start());
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
