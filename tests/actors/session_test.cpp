#include "actors/session.hpp"

#include "crypto/digest.hpp"
#include "tests/actors/actor_world.hpp"
#include "wire/signing.hpp"

namespace obsync::actors {
namespace {

using wire::refusal;

// A session between a front, a journal, a feed and a reader that only take notes.
class Session : public actor_world {
 protected:
  void start(std::int64_t floor_s = 0) {
    random_.fill(secret_.raw);
    device_.account = random_id<account_id>(random_);
    device_.info.id = random_id<device_id>(random_);
    device_.info.last_sign_in_ms = time_->now_ms();
    device_.horizon_s = floor_s;
    session_deps deps;
    deps.time = time_;
    deps.heads = heads_;
    deps.nonces_in_use = std::make_shared<std::atomic<std::size_t>>(0);
    deps.front = keep(system_->spawn([this](caf::event_based_actor*) -> caf::behavior {
      return {[this](const may_retire&) { ++retirements_; },
              [this](const device_revoked&) { ++revocations_; }};
    }));
    deps.journal = keep(system_->spawn([this](caf::event_based_actor* self) -> caf::behavior {
      return {[this, self](const commit_request_ptr& wish) -> caf::result<commit_reply_ptr> {
                committed_.push_back(*wish);
                if (hold_commits_) {
                  held_.push_back(self->make_response_promise());
                  return held_.back();
                }
                return agree(*wish);
              },
              [this](tick) { held_.front().deliver(agree(committed_.front())); }};
    }));
    journal_ = deps.journal;
    deps.feed = keep(system_->spawn([this](caf::event_based_actor*) -> caf::behavior {
      return {[this](const await_account& wish) { awaited_.push_back(wish.since); }};
    }));
    deps.small_writer = keep(system_->spawn([this](caf::event_based_actor*) -> caf::behavior {
      return {[this](const small_chunk_call& task) { task.call->answer(ok("{}", 201)); }};
    }));
    const caf::actor reader = keep(system_->spawn([this](caf::event_based_actor*) -> caf::behavior {
      return {[this](const read_call& task) {
        ++reads_;
        task.call->answer(ok("{}"));
      }};
    }));
    deps.readers = std::make_shared<worker_pool>(std::vector{reader});
    deps.blob_writers = deps.readers;
    session_ = keep(spawn_session(*system_, {}, deps, device_, secret_, floor_s));
  }

  commit_reply_ptr agree(const commit_request& wish) {
    auto reply = std::make_shared<commit_reply>();
    for (std::size_t i = 0; i < wish.operations.size(); ++i)
      reply->outcomes.push_back(journal_failure_ ? store::commit_outcome(*journal_failure_)
                                                 : store::commit_outcome(store::committed{}));
    return reply;
  }

  // A signed call; `age_s` makes its timestamp older.
  recorded_call_ptr signed_call(route where, std::int64_t age_s = 0, std::string body = {}) {
    auto call = make_call(where, {"00112233445566778899aabbccddeeff"}, std::move(body));
    call->req.method = "GET";
    call->req.target = "/v1/account?x=1";
    call->req.signer.device = device_.info.id.hex();
    call->req.signer.timestamp = std::to_string(time_->now_s() - age_s);
    call->req.signer.nonce = random_id<request_nonce>(random_).hex();
    sign(*call);
    return call;
  }

  void sign(recorded_call& call) {
    const crypto::hmac_key key(secret_.view());
    const std::string hash = crypto::sha256(as_bytes(call.req.body)).hex();
    call.req.signer.signature = wire::sign(key, {call.req.method, call.req.target, *call.req.signer.timestamp,
                                                 *call.req.signer.nonce, hash})
                                    .hex();
  }

  recorded_call_ptr send(recorded_call_ptr call) {
    caf::anon_send(session_, session_call{call});
    run();
    return call;
  }

  // The same request, as an eavesdropper would send it again.
  recorded_call_ptr copy_of(const recorded_call& call) {
    request again = call.req;
    return std::make_shared<recorded_call>(std::move(again));
  }

  seeded_random random_{11};
  crypto::secret32 secret_;
  store::device_row device_;
  std::shared_ptr<account_heads> heads_ = std::make_shared<account_heads>();
  caf::actor session_;
  caf::actor journal_;
  std::vector<commit_request> committed_;
  std::vector<caf::response_promise> held_;
  std::vector<sequence> awaited_;
  std::optional<wire::failure> journal_failure_;
  bool hold_commits_ = false;
  int reads_ = 0;
  int retirements_ = 0;
  int revocations_ = 0;
};

TEST_F(Session, AnswersWhatItsDeviceSigned) {
  start();
  EXPECT_EQ(send(signed_call(route::account))->status(), 200);
}

TEST_F(Session, RefusesAChangedTargetBodyMethodOrNonce) {
  start();
  for (int what = 0; what < 4; ++what) {
    auto call = signed_call(route::account);
    if (what == 0) call->req.target += "1";
    if (what == 1) call->req.body = "{}";
    if (what == 2) call->req.method = "PUT";
    if (what == 3) call->req.signer.nonce = random_id<request_nonce>(random_).hex();
    EXPECT_EQ(send(call)->decision(), "bad_signature") << what;
  }
  EXPECT_EQ(reads_, 0);
}

TEST_F(Session, ANonceIsNeverAcceptedTwice) {
  start();
  const auto first = send(signed_call(route::account));
  EXPECT_EQ(first->status(), 200);
  EXPECT_EQ(send(copy_of(*first))->decision(), "replayed_nonce");
  EXPECT_EQ(reads_, 1);
}

TEST_F(Session, RefusesTimestampsMoreThanFiveMinutesOff) {
  start();
  EXPECT_EQ(send(signed_call(route::account, 301))->decision(), "stale_timestamp");
  EXPECT_EQ(send(signed_call(route::account, -301))->decision(), "stale_timestamp");
  EXPECT_EQ(send(signed_call(route::account, 299))->status(), 200);
}

TEST_F(Session, RefusesWhatAProcessBeforeACrashMayHaveAccepted) {
  start(1'757'200'000);
  EXPECT_EQ(send(signed_call(route::account, 0))->decision(), "stale_timestamp");
  EXPECT_EQ(send(signed_call(route::account, -1))->status(), 200);
}

TEST_F(Session, JudgesTheTimestampBeforeTheBodyAndTheBodyBeforeTheSignature) {
  start();
  auto stale = signed_call(route::account, 301);
  stale->req.body_is = body_state::too_large;
  EXPECT_EQ(send(stale)->decision(), "stale_timestamp");
  auto large = signed_call(route::account);
  large->req.body_is = body_state::too_large;
  large->req.signer.signature = std::string(64, '0');
  EXPECT_EQ(send(large)->decision(), "body_too_large");
}

TEST_F(Session, AnswersNothingBeforeItsHorizonIsDurable) {
  start();
  hold_commits_ = true;
  const auto call = send(signed_call(route::account));
  EXPECT_FALSE(call->has_answer());
  EXPECT_EQ(reads_, 0);
  ASSERT_EQ(committed_.size(), 1u);
  caf::anon_send(journal_, tick{});  // a promise is kept on its own actor's time
  run();
  EXPECT_EQ(call->status(), 200);
}

TEST_F(Session, ABurstOfReadsCostsOneHorizonCommit) {
  start();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(send(signed_call(route::account))->status(), 200);
  EXPECT_EQ(committed_.size(), 1u);
  time_->advance_ms(2000);
  send(signed_call(route::account));
  EXPECT_EQ(committed_.size(), 1u) << "the horizon was committed two seconds ahead";
  time_->advance_ms(1000);
  send(signed_call(route::account));
  EXPECT_EQ(committed_.size(), 2u);
}

TEST_F(Session, ANonceWhoseHorizonFailedIsNotSpent) {
  start();
  journal_failure_ = wire::failure{refusal::storage_full, "full"};
  const auto call = send(signed_call(route::account));
  EXPECT_EQ(call->decision(), "storage_full");
  journal_failure_.reset();
  EXPECT_EQ(send(copy_of(*call))->status(), 200);
}

TEST_F(Session, APendingDeviceMayOnlyCollectItsEnvelope) {
  device_.info.state = wire::device_state::pending;
  start();
  EXPECT_EQ(send(signed_call(route::account))->decision(), "device_pending");
  caf::anon_send(session_, device_activated{device_.info.id});
  run();
  EXPECT_EQ(send(signed_call(route::account))->status(), 200);
}

TEST_F(Session, APollWaitsForNewsAndWakesWithIt) {
  start();
  auto poll = signed_call(route::changes);
  poll->req.query = {{"since", "0"}, {"wait", "55"}};
  send(poll);
  EXPECT_FALSE(poll->has_answer());
  EXPECT_EQ(awaited_, std::vector<sequence>{0});
  heads_->advance(device_.account, 1);
  caf::anon_send(session_, account_advanced{device_.account, 1});
  run();
  EXPECT_EQ(poll->status(), 200);
  EXPECT_EQ(poll->proved, 1);
}

TEST_F(Session, APollThatHearsNothingEndsAtItsTime) {
  start();
  auto poll = signed_call(route::changes);
  poll->req.query = {{"since", "0"}, {"wait", "20"}};
  send(poll);
  advance(std::chrono::milliseconds(19'999));
  EXPECT_FALSE(poll->has_answer());
  advance(std::chrono::milliseconds(1));
  EXPECT_EQ(poll->status(), 200);
}

TEST_F(Session, PollsThatPassWithoutNewsRegisterOnce) {
  start();
  for (int i = 0; i < 3; ++i) {
    auto poll = signed_call(route::changes);
    poll->req.query = {{"since", "0"}, {"wait", "1"}};
    send(poll);
    advance(std::chrono::milliseconds(1000));
    EXPECT_EQ(poll->status(), 200);
  }
  EXPECT_EQ(awaited_.size(), 1u) << "the feed would remember every idle poll for ever";
}

TEST_F(Session, APollBehindTheHeadIsReadAtOnce) {
  start();
  heads_->advance(device_.account, 5);
  auto poll = signed_call(route::changes);
  poll->req.query = {{"since", "4"}, {"wait", "55"}};
  EXPECT_EQ(send(poll)->status(), 200);
}

TEST_F(Session, RevocationEndsAParkedPollAndTheSession) {
  start();
  auto poll = signed_call(route::changes);
  poll->req.query = {{"since", "0"}, {"wait", "55"}};
  send(poll);
  caf::anon_send(session_, device_revoked{device_.info.id});
  run();
  EXPECT_EQ(poll->decision(), "device_revoked");
  const auto late = send(signed_call(route::account));
  EXPECT_EQ(reads_, 0) << "a call that reaches a dead session is dropped, and its connection answers 503";
}

TEST_F(Session, RetiresOnlyAfterItsIdleTimeAndNeverWithAParkedPoll) {
  start();
  send(signed_call(route::account));
  caf::anon_send(session_, sweep{});
  run();
  EXPECT_EQ(retirements_, 0);
  auto poll = signed_call(route::changes);
  poll->req.query = {{"since", "0"}, {"wait", "55"}};
  send(poll);
  time_->advance_ms(900'000);
  caf::anon_send(session_, sweep{});
  run();
  EXPECT_EQ(retirements_, 0);
  advance(std::chrono::milliseconds(55'000));
  time_->advance_ms(900'000);
  caf::anon_send(session_, sweep{});
  run();
  EXPECT_EQ(retirements_, 1);
}

TEST_F(Session, SettlingStoresTheExactHorizonAndRefusesWhatComesAfter) {
  start();
  send(signed_call(route::account));
  bool done = false;
  keep(system_->spawn([this, &done](caf::event_based_actor* self) {
    self->request(session_, caf::infinite, settle{}).then([&done](const settled&) { done = true; });
  }));
  run();
  EXPECT_TRUE(done);
  const auto* last = std::get_if<store::settle_horizon>(&committed_.back().operations.back());
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(last->horizon_s, time_->now_s());
  EXPECT_EQ(send(signed_call(route::account))->decision(), "not_ready");
}

TEST_F(Session, SettlingSaysWhenTheExactHorizonCouldNotBeStored) {
  start();
  send(signed_call(route::account));
  journal_failure_ = wire::failure{refusal::journal_faulted, "the disk failed"};
  std::optional<bool> durable;
  keep(system_->spawn([this, &durable](caf::event_based_actor* self) {
    self->request(session_, caf::infinite, settle{}).then([&durable](const settled& all) {
      durable = all.durable;
    });
  }));
  run();
  EXPECT_EQ(durable, false);
}

TEST_F(Session, ADisabledAccountEndsItsPollsAndIsRefusedUntilItIsEnabled) {
  start();
  auto poll = signed_call(route::changes);
  poll->req.query = {{"since", "0"}, {"wait", "55"}};
  send(poll);
  ASSERT_FALSE(poll->has_answer());
  caf::anon_send(session_, account_disabled{device_.account});
  run();
  EXPECT_EQ(poll->decision(), "account_disabled");
  EXPECT_EQ(send(signed_call(route::account))->decision(), "account_disabled");
  caf::anon_send(session_, account_enabled{device_.account});
  run();
  EXPECT_EQ(send(signed_call(route::account))->status(), 200);
}

TEST_F(Session, ARequestFromBeforeTheAccountWasDisabledIsStillAReplayAfterIt) {
  start();
  const auto call = send(signed_call(route::account));
  caf::anon_send(session_, account_disabled{device_.account});
  caf::anon_send(session_, account_enabled{device_.account});
  EXPECT_EQ(send(copy_of(*call))->decision(), "replayed_nonce");
}

TEST_F(Session, AReadOnlyDeviceReadsAndIsRefusedBeforeTheRouteLooksAtTheRequest) {
  start();
  caf::anon_send(session_, device_role_changed{device_.info.id, true});
  EXPECT_EQ(send(signed_call(route::account))->status(), 200);
  EXPECT_EQ(send(signed_call(route::chunks_exists))->status(), 200);
  for (const route where : {route::post_version, route::register_recovery, route::create_pairing,
                            route::reveal, route::approve, route::reject, route::revoke_device,
                            route::archive_device, route::patch_device, route::batch, route::login_link})
    EXPECT_EQ(send(signed_call(where, 0, "no json"))->decision(), "read_only");
  caf::anon_send(session_, device_role_changed{device_.info.id, false});
  EXPECT_EQ(send(signed_call(route::post_version, 0, "no json"))->decision(), "bad_json");
}

}  // namespace
}  // namespace obsync::actors
