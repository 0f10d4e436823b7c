#include "actors/front.hpp"

#include "tests/actors/actor_world.hpp"

namespace obsync::actors {
namespace {

// A front whose sessions are real and whose writers only take notes.
class Front : public actor_world {
 protected:
  void start() {
    if (start_when_) state_->set_started();
    device_.info.id = random_id<device_id>(random_);
    front_deps deps;
    deps.state = state_;
    deps.devices = {device_};
    const auto stub = [this] {
      return keep(system_->spawn([this](caf::event_based_actor*) -> caf::behavior {
        return {[this](const commit_request_ptr& wish) {
                  committed_.push_back(*wish);
                  const store::commit_outcome done{store::committed{}};
                  auto reply = std::make_shared<commit_reply>();
                  reply->outcomes.assign(wish->operations.size(), done);
                  return reply;
                },
                [](const await_account&) {},
                [this](const public_call& from) {
                  ++public_calls_;
                  from.call->answer(ok("{}"));
                },
                [](const readiness_call& from) { from.call->answer(ok("{\"ready\":true}")); },
                [](const read_call& task) { task.call->answer(ok("{}")); },
                [](const account_disabled&) {},
                [](const account_enabled&) {},
                [](const account_erased&) {}};
      }));
    };
    deps.readiness = stub();
    deps.sessions.time = time_;
    deps.sessions.heads = std::make_shared<account_heads>();
    deps.sessions.nonces_in_use = std::make_shared<std::atomic<std::size_t>>(0);
    deps.sessions.journal = stub();
    deps.sessions.small_writer = stub();
    deps.sessions.feed = stub();
    deps.sessions.readers = std::make_shared<worker_pool>(std::vector{stub()});
    deps.sessions.blob_writers = deps.sessions.readers;
    front_ = keep(spawn_front(*system_, {}, std::move(deps)));
    caf::anon_send(front_, introduce{stub(), stub()});
    run();
  }

  recorded_call_ptr send(recorded_call_ptr call) {
    caf::anon_send(front_, call_ptr(call));
    run();
    return call;
  }

  recorded_call_ptr from(const std::string& device) {
    auto call = make_call(route::account);
    call->req.signer = {device, std::to_string(time_->now_s()), std::string(32, 'a'), std::string(64, 'b')};
    return call;
  }

  seeded_random random_{2};
  std::shared_ptr<health> state_ = std::make_shared<health>();
  store::device_row device_;
  caf::actor front_;
  std::vector<commit_request> committed_;
  int public_calls_ = 0;
  bool start_when_ = true;
};

TEST_F(Front, RefusesUnsignedMalformedAndUnknownCallersInThatOrder) {
  start();
  EXPECT_EQ(send(make_call(route::account))->decision(), "missing_auth");
  EXPECT_EQ(send(from("nonsense"))->decision(), "bad_signature");
  EXPECT_EQ(send(from(std::string(32, '0')))->decision(), "bad_signature");
}

TEST_F(Front, AnUnknownDeviceAndAWrongSignatureReadTheSame) {
  start();
  EXPECT_EQ(send(from(std::string(32, '0')))->text(), send(from(device_.info.id.hex()))->text());
}

TEST_F(Front, ARevokedDeviceIsRefusedBeforeItsTimestampIsLookedAt) {
  start();
  caf::anon_send(front_, device_revoked{device_.info.id});
  auto call = from(device_.info.id.hex());
  call->req.signer.timestamp = "1";
  EXPECT_EQ(send(call)->decision(), "device_revoked");
}

TEST_F(Front, KnowsADeviceFromTheMomentItIsAdded) {
  start();
  store::device_row fresh;
  fresh.info.id = random_id<device_id>(random_);
  auto call = from(fresh.info.id.hex());
  call->req.signer.timestamp = "1";
  EXPECT_EQ(send(call)->decision(), "bad_signature");
  caf::anon_send(front_, device_added{fresh});
  auto again = from(fresh.info.id.hex());
  again->req.signer.timestamp = "1";
  EXPECT_EQ(send(again)->decision(), "stale_timestamp") << "only a session judges timestamps";
}

TEST_F(Front, AnswersHealthButNothingElseBeforeReplaysAreImpossible) {
  start_when_ = false;
  start();
  EXPECT_EQ(send(make_call(route::livez))->status(), 200);
  EXPECT_EQ(send(make_call(route::readyz))->status(), 200) << "readiness judges for itself";
  EXPECT_EQ(send(make_call(route::setup))->decision(), "not_ready");
  EXPECT_EQ(send(from(device_.info.id.hex()))->decision(), "not_ready");
  EXPECT_EQ(public_calls_, 0);
}

// Found by a simulated life: a call that overtook the answer went to a session that was let go the moment
// after, and with it the memory of its nonce.
TEST_F(Front, LetsASessionGoOnlyWhenNoCallCameSinceItWasAsked) {
  start();
  const device_id device = device_.info.id;
  send(from(device.hex()));
  caf::anon_send(front_, may_retire{device, 0, time_->now_s()});
  run();
  EXPECT_EQ(send(from(device.hex()))->decision(), "bad_signature") << "the same session judges it";
}

TEST_F(Front, WhatASessionAcceptedIsStaleOnceItWasLetGo) {
  start();
  const device_id device = device_.info.id;
  send(from(device.hex()));
  caf::anon_send(front_, may_retire{device, 1, time_->now_s()});
  run();
  EXPECT_EQ(send(from(device.hex()))->decision(), "stale_timestamp");
  advance(std::chrono::seconds(1));
  EXPECT_EQ(send(from(device.hex()))->decision(), "bad_signature")
      << "a later one is judged by its signature";
}

TEST_F(Front, AnswersNothingAfterItsSessionsHaveSettled) {
  start();
  send(from(device_.info.id.hex()));
  bool done = false;
  keep(system_->spawn([this, &done](caf::event_based_actor* self) {
    self->request(front_, caf::infinite, settle{}).then([&done](const settled&) { done = true; });
  }));
  run();
  EXPECT_TRUE(done);
  EXPECT_EQ(send(from(device_.info.id.hex()))->decision(), "not_ready");
}

TEST_F(Front, RefusesEveryDeviceOfADisabledAccountUntilItIsEnabled) {
  start();
  caf::anon_send(front_, account_disabled{device_.account});
  run();
  EXPECT_EQ(send(from(device_.info.id.hex()))->decision(), "account_disabled");
  EXPECT_EQ(send(from(std::string(32, '0')))->decision(), "bad_signature");
  caf::anon_send(front_, account_enabled{device_.account});
  run();
  EXPECT_EQ(send(from(device_.info.id.hex()))->decision(), "bad_signature");
}

TEST_F(Front, KnowsNoDeviceOfAnErasedAccount) {
  start();
  caf::anon_send(front_, account_disabled{device_.account});
  caf::anon_send(front_, account_erased{device_.account});
  run();
  EXPECT_EQ(send(from(device_.info.id.hex()))->decision(), "bad_signature");
}

}  // namespace
}  // namespace obsync::actors
