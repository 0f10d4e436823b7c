#include "actors/setup.hpp"

#include "crypto/digest.hpp"
#include "tests/actors/actor_world.hpp"

namespace obsync::actors {
namespace {

using wire::refusal;

// Setup between a journal that agrees or refuses, a reader that knows one account, and a front that counts.
class Setup : public actor_world {
 protected:
  void SetUp() override {
    const caf::actor stub = keep(system_->spawn([this](caf::event_based_actor*) -> caf::behavior {
      return {[this](const commit_request_ptr& wish) {
                committed_.push_back(wish->operations.front());
                auto reply = std::make_shared<commit_reply>();
                const store::commit_outcome done =
                    refusal_ ? store::commit_outcome(*refusal_) : store::commit_outcome(store::committed{});
                reply->outcomes.push_back(done);
                return reply;
              },
              [this](const account_lookup& ask) {
                stored_.id = ask.account;
                return account_found{stored_};
              },
              [this](const device_added&) { ++added_; }, [this](const owner_known&) { ++owners_; }};
    }));
    setup_deps deps;
    deps.enrolment = {time_, random_, {}};
    deps.setup_token.raw.fill(1);
    deps.heads = std::make_shared<account_heads>();
    deps.space = std::make_shared<store::room>(*files_, "/", std::nullopt, store::watermark{0, 0});
    deps.front = deps.journal = stub;
    deps.readers = std::make_shared<worker_pool>(std::vector{stub});
    deps.requests = std::make_shared<request_log>(time_);
    owner_token_ = deps.setup_token.hex();
    setup_ = keep(spawn_setup(*system_, deps));
    invite(token_, time_->now_ms() + 1000);
  }

  void invite(const std::string& token, std::int64_t expires_ms) {
    store::invitation_row row;
    row.token_hash = crypto::sha256(as_bytes(token));
    row.name = "anna";
    row.quota_bytes = 77;
    row.expires_ms = expires_ms;
    caf::anon_send(setup_, invitation_made{row});
    run();
  }

  recorded_call_ptr ask(const std::string& token, const std::string& more = {}) {
    auto call = make_call(
        route::setup, {},
        R"({"setup_token":")" + token +
            R"(","account_name":"mallory","device":{"name":"d","platform":"ios","app_version":"1"})" + more +
            "}");
    caf::anon_send(setup_, public_call{call});
    run();
    return call;
  }

  static std::string proof(char digit) { return R"(,"recovery_proof":")" + std::string(64, digit) + "\""; }

  std::shared_ptr<seeded_random> random_ = std::make_shared<seeded_random>(3);
  std::unique_ptr<disk> files_ = make_posix_disk();
  caf::actor setup_;
  const std::string token_ = std::string(64, 'a');
  std::string owner_token_;
  store::account_row stored_;
  std::vector<store::operation> committed_;
  std::optional<wire::failure> refusal_;
  int added_ = 0;
  int owners_ = 0;
};

TEST_F(Setup, AnInvitationIsRedeemedUnderTheOperatorsNameAndMakesNoOwner) {
  EXPECT_EQ(ask(token_)->status(), 201);
  const auto& made = std::get<store::redeem_invitation>(committed_.front());
  EXPECT_EQ(made.account.name, "anna");
  EXPECT_EQ(made.account.quota_bytes, 77);
  EXPECT_EQ(added_, 1);
  EXPECT_EQ(owners_, 0);
  EXPECT_EQ(ask(owner_token_)->status(), 201);
  EXPECT_EQ(std::get<store::create_account>(committed_.back()).account.name, "mallory");
  EXPECT_EQ(owners_, 1);
}

TEST_F(Setup, AUsedInvitationOnlyRecoversItsOwnAccount) {
  ask(token_);
  EXPECT_EQ(ask(token_)->decision(), "already_set_up");
  EXPECT_EQ(ask(token_, proof('0'))->decision(), "recovery_unavailable");
  stored_.recovery_verifier = crypto::sha256(crypto::secret32::parse(std::string(64, '0'))->view());
  EXPECT_EQ(ask(token_, proof('1'))->decision(), "bad_recovery_proof");
  EXPECT_EQ(ask(token_, proof('0'))->status(), 201);
  EXPECT_EQ(std::get<store::recover_account>(committed_.back()).account,
            std::get<store::redeem_invitation>(committed_.front()).account.id);
}

TEST_F(Setup, AnInvitationsLifeBoundsItsFirstUseOnly) {
  const std::string late(64, 'b');
  invite(late, time_->now_ms() + 1000);
  ask(token_);
  advance(std::chrono::milliseconds(1000));
  EXPECT_EQ(ask(late)->text(), ask(std::string(64, 'c'))->text());
  EXPECT_EQ(ask(late)->decision(), "bad_setup_token");
  EXPECT_EQ(ask(token_)->decision(), "already_set_up");
}

TEST_F(Setup, AFailedCommitLeavesTheInvitationUsable) {
  refusal_ = wire::failure{refusal::storage_full, "full"};
  EXPECT_EQ(ask(token_)->decision(), "storage_full");
  refusal_.reset();
  EXPECT_EQ(ask(token_)->status(), 201);
}

TEST_F(Setup, AFloodOfWrongTokensIsAFewLines) {
  std::size_t lines = 0;
  log::set_sink([&lines](std::string_view line) {
    if (line.find("event=setup_refused") != std::string_view::npos) ++lines;
  });
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(ask(std::string(64, 'c'))->decision(), "bad_setup_token");
  log::set_sink({});
  EXPECT_EQ(lines, 10u);
}

TEST_F(Setup, ADisabledAccountIsNotRecovered) {
  ask(token_);
  stored_.disabled_ms = 1;
  EXPECT_EQ(ask(token_, proof('0'))->decision(), "account_disabled");
}

TEST_F(Setup, TheTokenOfAnErasedAccountIsWorthNothing) {
  ask(token_);
  const account_id account = std::get<store::redeem_invitation>(committed_.front()).account.id;
  caf::anon_send(setup_, account_erased{account});
  run();
  EXPECT_EQ(ask(token_)->decision(), "bad_setup_token");
}

TEST_F(Setup, TheSetupTokenMakesANewAccountOnceItsOwnersIsErased) {
  ask(owner_token_);
  EXPECT_EQ(ask(owner_token_)->decision(), "already_set_up");
  const account_id account = std::get<store::create_account>(committed_.front()).account.id;
  caf::anon_send(setup_, account_erased{account});
  run();
  EXPECT_EQ(ask(owner_token_)->status(), 201);
}

}  // namespace
}  // namespace obsync::actors
