// Strangers who hold on to everything they get, beside a device that only wants to sync. What the device asks
// is answered all the while; memory, descriptors and the log stay small.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/e2e/conformance_world.hpp"
#include "tests/support/sanitized.hpp"

namespace obsync::test {
namespace {

// What a server may log of a crowd that says the same thing over and over.
constexpr std::size_t log_bytes_max = 1 << 20;

class Hostile : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(world_.ok()) << world_.server().log();
    descriptors_before_ = descriptors();
    log_before_ = world_.server().log().size();
  }

  std::size_t descriptors() { return world_.server().running().open_descriptors(); }

  // A note sent and read back, each request on a connection of its own.
  void sync_a_note() {
    const made_note note = make_note(world_.random, 2'000);
    const std::string chunk = "/v1/chunks/" + note.sid.hex();
    const std::string versions = "/v1/files/" + note.file.hex() + "/versions";
    EXPECT_TRUE(patiently([&] { return world_.ask("PUT", chunk, std::string(as_text(note.sealed))); }));
    EXPECT_TRUE(patiently([&] { return world_.ask("POST", versions, post_with(note)); }));
    EXPECT_TRUE(patiently([&] { return world_.ask(world_.phone, "GET", chunk); }));
  }

  // As a device does: what got no answer, or was told to come back, is asked again.
  template <class Ask>
  bool patiently(Ask ask) {
    for (int attempt = 1; attempt <= 20; ++attempt) {
      const int status = ask().status;
      if (status == 200 || status == 201) return true;
      if (status != 0 && status != 503) return false;
    }
    return false;
  }

  void expect_calm() {
    EXPECT_LT(world_.server().running().peak_resident_bytes(), memory_max);
    EXPECT_TRUE(eventually([&] { return descriptors() <= descriptors_before_ + 8; }))
        << descriptors() << " descriptors are open, at first there were " << descriptors_before_;
    EXPECT_LT(world_.server().log().size() - log_before_, log_bytes_max);
  }

  conformance_world world_;
  std::size_t descriptors_before_ = 0;
  std::size_t log_before_ = 0;
};

TEST_F(Hostile, TenThousandSilentConnectionsKeepNoDeviceOut) {
  std::vector<std::unique_ptr<raw_connection>> crowd;
  for (int i = 0; i < 10'000; ++i) {
    crowd.push_back(std::make_unique<raw_connection>(world_.port()));
    if (i % 500 == 499) sync_a_note();
  }
  sync_a_note();
  crowd.clear();
  expect_calm();
}

TEST_F(Hostile, HeadsThatNeverEndKeepNoDeviceOut) {
  std::vector<std::unique_ptr<raw_connection>> crowd;
  for (int i = 0; i < 2'000; ++i) {
    crowd.push_back(std::make_unique<raw_connection>(world_.port()));
    crowd.back()->send("GET /v1/account HTTP/1.1\r\nHost: a\r\nX: " + std::string(8'000, 'x'));
    if (i % 200 == 199) sync_a_note();
  }
  crowd.clear();
  expect_calm();
}

TEST_F(Hostile, BodiesDeclaredByStrangersTakeNoMemoryFromDevices) {
  std::vector<std::unique_ptr<raw_connection>> crowd;
  for (int i = 0; i < 200; ++i) {
    crowd.push_back(std::make_unique<raw_connection>(world_.port()));
    crowd.back()->send("POST /v1/chunks/exists HTTP/1.1\r\nHost: a\r\nContent-Length: 4194304\r\n\r\n{");
  }
  sync_a_note();
  // What declares a token is read before it can be judged; devices have memory of their own all the same.
  for (int i = 0; i < 40; ++i) {
    crowd.push_back(std::make_unique<raw_connection>(world_.port()));
    crowd.back()->send("POST /v1/setup HTTP/1.1\r\nHost: a\r\nContent-Length: 16384\r\n\r\n{");
  }
  sync_a_note();
  crowd.clear();
  expect_calm();
}

TEST_F(Hostile, HalfSentUploadsLeaveNothingBehind) {
  for (int round = 0; round < 20; ++round) {
    std::vector<std::unique_ptr<raw_connection>> crowd;
    for (int i = 0; i < 20; ++i) {
      const made_note note = make_note(world_.random, 400'000);
      raw_request request = signed_by(world_.phone, "PUT", "/v1/chunks/" + note.sid.hex());
      crowd.push_back(std::make_unique<raw_connection>(world_.port()));
      crowd.back()->send(request.with("Content-Length", "8000000").text());
      crowd.back()->send(as_text(note.sealed));
    }
    sync_a_note();
  }
  expect_calm();
}

TEST_F(Hostile, GarbageAndWrongSignaturesAtFullSpeedKeepNoDeviceOut) {
  std::atomic<bool> over = false;
  const auto flood = [&](const std::string& text) {
    return std::thread([&over, text, port = world_.port()] {
      while (!over) exchange(port, text);
    });
  };
  client::credential thief = world_.phone;
  thief.secret.raw[0] ^= 1;
  seeded_random chance(3);
  bytes garbage(4'096);
  chance.fill(garbage);
  std::vector<std::thread> strangers;
  strangers.push_back(flood(std::string(as_text(garbage)) + "\r\n\r\n"));
  strangers.push_back(flood(signed_by(thief, "GET", "/v1/account").text()));
  strangers.push_back(flood("GET /v1/account HTTP/1.1\r\nHost: a\r\n" + [] {
    std::string out;
    for (int i = 0; i < 200; ++i) out += "X-" + std::to_string(i) + ": y\r\n";
    return out;
  }() + "\r\n"));
  strangers.push_back(flood("GET /no/such/path HTTP/1.1\r\nHost: a\r\n\r\n"));
  for (int i = 0; i < 50; ++i) sync_a_note();
  over = true;
  for (std::thread& one : strangers) one.join();
  expect_calm();
}

}  // namespace
}  // namespace obsync::test
