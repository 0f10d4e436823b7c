#include "store/catalog.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "store/catalog_schema.hpp"
#include "store/sqlite.hpp"
#include "tests/support/catalog_fixture.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::store {
namespace {

using test::account_of;
using test::id_of;
using test::post_of;
using wire::refusal;

const account_id family = id_of<account_id>(1);

class CatalogWriter : public ::testing::Test {
 protected:
  void SetUp() override {
    writer = open_catalog_writer({folder.path()}, presence).value();
    reader = open_catalog_reader({folder.path()}).value();
    done(account_of(1, 1));
  }

  commit_outcome commit(operation one) {
    auto outcomes = writer->commit({&one, 1});
    EXPECT_TRUE(outcomes.ok());
    return outcomes.ok() ? (*outcomes)[0] : commit_outcome(wire::failure{refusal::io_error, "commit failed"});
  }

  void done(operation one) {
    const auto outcome = commit(std::move(one));
    EXPECT_TRUE(outcome.ok()) << outcome.error().detail;
  }

  // The refusal of an operation, or nothing when it went through.
  std::optional<refusal> refused(operation one) {
    const auto outcome = commit(std::move(one));
    if (outcome.ok()) return std::nullopt;
    return outcome.error().code;
  }

  posted post(post_version one) {
    const auto outcome = commit(std::move(one));
    EXPECT_TRUE(outcome.ok());
    const posted* answer = outcome.ok() ? std::get_if<posted>(&*outcome) : nullptr;
    EXPECT_NE(answer, nullptr);
    return answer ? *answer : posted{};
  }

  wire::device_info device(std::uint64_t number, std::uint64_t account = 1) {
    const auto devices = reader->devices_of(id_of<account_id>(account));
    for (const auto& info : *devices) {
      if (info.id == id_of<device_id>(number)) return info;
    }
    ADD_FAILURE() << "no device " << number;
    return {};
  }

  static std::vector<version_id> versions(std::vector<std::uint64_t> numbers) {
    std::vector<version_id> out;
    for (const std::uint64_t number : numbers) out.push_back(id_of<version_id>(number));
    return out;
  }

  test::scratch_folder folder;
  test::chunks_in_memory presence;
  std::unique_ptr<catalog_writer> writer;
  std::unique_ptr<catalog_reader> reader;
};

TEST_F(CatalogWriter, NumbersPostsOfAnAccountFromOneWithoutGaps) {
  EXPECT_EQ(post(post_of(1, 1)).answer.seq, 1);
  EXPECT_EQ(post(post_of(2, 2)).answer.seq, 2);
  EXPECT_EQ((*reader->account(family))->head, 2);
}

TEST_F(CatalogWriter, KeepsTheNumbersOfTwoAccountsApart) {
  done(account_of(2, 2));
  post(post_of(1, 1));
  auto other = post_of(1, 1);
  other.account = id_of<account_id>(2);
  other.device = id_of<device_id>(2);
  EXPECT_EQ(post(other).answer.seq, 1);
  EXPECT_EQ(reader->changes(family, 0, 10, 1000)->changes.size(), 1u);
}

TEST_F(CatalogWriter, ReplacesNamedParentsAmongTheHeadsAndKeepsTheOrderOfTheRest) {
  post(post_of(1, 1));
  EXPECT_EQ(post(post_of(1, 2)).answer.heads, versions({1, 2}));
  EXPECT_EQ(post(post_of(1, 3)).answer.heads, versions({1, 2, 3}));
  EXPECT_EQ(post(post_of(1, 4, {2})).answer.heads, versions({1, 3, 4}));
  EXPECT_EQ(post(post_of(1, 5, {1, 3, 4})).answer.heads, versions({5}));
}

TEST_F(CatalogWriter, AcceptsParentsThatDoNotExist) {
  EXPECT_EQ(post(post_of(1, 1, {77, 78})).answer.heads, versions({1}));
}

TEST_F(CatalogWriter, AnswersAStoredVersionWithItsFirstNumberAndThePresentHeads) {
  post(post_of(1, 1));
  post(post_of(1, 2, {1}));
  const posted again = post(post_of(1, 1));
  EXPECT_FALSE(again.created);
  EXPECT_EQ(again.answer.seq, 1);
  EXPECT_EQ(again.answer.heads, versions({2}));
  EXPECT_EQ((*reader->account(family))->head, 2);
}

TEST_F(CatalogWriter, AnswersATwinWithTheOldestOneOnlyWhenAsked) {
  post(post_of(1, 1, {8, 9}));
  auto twin = post_of(1, 2, {9, 8});
  EXPECT_TRUE(post(twin).created);
  twin.post.id = id_of<version_id>(3);
  twin.post.accept_existing = true;
  const posted answer = post(twin);
  EXPECT_FALSE(answer.created);
  EXPECT_EQ(answer.answer.id, id_of<version_id>(1));
  EXPECT_EQ(answer.answer.seq, 1);
}

TEST_F(CatalogWriter, TakesNoVersionForATwinThatDiffersInParentsChunksOrDeletion) {
  presence.held = {{family, id_of<chunk_sid>(1)}, {family, id_of<chunk_sid>(2)}};
  auto first = post_of(1, 1, {9});
  first.post.sids = {id_of<chunk_sid>(1), id_of<chunk_sid>(2)};
  post(first);
  auto other = first;
  other.post.accept_existing = true;
  other.post.id = id_of<version_id>(2);
  other.post.parents = versions({8});
  EXPECT_TRUE(post(other).created);
  other.post.id = id_of<version_id>(3);
  other.post.parents = first.post.parents;
  other.post.sids = {id_of<chunk_sid>(2), id_of<chunk_sid>(1)};
  EXPECT_TRUE(post(other).created);
  other.post.id = id_of<version_id>(4);
  other.post.sids = first.post.sids;
  other.post.deleted = true;
  EXPECT_TRUE(post(other).created);
}

TEST_F(CatalogWriter, RefusesAVersionWithMissingChunksAndNamesEachOnce) {
  presence.held = {{family, id_of<chunk_sid>(1)}};
  auto asked = post_of(1, 1);
  asked.post.sids = {id_of<chunk_sid>(3), id_of<chunk_sid>(1), id_of<chunk_sid>(2), id_of<chunk_sid>(3)};
  const auto outcome = commit(asked);
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().code, refusal::missing_chunks);
  EXPECT_EQ(outcome.error().members,
            "\"missing\":[\"" + id_of<chunk_sid>(3).hex() + "\",\"" + id_of<chunk_sid>(2).hex() + "\"]");
  EXPECT_FALSE(reader->file(family, asked.file, 10, 1000)->has_value());
  EXPECT_EQ((*reader->account(family))->head, 0);
}

TEST_F(CatalogWriter, AsksForChunksOfThePostingAccountOnly) {
  presence.held = {{id_of<account_id>(2), id_of<chunk_sid>(1)}};
  auto asked = post_of(1, 1);
  asked.post.sids = {id_of<chunk_sid>(1)};
  EXPECT_EQ(refused(asked), refusal::missing_chunks);
}

TEST_F(CatalogWriter, AnswersAPostWhoseChunksCannotBeLookedUpAloneWithIoError) {
  presence.broken = error{errc::io_failed, "unreadable"};
  auto bad = post_of(1, 1);
  bad.post.sids = {id_of<chunk_sid>(1)};
  const std::vector<operation> batch = {post_of(2, 2), bad, post_of(3, 3)};
  const auto outcomes = writer->commit(batch);
  ASSERT_TRUE(outcomes.ok());
  EXPECT_TRUE((*outcomes)[0].ok());
  EXPECT_EQ((*outcomes)[1].error().code, refusal::io_error);
  EXPECT_TRUE((*outcomes)[2].ok());
}

TEST_F(CatalogWriter, FixesTheDomainOfAFileWithItsFirstPost) {
  post(post_of(1, 1));
  auto other = post_of(1, 2);
  other.post.domain = id_of<domain_id>(2);
  EXPECT_EQ(refused(other), refusal::domain_mismatch);
}

TEST_F(CatalogWriter, RefusesTheSixtyFifthHead) {
  for (std::uint64_t version = 1; version <= 64; ++version) post(post_of(1, version));
  EXPECT_EQ(refused(post_of(1, 65)), refusal::too_many_heads);
  EXPECT_EQ(post(post_of(1, 66, {1})).answer.heads.size(), 64u);
}

TEST_F(CatalogWriter, WithoutRoomRefusesWhatWouldBeStoredAndAnswersWhatIs) {
  post(post_of(1, 1));
  post_version next = post_of(1, 2, {1}), again = post_of(1, 1), homeless = post_of(2, 3);
  for (post_version* one : {&next, &again, &homeless}) one->no_room = refusal::journal_full;
  homeless.post.sids = {id_of<chunk_sid>(9)};
  EXPECT_EQ(refused(next), refusal::journal_full);
  EXPECT_EQ(refused(homeless), refusal::missing_chunks) << "what is wrong with it comes first";
  EXPECT_FALSE(post(again).created);
  next.no_room.reset();
  EXPECT_TRUE(post(next).created);
}

TEST_F(CatalogWriter, RefusesPostsOfUnknownPendingAndRevokedDevices) {
  auto asked = post_of(1, 1);
  asked.account = id_of<account_id>(9);
  EXPECT_EQ(refused(asked), refusal::not_set_up);
  asked = post_of(1, 1);
  asked.device = id_of<device_id>(9);
  EXPECT_EQ(refused(asked), refusal::unknown_device);
  done(enrol_device{test::device_row_of(1, 2, wire::device_state::pending)});
  asked.device = id_of<device_id>(2);
  EXPECT_EQ(refused(asked), refusal::device_pending);
  done(activate_device{id_of<device_id>(2)});
  EXPECT_EQ(refused(asked), std::nullopt);
  done(revoke_device{family, id_of<device_id>(2), 0});
  EXPECT_EQ(refused(asked), refusal::device_revoked);
}

TEST_F(CatalogWriter, RefusesAPostByADeviceOfAnotherAccount) {
  done(account_of(2, 2));
  auto asked = post_of(1, 1);
  asked.device = id_of<device_id>(2);
  EXPECT_EQ(refused(asked), refusal::unknown_device);
}

TEST_F(CatalogWriter, SeesEarlierOperationsOfTheSameBatch) {
  auto late = post_of(2, 4);
  late.device = id_of<device_id>(2);
  const std::vector<operation> batch = {
      enrol_device{test::device_row_of(1, 2)},       post_of(1, 1), post_of(1, 2, {1}), post_of(1, 1),
      revoke_device{family, id_of<device_id>(2), 0}, late};
  const auto outcomes = writer->commit(batch);
  ASSERT_TRUE(outcomes.ok());
  EXPECT_EQ(std::get<posted>(*(*outcomes)[2]).answer.heads, versions({2}));
  EXPECT_FALSE(std::get<posted>(*(*outcomes)[3]).created);
  EXPECT_EQ((*outcomes)[5].error().code, refusal::device_revoked);
}

TEST_F(CatalogWriter, LeavesTheNeighboursOfARefusedOperationAlone) {
  const std::vector<operation> batch = {post_of(1, 1), activate_device{id_of<device_id>(9)}, post_of(2, 2)};
  const auto outcomes = writer->commit(batch);
  ASSERT_TRUE(outcomes.ok());
  EXPECT_TRUE((*outcomes)[0].ok());
  EXPECT_EQ((*outcomes)[1].error().code, refusal::unknown_device);
  EXPECT_TRUE((*outcomes)[2].ok());
  EXPECT_EQ((*reader->account(family))->head, 2);
}

TEST_F(CatalogWriter, NotesAnEditInWholeSecondsWithThePostThatMadeIt) {
  EXPECT_FALSE(device(1).last_edit_ms);
  post(post_of(1, 1));
  EXPECT_EQ(device(1).last_edit_ms, 2'000'000);
  EXPECT_EQ(device(1).last_seen_ms, 2'000'000);
}

TEST_F(CatalogWriter, MovesTheHorizonWithAPostAlsoWhenThePostIsRefused) {
  auto asked = post_of(1, 1);
  asked.post.sids = {id_of<chunk_sid>(1)};
  asked.horizon_s = 500;
  EXPECT_EQ(refused(asked), refusal::missing_chunks);
  EXPECT_EQ((*reader->devices())[0].horizon_s, 500);
}

TEST_F(CatalogWriter, MovesAHorizonForwardOnlyAndSettlesItExactly) {
  done(advance_horizon{id_of<device_id>(1), 100});
  done(advance_horizon{id_of<device_id>(1), 90});
  EXPECT_EQ((*reader->devices())[0].horizon_s, 100);
  done(settle_horizon{id_of<device_id>(1), 95});
  EXPECT_EQ((*reader->devices())[0].horizon_s, 95);
  EXPECT_EQ(refused(advance_horizon{id_of<device_id>(9), 100}), refusal::unknown_device);
}

TEST_F(CatalogWriter, NotesASignInCarriedByAHorizon) {
  done(advance_horizon{id_of<device_id>(1), 100, 5'999, "192.0.2.1"});
  EXPECT_EQ(device(1).last_sign_in_ms, 5'000);
  EXPECT_EQ(device(1).last_seen_ms, 5'000);
  EXPECT_EQ(device(1).address, "192.0.2.1");
}

TEST_F(CatalogWriter, ACountryGoesWithItsAddress) {
  done(advance_horizon{id_of<device_id>(1), 100, 5'999, "192.0.2.1", "DE"});
  EXPECT_EQ(device(1).country, "DE");
  done(record_heartbeat{id_of<device_id>(1), {"1", {}}, 7'000, {}, {}});
  EXPECT_EQ(device(1).country, "DE");
  done(record_heartbeat{id_of<device_id>(1), {"1", {}}, 8'000, "192.0.2.2", "FR"});
  EXPECT_EQ(device(1).country, "FR");
  done(record_heartbeat{id_of<device_id>(1), {"1", {}}, 9'000, "192.0.2.3", {}});
  EXPECT_EQ(device(1).country, std::nullopt);
}

TEST_F(CatalogWriter, CreatesAnAccountOnce) {
  EXPECT_EQ(refused(account_of(1, 5)), refusal::already_set_up);
  EXPECT_EQ(reader->devices()->size(), 1u);
}

TEST_F(CatalogWriter, EnrolsNobodyIntoAnUnknownAccount) {
  EXPECT_EQ(refused(enrol_device{test::device_row_of(9, 2)}), refusal::not_set_up);
}

TEST_F(CatalogWriter, EnrolsNoDeviceUnderATakenIdAndLeavesNothingBehind) {
  EXPECT_EQ(refused(enrol_device{test::device_row_of(1, 1)}), refusal::io_error);
  EXPECT_EQ(refused(recover_account{family, {}, test::device_row_of(1, 1), 1}), refusal::io_error);
  EXPECT_EQ(refused(account_of(2, 1)), refusal::io_error);
  EXPECT_EQ(reader->accounts()->size(), 1u);
}

TEST_F(CatalogWriter, ActivatesAndDeletesOnlyPendingDevices) {
  EXPECT_EQ(refused(activate_device{id_of<device_id>(1)}), refusal::device_not_pending);
  EXPECT_EQ(refused(delete_pending_device{id_of<device_id>(1)}), refusal::device_not_pending);
  EXPECT_EQ(refused(delete_pending_device{id_of<device_id>(9)}), refusal::unknown_device);
  done(enrol_device{test::device_row_of(1, 2, wire::device_state::pending)});
  EXPECT_EQ(refused(delete_pending_device{id_of<device_id>(2)}), std::nullopt);
  done(enrol_device{test::device_row_of(1, 3, wire::device_state::pending)});
  done(delete_all_pending{});
  EXPECT_EQ(reader->devices()->size(), 1u);
}

TEST_F(CatalogWriter, PatchesNameAndPolicyAndAnswersTheDevice) {
  done(account_of(2, 2));
  EXPECT_EQ(refused(patch_device{family, id_of<device_id>(2), {"x", {}}}), refusal::unknown_device);
  const auto outcome =
      commit(patch_device{family, id_of<device_id>(1), {"desk", wire::device_policy{10, 20}}});
  ASSERT_TRUE(outcome.ok());
  const auto& info = std::get<wire::device_info>(*outcome);
  EXPECT_EQ(info.card.name, "desk");
  EXPECT_EQ(info.policy.per_file_max_bytes, 10);
  EXPECT_EQ(info.policy.total_budget_bytes, 20);
  EXPECT_EQ(device(1).card.name, "desk");
}

TEST_F(CatalogWriter, KeepsTheLastActiveDeviceUntilARecoveryKeyIsSevenDaysOld) {
  constexpr std::int64_t registered = 10'000;
  constexpr std::int64_t week_ms = 604'800'000;
  const auto revoke_at = [](std::int64_t now_ms) {
    return revoke_device{family, id_of<device_id>(1), now_ms};
  };
  EXPECT_EQ(refused(revoke_at(0)), refusal::last_device);
  done(register_recovery{family, id_of<digest>(1), registered});
  EXPECT_EQ(refused(revoke_at(registered + week_ms - 1)), refusal::recovery_too_new);
  EXPECT_EQ(refused(revoke_at(registered - week_ms * 2)), refusal::recovery_too_new);
  EXPECT_EQ(refused(revoke_at(registered + week_ms)), std::nullopt);
  EXPECT_EQ(refused(revoke_at(registered + week_ms)), std::nullopt);  // again
  EXPECT_EQ(device(1).state, wire::device_state::revoked);
}

TEST_F(CatalogWriter, TakesARecoveryKeyWithoutADateForOld) {
  auto old = account_of(2, 2);
  old.account.recovery_verifier = id_of<digest>(1);
  done(old);
  EXPECT_EQ(refused(revoke_device{id_of<account_id>(2), id_of<device_id>(2), 0}), std::nullopt);
}

TEST_F(CatalogWriter, LetsOneOfTwoDevicesGoButNotBothInOneBatch) {
  done(enrol_device{test::device_row_of(1, 2)});
  const std::vector<operation> batch = {revoke_device{family, id_of<device_id>(1), 0},
                                        revoke_device{family, id_of<device_id>(2), 0}};
  const auto outcomes = writer->commit(batch);
  ASSERT_TRUE(outcomes.ok());
  EXPECT_TRUE((*outcomes)[0].ok());
  EXPECT_EQ((*outcomes)[1].error().code, refusal::last_device);
}

TEST_F(CatalogWriter, ArchivesOnlyRevokedDevicesAndRepeatedly) {
  done(enrol_device{test::device_row_of(1, 2)});
  const archive_device archive = {family, id_of<device_id>(2)};
  EXPECT_EQ(refused(archive), refusal::device_not_revoked);
  done(revoke_device{family, id_of<device_id>(2), 0});
  EXPECT_EQ(refused(archive), std::nullopt);
  EXPECT_EQ(refused(archive), std::nullopt);
  EXPECT_TRUE(device(2).archived);
  EXPECT_EQ(refused(archive_device{family, id_of<device_id>(9)}), refusal::unknown_device);
}

TEST_F(CatalogWriter, RegistersARecoveryKeyOnceAndKeepsItsDate) {
  EXPECT_EQ(refused(register_recovery{id_of<account_id>(9), id_of<digest>(1), 1}), refusal::not_set_up);
  done(register_recovery{family, id_of<digest>(1), 1});
  done(register_recovery{family, id_of<digest>(1), 2});
  EXPECT_EQ(refused(register_recovery{family, id_of<digest>(2), 3}), refusal::recovery_mismatch);
  const auto account = *reader->account(family);
  EXPECT_EQ(account->recovery_verifier, id_of<digest>(1));
  EXPECT_EQ(account->recovery_ms, 1);
}

TEST_F(CatalogWriter, SpendsAnArmedRecoveryOnce) {
  auto armed = account_of(2, 2);
  armed.account.recovery_armed = true;
  done(armed);
  const auto recover = [](std::uint64_t verifier, std::uint64_t device) {
    return recover_account{id_of<account_id>(2), id_of<digest>(verifier), test::device_row_of(2, device), 50};
  };
  EXPECT_EQ(refused(recover(7, 3)), std::nullopt);
  const auto account = *reader->account(id_of<account_id>(2));
  EXPECT_EQ(account->recovery_verifier, id_of<digest>(7));
  EXPECT_EQ(account->recovery_ms, 50);
  EXPECT_FALSE(account->recovery_armed);
  EXPECT_EQ(refused(recover(8, 4)), refusal::bad_recovery_proof);
  EXPECT_EQ(refused(recover(7, 5)), std::nullopt);
}

TEST_F(CatalogWriter, RefusesToRegisterAVerifierWhereNoRecoveryIsArmed) {
  EXPECT_EQ(refused(recover_account{family, id_of<digest>(1), test::device_row_of(1, 3), 1}),
            refusal::recovery_unavailable);
  EXPECT_EQ(refused(recover_account{family, std::nullopt, test::device_row_of(1, 3), 1}), std::nullopt);
  EXPECT_EQ(refused(recover_account{id_of<account_id>(9), std::nullopt, test::device_row_of(9, 4), 1}),
            refusal::not_set_up);
}

TEST_F(CatalogWriter, NotesAHeartbeatWithVersionPolicyAndAddress) {
  done(record_heartbeat{id_of<device_id>(1), {"1.2.3", wire::device_policy{1, 2}}, 7'777, "192.0.2.1"});
  done(record_heartbeat{id_of<device_id>(1), {"1.2.4", {}}, 8'888, {}});
  const auto info = device(1);
  EXPECT_EQ(info.card.app_version, "1.2.4");
  EXPECT_EQ(info.policy.total_budget_bytes, 2);
  EXPECT_EQ(info.last_heartbeat_ms, 8'000);
  EXPECT_EQ(info.address, "192.0.2.1");
  EXPECT_EQ(refused(record_heartbeat{id_of<device_id>(9), {"1", {}}, 1, {}}), refusal::unknown_device);
}

TEST(CatalogOpening, RefusesANewerCatalogUnchanged) {
  test::scratch_folder folder;
  test::chunks_in_memory presence;
  ASSERT_TRUE(open_catalog_writer({folder.path()}, presence).ok());
  {
    auto on = sql::connection::open(folder / catalog_file_name).value();
    on->run("PRAGMA user_version = 99");
    ASSERT_FALSE(on->failed());
  }
  const auto refused = open_catalog_writer({folder.path()}, presence);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, errc::unsupported);
  EXPECT_EQ(refused.error().detail, "the catalog has schema 99, this program knows up to 3");
  EXPECT_EQ(open_catalog_reader({folder.path()}).error().code, errc::unsupported);
  auto on = sql::connection::open(folder / catalog_file_name).value();
  EXPECT_EQ(on->number("PRAGMA user_version"), 99);
}

// Each answer of a reader is of one moment, whatever is being committed beside it.
TEST(CatalogSnapshots, NeverMixTwoCommits) {
  test::scratch_folder folder;
  test::chunks_in_memory presence;
  auto writer = open_catalog_writer({folder.path()}, presence).value();
  const std::vector<operation> account = {account_of(1, 1)};
  ASSERT_TRUE(writer->commit(account).ok());
  std::atomic<bool> done = false;
  std::thread looking([&] {
    auto reader = open_catalog_reader({folder.path()}).value();
    for (bool last = false; !last;) {
      last = done;
      const auto page = reader->changes(family, 0, 1000, 64 << 20).value();
      EXPECT_EQ(page.head_seq, std::ssize(page.changes));
      EXPECT_EQ(page.head_seq % 2, 0);
    }
  });
  for (std::uint64_t k = 0; k < 100; ++k) {
    const std::vector<operation> batch = {post_of(k, 2 * k), post_of(k, 2 * k + 1)};
    EXPECT_TRUE(writer->commit(batch).ok());
  }
  done = true;
  looking.join();
}

}  // namespace
}  // namespace obsync::store
