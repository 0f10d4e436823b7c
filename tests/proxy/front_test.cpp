// The reverse proxies people put before obsyncd, with the configurations that deploy/ ships.
#include <gtest/gtest.h>

#include <fstream>
#include <future>
#include <regex>

#include "tests/e2e/raw_device.hpp"
#include "tests/support/front_process.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/server_process.hpp"

namespace obsync::test {
namespace {

const std::string program = std::string(OBSYNC_BINARY_DIR) + "/obsyncd";

// A server, a proxy before it, and the way a device takes.
class stage {
 public:
  explicit stage(front_kind kind) : kind_(kind) {}

  bool installed() const { return front_.installed(); }

  void start(std::vector<std::string> options = {}) {
    const finished made = run_to_end(program,
                                     {"tls", "self-signed", "--name", "localhost", "--name", "127.0.0.1",
                                      "--name", "::1", "--out", scratch_ / "tls"},
                                     scratch_ / "tls.log");
    ASSERT_EQ(made.status, 0) << made.output;
    server_ = std::make_unique<server_process>(scratch_.path(), std::move(options));
    ASSERT_TRUE(server_->start());
    ASSERT_TRUE(front_.start(server_->port()));
  }

  way_in way(const std::string& host = "localhost") const {
    return {front_.url(host), scratch_ / "tls/ca.crt"};
  }

  std::unique_ptr<raw_device> device_by(way_in by) {
    auto out = std::make_unique<raw_device>(*server_, std::move(by), "home");
    EXPECT_TRUE(out->ok()) << front_.output();
    return out;
  }

  // The duration the server wrote down for its only poll.
  int poll_ms() const {
    const std::string log = server_->log();
    const std::regex line("path_class=/v1/changes .*status=200 .*duration_ms=([0-9]+)");
    std::smatch found;
    return std::regex_search(log, found, line) ? std::stoi(found[1]) : -1;
  }

 private:
  const front_kind kind_;
  scratch_folder scratch_;
  front_process front_{kind_, scratch_ / "front", scratch_ / "tls/server.crt", scratch_ / "tls/server.key"};
  std::unique_ptr<server_process> server_;
};

std::string is_missing(front_kind kind) {
  return name_of(kind) + " is not installed; scripts/bootstrap does it";
}

class Front : public testing::TestWithParam<front_kind> {
 protected:
  void SetUp() override {
    if (!on_.installed()) GTEST_SKIP() << is_missing(GetParam());
  }

  stage on_{GetParam()};
  seeded_random random_{11};
};

TEST_P(Front, TheLargestChunkAndAWholeBatchPassUpAndDown) {
  ASSERT_NO_FATAL_FAILURE(on_.start());
  const auto device = on_.device_by(on_.way());
  std::vector<chunk_sid> sids;
  std::vector<bytes> sent;
  for (const std::size_t size : {8'388'624u, 8'388'624u, 8'388'624u, 8'388'560u}) {
    made_note note = make_note(random_, size);
    ASSERT_TRUE(device->server().put_chunk(note.sid, note.sealed));
    sids.push_back(note.sid);
    sent.push_back(std::move(note.sealed));
  }
  EXPECT_EQ(*device->server().get_chunk(sids[0]), sent[0]);
  const auto batch = device->server().get_chunks(sids);
  ASSERT_TRUE(batch);
  for (std::size_t i = 0; i < sids.size(); ++i) EXPECT_EQ((*batch)[i], sent[i]) << i;
}

TEST_P(Front, APollIsWokenByAnothersVersion) {
  ASSERT_NO_FATAL_FAILURE(on_.start());
  const auto writer = on_.device_by(on_.way());
  raw_device waiter(on_.way(), writer->who());
  auto page = std::async(std::launch::async, [&] { return waiter.server().changes(0, 55, 10); });
  // Many turns later the poll is parked for certain, and would stay so.
  const made_note note = make_note(random_, 100);
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(writer->server().put_chunk(note.sid, note.sealed));
  ASSERT_TRUE(writer->server().post_version(note.file, note.post));
  const auto woken = page.get();
  ASSERT_TRUE(woken);
  ASSERT_EQ(woken->changes.size(), 1u);
  EXPECT_EQ(woken->changes[0].file, note.file);
}

TEST_P(Front, AnAddressTheClientMadeUpIsNotBelieved) {
  ASSERT_NO_FATAL_FAILURE(on_.start());
  way_in forging = on_.way("[::1]");
  forging.extra_headers = {{"X-Forwarded-For", "203.0.113.9"},
                           {"Forwarded", "for=203.0.113.9"},
                           {"CF-Connecting-IP", "203.0.113.9"},
                           {"CF-IPCountry", "DE"}};
  const auto device = on_.device_by(forging);
  ASSERT_TRUE(device->server().heartbeat({"1", {}}));
  const auto list = device->server().devices();
  ASSERT_TRUE(list);
  ASSERT_EQ(list->devices.size(), 1u);
  EXPECT_EQ(list->devices[0].address, "::1");
  EXPECT_EQ(list->devices[0].country, std::nullopt);
}

TEST_P(Front, ARefusedUploadArrivesAsTheServersRefusal) {
  ASSERT_NO_FATAL_FAILURE(on_.start({"--store.blobs_capacity=17MiB"}));
  const auto device = on_.device_by(on_.way());
  const made_note note = make_note(random_, 8u << 20);
  for (int i = 0; i < 3; ++i) {
    const auto full = device->server().put_chunk(note.sid, note.sealed);
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().refusal, wire::refusal::volume_full) << full.error().detail;
  }
  const made_note huge = make_note(random_, 12u << 20);
  const auto too_large = device->server().put_chunk(huge.sid, huge.sealed);
  ASSERT_FALSE(too_large);
  EXPECT_EQ(too_large.error().refusal, wire::refusal::body_too_large) << too_large.error().detail;
}

TEST_P(Front, ABodyThatIsNotReadToItsEndStillGetsItsAnswer) {
  ASSERT_NO_FATAL_FAILURE(on_.start());
  const auto wire = client::make_http_transport(
      {.server = *client::parse_endpoint(on_.way().url), .ca_file = on_.way().ca_file});
  ASSERT_TRUE(wire);
  const bytes body(12u << 20, 'x');
  for (const char* target : {"/v1/nothing", "/v1/chunks/exists", "/v1/setup"}) {
    client::http_request request{.method = "POST", .target = target, .headers = {}, .body = body};
    const auto answer = (*wire)->exchange(request, {.answer_bytes_max = 4096, .deadline_ms = 60'000});
    ASSERT_TRUE(answer) << target << ": " << answer.error().detail;
    EXPECT_NE(as_text(answer->body).find("\"error\":\""), std::string_view::npos)
        << target << ": " << answer->status << " " << as_text(answer->body);
  }
}

INSTANTIATE_TEST_SUITE_P(Behind, Front, testing::Values(front_kind::caddy, front_kind::nginx),
                         [](const auto& each) { return name_of(each.param); });

// All of them at once, for it takes a minute.
TEST(Fronts, HoldAPollToItsEnd) {
  std::vector<std::future<void>> polls;
  std::vector<std::unique_ptr<stage>> stages;
  for (const front_kind kind : {front_kind::caddy, front_kind::nginx}) {
    stages.push_back(std::make_unique<stage>(kind));
    stage& on = *stages.back();
    if (!on.installed()) GTEST_SKIP() << is_missing(kind);
    ASSERT_NO_FATAL_FAILURE(on.start());
    polls.push_back(std::async(std::launch::async, [&on, device = on.device_by(on.way())] {
      const auto page = device->server().changes(0, 55, 10);
      ASSERT_TRUE(page) << page.error().detail;
      EXPECT_TRUE(page->changes.empty());
    }));
  }
  for (auto& poll : polls) poll.get();
  for (const auto& on : stages) EXPECT_GE(on->poll_ms(), 54'000);
}

}  // namespace
}  // namespace obsync::test
