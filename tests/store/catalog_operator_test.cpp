#include "store/catalog_operator.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/catalog_fixture.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::store {
namespace {

using namespace test;
using wire::refusal;

const author operator_7{7, {}};

class CatalogOperator : public testing::Test {
 protected:
  void SetUp() override { reopen(); }

  void reopen() {
    reader_.reset();
    writer_.reset();
    auto writer = open_catalog_writer({scratch_.path()}, chunks_);
    ASSERT_TRUE(writer.ok());
    writer_ = std::move(*writer);
    auto reader = open_catalog_reader({scratch_.path()});
    ASSERT_TRUE(reader.ok());
    reader_ = std::move(*reader);
  }

  // The code of a refusal; nothing when it was done.
  std::optional<refusal> commit(operation asked) {
    const auto done = writer_->commit({&asked, 1});
    EXPECT_TRUE(done.ok());
    last_ = done->front();
    return last_->ok() ? std::nullopt : std::optional(last_->error().code);
  }

  create_invitation invitation(std::uint64_t number, std::int64_t expires_ms = 5'000'000) {
    return {{id_of<digest>(number), "invited", 4096, 1'000'000, expires_ms, {}}, operator_7};
  }
  redeem_invitation redeeming(std::uint64_t invitation, std::uint64_t account, std::uint64_t device) {
    const create_account made = account_of(account, device);
    return {id_of<digest>(invitation), made.account, made.first_device, 2'000'000};
  }
  account_row account(std::uint64_t number) {
    const auto row = reader_->account(id_of<account_id>(number));
    return row.ok() && *row ? **row : account_row{};
  }
  std::vector<std::string> events() {
    std::vector<std::string> out;
    const auto rows = reader_->audit(std::nullopt, 100);
    for (const audit_row& row : *rows) out.insert(out.begin(), row.event);
    return out;
  }
  void post(std::uint64_t file, std::uint64_t version) {
    EXPECT_EQ(commit(post_of(file, version)), std::nullopt);
  }
  void doom() {
    EXPECT_EQ(commit(delete_account{id_of<account_id>(1), 9'000, operator_7, 1'000}), std::nullopt);
  }

  scratch_folder scratch_;
  chunks_in_memory chunks_;
  std::unique_ptr<catalog_writer> writer_;
  std::unique_ptr<catalog_reader> reader_;
  std::optional<commit_outcome> last_;
  const account_id one_ = id_of<account_id>(1);
};

TEST_F(CatalogOperator, AnInvitationMakesOneAccountUnderItsOwnNameAndQuota) {
  ASSERT_EQ(commit(invitation(1)), std::nullopt);
  ASSERT_EQ(commit(redeeming(1, 1, 1)), std::nullopt);
  EXPECT_EQ(account(1).name, "invited");
  EXPECT_EQ(account(1).quota_bytes, 4096);
  EXPECT_TRUE(account(1).invited);
  EXPECT_EQ((*reader_->invitations()).front().account, one_);
  EXPECT_EQ(commit(redeeming(1, 2, 2)), refusal::already_set_up);
  reopen();
  EXPECT_EQ(commit(redeeming(1, 2, 2)), refusal::already_set_up);
  EXPECT_EQ((*reader_->accounts()).size(), 1u);
}

TEST_F(CatalogOperator, TwoUsesOfOneInvitationInOneBatchMakeOneAccount) {
  ASSERT_EQ(commit(invitation(1)), std::nullopt);
  const std::vector<operation> batch{redeeming(1, 1, 1), redeeming(1, 2, 2)};
  const auto done = writer_->commit(batch);
  ASSERT_TRUE(done.ok());
  EXPECT_TRUE((*done)[0].ok());
  EXPECT_EQ((*done)[1].error().code, refusal::already_set_up);
}

TEST_F(CatalogOperator, AnUnknownInvitationAndOneThatIsOverAreRefusedAsBadTokens) {
  ASSERT_EQ(commit(invitation(1, 2'000'000)), std::nullopt);
  EXPECT_EQ(commit(redeeming(1, 1, 1)), refusal::bad_setup_token);
  EXPECT_EQ(commit(redeeming(2, 1, 1)), refusal::bad_setup_token);
  EXPECT_TRUE((*reader_->accounts()).empty());
}

TEST_F(CatalogOperator, AnAccountNobodyWasInvitedToMakeIsNotInvited) {
  ASSERT_EQ(commit(account_of(1, 1)), std::nullopt);
  EXPECT_FALSE(account(1).invited);
}

TEST_F(CatalogOperator, ADisabledAccountTakesNoPostsAndLetsNobodyInUntilItIsEnabled) {
  ASSERT_EQ(commit(account_of(1, 1)), std::nullopt);
  ASSERT_EQ(commit(disable_account{one_, operator_7, 3'000}), std::nullopt);
  EXPECT_EQ(account(1).disabled_ms, 3'000);
  ASSERT_EQ(commit(disable_account{one_, operator_7, 4'000}), std::nullopt);
  EXPECT_EQ(account(1).disabled_ms, 3'000);
  EXPECT_EQ(commit(post_of(1, 1)), refusal::account_disabled);
  EXPECT_EQ(commit(enrol_device{device_row_of(1, 2, wire::device_state::pending)}),
            refusal::account_disabled);
  EXPECT_EQ(commit(recover_account{one_, {}, device_row_of(1, 2), 1}), refusal::account_disabled);
  ASSERT_EQ(commit(enable_account{one_, operator_7, 5'000}), std::nullopt);
  EXPECT_EQ(commit(post_of(1, 1)), std::nullopt);
}

TEST_F(CatalogOperator, AReadOnlyDevicePostsNothingAndStaysSoOverARestart) {
  ASSERT_EQ(commit(account_of(1, 1)), std::nullopt);
  EXPECT_FALSE((*reader_->devices()).front().read_only);
  ASSERT_EQ(commit(set_device_role{one_, id_of<device_id>(1), true, operator_7, 1}), std::nullopt);
  reopen();
  EXPECT_TRUE((*reader_->devices()).front().read_only);
  EXPECT_EQ(commit(post_of(1, 1)), refusal::read_only);
  ASSERT_EQ(commit(set_device_role{one_, id_of<device_id>(1), false, operator_7, 2}), std::nullopt);
  EXPECT_EQ(commit(post_of(1, 1)), std::nullopt);
}

TEST_F(CatalogOperator, ADeviceOfAnotherAccountHasNoRoleHere) {
  ASSERT_EQ(commit(account_of(1, 1)), std::nullopt);
  ASSERT_EQ(commit(account_of(2, 2)), std::nullopt);
  EXPECT_EQ(commit(set_device_role{one_, id_of<device_id>(2), true, operator_7, 1}), refusal::unknown_device);
}

TEST_F(CatalogOperator, AnOperatorRevokesTheLastDeviceOnlyByForce) {
  ASSERT_EQ(commit(account_of(1, 1)), std::nullopt);
  EXPECT_EQ(commit(revoke_device{one_, id_of<device_id>(1), 1, operator_7}), refusal::last_device);
  EXPECT_EQ(commit(revoke_device{one_, id_of<device_id>(1), 1, operator_7, true}), std::nullopt);
}

TEST_F(CatalogOperator, EveryActOnAnUnknownAccountIsRefusedAndLeavesNoTrace) {
  for (const operation& act : std::vector<operation>{
           rename_account{one_, "x", operator_7, 1}, set_quota{one_, 1, operator_7, 1},
           disable_account{one_, operator_7, 1}, enable_account{one_, operator_7, 1},
           delete_account{one_, 1, operator_7, 1}, set_device_role{one_, {}, true, operator_7, 1},
           erase_rows{one_, 10, 1}, forget_account{one_, 1}})
    EXPECT_EQ(commit(act), refusal::unknown_account);
  EXPECT_TRUE(events().empty());
}

TEST_F(CatalogOperator, ActsAreRecordedInOrderWithWhoDidThem) {
  ASSERT_EQ(commit(invitation(1)), std::nullopt);
  ASSERT_EQ(commit(redeeming(1, 1, 1)), std::nullopt);
  ASSERT_EQ(commit(enrol_device{device_row_of(1, 2, wire::device_state::pending)}), std::nullopt);
  ASSERT_EQ(commit(activate_device{id_of<device_id>(2), 5}), std::nullopt);
  ASSERT_EQ(commit(register_recovery{one_, id_of<digest>(9), 6, {{}, id_of<device_id>(1)}}), std::nullopt);
  ASSERT_EQ(commit(register_recovery{one_, id_of<digest>(9), 7, {{}, id_of<device_id>(1)}}), std::nullopt);
  ASSERT_EQ(commit(revoke_device{one_, id_of<device_id>(2), 8, {{}, id_of<device_id>(1)}}), std::nullopt);
  ASSERT_EQ(commit(revoke_device{one_, id_of<device_id>(2), 9, {{}, id_of<device_id>(1)}}), std::nullopt);
  ASSERT_EQ(commit(set_quota{one_, std::nullopt, operator_7, 10}), std::nullopt);
  EXPECT_EQ(events(), (std::vector<std::string>{"account_invited", "account_created", "device_enrolled",
                                                "device_activated", "recovery_registered", "device_revoked",
                                                "account_quota"}));
  const auto rows = *reader_->audit(one_, 2);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].by.operator_uid, 7);
  EXPECT_EQ(rows[0].detail, "quota_bytes=none");
  EXPECT_EQ(rows[1].by.device, id_of<device_id>(1));
  EXPECT_EQ(rows[1].detail, "device=" + id_of<device_id>(2).hex());
  EXPECT_EQ(rows[1].ts_ms, 8);
}

TEST_F(CatalogOperator, ADeletionWaitsForItsGraceAndIsTakenBackWithinIt) {
  ASSERT_EQ(commit(account_of(1, 1)), std::nullopt);
  doom();
  EXPECT_EQ(account(1).disabled_ms, 1'000);
  EXPECT_EQ(account(1).delete_after_ms, 9'000);
  EXPECT_EQ(commit(erase_rows{one_, 10, 8'999}), refusal::account_disabled);
  EXPECT_EQ(commit(forget_account{one_, 8'999}), refusal::account_disabled);
  EXPECT_EQ(commit(enable_account{one_, operator_7, 8'999}), std::nullopt);
  EXPECT_EQ(account(1).delete_after_ms, std::nullopt);
  doom();
  EXPECT_EQ(commit(enable_account{one_, operator_7, 9'000}), refusal::account_disabled);
}

TEST_F(CatalogOperator, AnErasureGoesInSmallStepsAndTakesNothingOfAnotherAccount) {
  ASSERT_EQ(commit(invitation(1)), std::nullopt);
  ASSERT_EQ(commit(redeeming(1, 1, 1)), std::nullopt);
  ASSERT_EQ(commit(account_of(2, 2)), std::nullopt);
  for (std::uint64_t i = 1; i <= 5; ++i) post(i, i);
  post_version others = post_of(1, 1);
  others.account = id_of<account_id>(2);
  others.device = id_of<device_id>(2);
  ASSERT_EQ(commit(others), std::nullopt);
  doom();
  int steps = 0;
  for (bool finished = false; !finished; ++steps) {
    ASSERT_LT(steps, 20);
    ASSERT_EQ(commit(erase_rows{one_, 2, 9'000}), std::nullopt);
    finished = std::get<erasure_step>(**last_).finished;
  }
  EXPECT_EQ(steps, 3 + 3 + 1);  // five versions and five files, two a step, and one that finds nothing
  EXPECT_TRUE((*reader_->files(one_, {}, 10)).files.empty());
  EXPECT_TRUE((*reader_->devices_of(one_)).empty());
  ASSERT_EQ(commit(forget_account{one_, 9'000}), std::nullopt);
  EXPECT_EQ((*reader_->accounts()).size(), 1u);
  EXPECT_TRUE((*reader_->invitations()).empty());
  EXPECT_EQ((*reader_->files(id_of<account_id>(2), {}, 10)).files.size(), 1u);
  EXPECT_EQ((*reader_->changes(id_of<account_id>(2), 0, 10, 1 << 20)).changes.size(), 1u);
  EXPECT_EQ(events().back(), "account_erased");
  EXPECT_EQ((*reader_->audit(one_, 100)).back().event, "account_created");
}

TEST_F(CatalogOperator, AnErasureThatWasCutOffGoesOnAfterARestart) {
  ASSERT_EQ(commit(account_of(1, 1)), std::nullopt);
  for (std::uint64_t i = 1; i <= 3; ++i) post(i, i);
  doom();
  ASSERT_EQ(commit(erase_rows{one_, 2, 9'000}), std::nullopt);
  reopen();
  EXPECT_EQ(account(1).delete_after_ms, 9'000);
  for (int i = 0; i < 4; ++i) ASSERT_EQ(commit(erase_rows{one_, 2, 9'000}), std::nullopt);
  EXPECT_TRUE(std::get<erasure_step>(**last_).finished);
  EXPECT_EQ(commit(forget_account{one_, 9'000}), std::nullopt);
}

}  // namespace
}  // namespace obsync::store
