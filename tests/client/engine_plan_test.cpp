#include "client/engine/plan.hpp"

#include <gtest/gtest.h>

#include "client/engine/pairing.hpp"
#include "tests/support/plan_world.hpp"

namespace obsync::client {
namespace {

using namespace testing;

TEST(Plan, OfEqualSidesIsEmpty) {
  plan_world world;
  world.agreed(1, "a", 1);
  world.agreed_folder(2, "f");
  world.here("a", 1, 1);
  world.folder_here("f", 2);
  const plan made = world.make();
  EXPECT_TRUE(made.empty());
  EXPECT_TRUE(made.holds.empty());
}

TEST(Plan, PublishesNewFilesAndFoldersFolderFirst) {
  plan_world world;
  world.here("f/a", 1, 1);
  world.folder_here("f", 2);
  const plan made = world.make();
  ASSERT_EQ(made.pushes.size(), 2u);
  EXPECT_EQ(made.pushes[0].kind, item_kind::folder);
  EXPECT_EQ(made.pushes[1].path, "f/a");
  EXPECT_FALSE(made.pushes[1].id);
  EXPECT_TRUE(made.pushes[1].parents.empty());
}

TEST(Plan, PublishesAnEditOnTopOfWhatWasAgreed) {
  plan_world world;
  world.agreed(1, "a", 1);
  world.here("a", 2, 1);
  const plan made = world.make();
  ASSERT_EQ(made.pushes.size(), 1u);
  EXPECT_EQ(made.pushes[0].from, push::source::local);
  EXPECT_EQ(made.pushes[0].parents, std::vector{version(1)});
}

TEST(Plan, OfATouchedButEqualFileOnlyRemembersItsMark) {
  plan_world world;
  world.agreed(1, "a", 1);
  world.here("a", 1, 9);
  const plan made = world.make();
  ASSERT_EQ(made.agreed.size(), 1u);
  EXPECT_EQ(made.agreed[0].item.mark.inode, 9u);
  EXPECT_TRUE(made.pushes.empty());
}

TEST(Plan, PublishesARenameWithoutReadingTheFile) {
  plan_world world;
  world.agreed(1, "a", 1);
  world.here("b", 1, 1);
  const plan made = world.make();
  ASSERT_EQ(made.pushes.size(), 1u);
  EXPECT_EQ(made.pushes[0].id, file(1));
  EXPECT_EQ(made.pushes[0].path, "b");
  EXPECT_EQ(made.pushes[0].from, push::source::agreed);
  EXPECT_TRUE(made.gone.empty());
}

TEST(Plan, PublishesADeletionOnlyOfWhatItSawMissing) {
  plan_world world;
  world.agreed(1, "a", 1);
  world.agreed(2, "locked/b", 2);
  world.agreed(3, "elsewhere", 3);
  world.local.blocked["locked"] = "no_permission";
  world.local.scope = {"a", "locked"};
  const plan made = world.make();
  ASSERT_EQ(made.gone.size(), 1u);
  EXPECT_EQ(made.gone[0].id, file(1));
  ASSERT_EQ(made.holds.size(), 1u);
  EXPECT_EQ(made.holds[0].code, "no_permission");
}

TEST(Plan, PullsANewFileToAFreeName) {
  plan_world world;
  world.there(1, 5, "a", 1);
  const plan made = world.make();
  ASSERT_EQ(made.pulls.size(), 1u);
  EXPECT_FALSE(made.pulls[0].expected);
}

TEST(Plan, ReplacesOnlyTheAgreedContent) {
  plan_world world;
  world.agreed(1, "a", 1);
  world.here("a", 1, 1);
  world.there(1, 5, "a", 2);
  const plan made = world.make();
  ASSERT_EQ(made.pulls.size(), 1u);
  EXPECT_EQ(made.pulls[0].expected, mark_of(1, 1));
  EXPECT_FALSE(made.pulls[0].keep_as);
}

TEST(Plan, KeepsTheLocalTextBesideWhenBothSidesChanged) {
  plan_world world;
  world.agreed(1, "a", 1);
  world.here("a", 3, 1);
  world.there(1, 5, "a", 2);
  const plan made = world.make();
  ASSERT_EQ(made.pulls.size(), 1u);
  EXPECT_EQ(made.pulls[0].keep_as, "a copy");
  EXPECT_TRUE(made.pushes.empty());
}

TEST(Plan, AdoptsAnEqualEditOfBothSides) {
  plan_world world;
  world.agreed(1, "a", 1);
  world.here("a", 2, 1);
  world.there(1, 5, "a", 2);
  const plan made = world.make();
  ASSERT_EQ(made.agreed.size(), 1u);
  EXPECT_EQ(made.agreed[0].item.version, version(5));
  EXPECT_TRUE(made.pulls.empty());
  EXPECT_TRUE(made.pushes.empty());
}

TEST(Plan, AdoptsAnEqualFileOfAnotherDeviceWithoutTransfer) {
  plan_world world;
  world.here("a", 1, 1);
  world.there(7, 5, "a", 1);
  const plan made = world.make();
  ASSERT_EQ(made.agreed.size(), 1u);
  EXPECT_EQ(made.agreed[0].item.id, file(7));
  EXPECT_TRUE(made.pulls.empty());
  EXPECT_TRUE(made.pushes.empty());
}

TEST(Plan, MovesADifferentNewFileAsideForTheServersOne) {
  plan_world world;
  world.here("a", 1, 1);
  world.there(7, 5, "a", 2);
  const plan made = world.make();
  ASSERT_EQ(made.pulls.size(), 1u);
  EXPECT_EQ(made.pulls[0].expected, mark_of(1, 1));
  EXPECT_EQ(made.pulls[0].keep_as, "a copy");
  EXPECT_TRUE(made.pushes.empty());
  EXPECT_TRUE(made.aside.empty());
}

TEST(Plan, LetsAnEditWinOverADeletion) {
  plan_world edited_here;
  edited_here.agreed(1, "a", 1);
  edited_here.here("a", 2, 1);
  edited_here.gone_there(1, 5, "a");
  const plan back = edited_here.make();
  ASSERT_EQ(back.pushes.size(), 1u);
  EXPECT_EQ(back.pushes[0].parents, std::vector{version(5)});
  EXPECT_TRUE(back.removals.empty());

  plan_world edited_there;
  edited_there.agreed(1, "a", 1);
  edited_there.there(1, 5, "a", 2);
  const plan returned = edited_there.make();
  ASSERT_EQ(returned.pulls.size(), 1u);
  EXPECT_TRUE(returned.gone.empty());
}

TEST(Plan, RemovesHereWhatWasDeletedThere) {
  plan_world world;
  world.agreed(1, "a", 1);
  world.here("a", 1, 1);
  world.gone_there(1, 5, "a");
  const plan made = world.make();
  ASSERT_EQ(made.removals.size(), 1u);
  EXPECT_EQ(made.removals[0].then.id, version(5));
  EXPECT_TRUE(made.gone.empty());
}

TEST(Plan, MergesARenameHereWithAnEditThere) {
  plan_world world;
  world.agreed(1, "a", 1);
  world.here("b", 1, 1);
  world.there(1, 5, "a", 2);
  const plan made = world.make();
  ASSERT_EQ(made.pulls.size(), 1u);
  EXPECT_EQ(made.pulls[0].path, "b");
  ASSERT_EQ(made.pushes.size(), 1u);
  EXPECT_EQ(made.pushes[0].path, "b");
  EXPECT_EQ(made.pushes[0].from, push::source::head);
}

TEST(Plan, AppliesARenameAsARename) {
  plan_world world;
  world.agreed(1, "a", 1);
  world.here("a", 1, 1);
  world.there(1, 5, "A", 1);
  const plan made = world.make();
  ASSERT_EQ(made.moves.size(), 1u);
  ASSERT_TRUE(made.moves[0].then);
  EXPECT_EQ(made.moves[0].then->id, version(5));
  EXPECT_TRUE(made.pulls.empty());
  EXPECT_TRUE(made.pushes.empty());
}

TEST(Plan, KnowsFilesThatSwappedNamesByTheirInodes) {
  plan_world world;
  world.agreed(1, "a", 1);
  world.agreed(2, "b", 2);
  world.here("a", 2, 2);
  world.here("b", 1, 1);
  const plan made = world.make();
  ASSERT_EQ(made.pushes.size(), 2u);
  EXPECT_EQ(made.pushes[0].id, file(2));
  EXPECT_EQ(made.pushes[0].path, "a");
  EXPECT_EQ(made.pushes[0].from, push::source::agreed);
}

TEST(Plan, KnowsWhichOfTwoFilesAgreedAtOnePathLiesThere) {
  plan_world world;
  world.agreed(1, "a", 7);
  world.agreed(2, "a", 7);
  world.here("a", 7, 2);
  world.here("b", 7, 1);
  const plan made = world.make();
  ASSERT_EQ(made.pushes.size(), 1u);
  EXPECT_EQ(made.pushes[0].id, file(1));
  EXPECT_EQ(made.pushes[0].path, "b");
}

TEST(Plan, KeepsTheIdentityAtThePathWhenAnEditorMovesTheOldFileAway) {
  plan_world world;
  world.agreed(1, "note", 1);
  world.here("note", 2, 8);
  world.here("note~", 1, 1);
  const plan made = world.make();
  ASSERT_EQ(made.pushes.size(), 2u);
  EXPECT_EQ(made.pushes[0].id, file(1));
  EXPECT_EQ(made.pushes[0].path, "note");
  EXPECT_FALSE(made.pushes[1].id);
}

TEST(Plan, ClosesAForkWithAllHeadsAndACopyOfTheLoser) {
  plan_world world;
  world.agreed(1, "a", 1);
  world.here("a", 1, 1);
  world.there(1, 6, "a", 3);
  world.there(1, 5, "a", 2);
  const plan made = world.make();
  ASSERT_EQ(made.pulls.size(), 1u);
  EXPECT_EQ(made.pulls[0].head.id, version(5)) << "the head the server had first wins";
  ASSERT_EQ(made.pushes.size(), 1u);
  EXPECT_EQ(made.pushes[0].parents.size(), 2u);
  ASSERT_EQ(made.pushes[0].copies.size(), 1u);
  EXPECT_EQ(made.pushes[0].copies[0].loser.id, version(6));
  EXPECT_EQ(made.pushes[0].copies[0].path, "a copy of 6");
}

TEST(Plan, ClosesAForkOfADeletionAndAnEditInFavourOfTheEdit) {
  plan_world world;
  world.agreed(1, "a", 1);
  world.here("a", 2, 1);
  world.base[0].version = version(6);
  world.base[0].content = text(2);
  world.gone_there(1, 5, "a");
  world.there(1, 6, "a", 2);
  const plan made = world.make();
  EXPECT_TRUE(made.removals.empty());
  ASSERT_EQ(made.pushes.size(), 1u);
  EXPECT_EQ(made.pushes[0].parents.size(), 2u);
  EXPECT_TRUE(made.pushes[0].copies.empty());
}

TEST(Plan, GivesTheNameToTheLeastIdentityAndTheOtherAConflictName) {
  plan_world world;
  world.agreed(2, "a", 2);
  world.here("a", 2, 2);
  world.there(1, 5, "a", 1);
  const plan made = world.make();
  ASSERT_EQ(made.moves.size(), 1u);
  EXPECT_EQ(made.moves[0].id, file(2));
  EXPECT_EQ(made.moves[0].to, "a copy");
  ASSERT_EQ(made.pulls.size(), 1u);
  EXPECT_EQ(made.pulls[0].path, "a");
  ASSERT_EQ(made.pushes.size(), 1u);
  EXPECT_EQ(made.pushes[0].path, "a copy");
}

TEST(Plan, WaitsBeforeItDecidesBetweenTwoKnownFilesOfOneName) {
  plan_world world;
  world.agreed(2, "a", 2);
  world.here("a", 2, 2);
  world.there(1, 5, "a", 1);
  const plan made = world.make(false);
  EXPECT_TRUE(made.empty());
  EXPECT_TRUE(made.names_wait);
  EXPECT_EQ(made.holds.size(), 2u);
}

TEST(Plan, TellsOfAFileThatWaitsWhereItWasBeforeItMoved) {
  plan_world world;
  world.agreed(2, "b", 2);
  world.here("a", 2, 9);
  world.there(1, 5, "a", 1);
  const plan made = world.make(false);
  ASSERT_EQ(made.holds.size(), 2u);
  EXPECT_EQ(made.holds[0].path, "a");
  EXPECT_EQ(made.holds[0].agreed_path, "b");
  EXPECT_EQ(made.holds[1].agreed_path, "");
}

TEST(Plan, MakesOneFileOfTwoWithOneNameAndEqualBytes) {
  plan_world world;
  world.agreed(2, "a", 1);
  world.here("a", 1, 2);
  world.there(1, 5, "a", 1);
  const plan made = world.make();
  ASSERT_EQ(made.gone.size(), 1u);
  EXPECT_EQ(made.gone[0].id, file(2));
  EXPECT_EQ(made.gone[0].keeper, file(1));
  ASSERT_EQ(made.agreed.size(), 1u);
  EXPECT_EQ(made.agreed[0].item.id, file(1));
  EXPECT_TRUE(made.removals.empty());
}

TEST(Plan, LeavesASettlingFileAlone) {
  plan_world world;
  world.agreed(1, "a", 1);
  world.here("a", 2, 1).settling = true;
  world.there(1, 5, "a", 3);
  const plan made = world.make();
  EXPECT_TRUE(made.empty());
  ASSERT_EQ(made.holds.size(), 1u);
  EXPECT_TRUE(made.holds[0].waits);
}

TEST(Plan, RefusesWhatTheServerSaysWronglyAndGoesOn) {
  plan_world world;
  world.agreed(1, "a", 1);
  world.here("a", 1, 1);
  world.news_of(1).refused = "refused_name";
  world.there(2, 5, "b", 2);
  const plan made = world.make();
  EXPECT_EQ(made.pulls.size(), 1u);
  ASSERT_EQ(made.holds.size(), 1u);
  EXPECT_EQ(made.holds[0].code, "refused_name");
}

TEST(Plan, SendsAgainWhatAServerSetBackHasLost) {
  plan_world world;
  world.agreed(1, "lost", 1);
  world.here("lost", 1, 1);
  world.news_of(1).rewound = true;
  world.agreed(2, "older", 2).ts_ms = 900;
  world.here("older", 2, 2);
  world.there(2, 5, "older", 9);
  world.news_of(2).rewound = true;
  world.agreed(3, "deleted", 3).ts_ms = 900;
  world.base.back().gone = true;
  world.there(3, 6, "deleted", 3);
  world.news_of(3).rewound = true;
  const plan made = world.make();
  ASSERT_EQ(made.pushes.size(), 2u);
  EXPECT_TRUE(made.pushes[0].parents.empty());
  EXPECT_EQ(made.pushes[0].from, push::source::local);
  EXPECT_EQ(made.pushes[1].parents, std::vector{version(5)});
  ASSERT_EQ(made.gone.size(), 1u);
  EXPECT_EQ(made.gone[0].id, file(3));
  EXPECT_TRUE(made.pulls.empty());
  EXPECT_TRUE(made.removals.empty());
}

TEST(Plan, KeepsBothTextsWhenOthersWentOnFromTheOlderServer) {
  plan_world world;
  world.agreed(1, "a", 1);
  world.here("a", 1, 1);
  world.there(1, 5, "a", 9);
  world.news_of(1).rewound = true;
  const plan made = world.make();
  ASSERT_EQ(made.pulls.size(), 1u);
  EXPECT_EQ(made.pulls[0].keep_as, "a copy");
}

TEST(PathsToHash, AreOnlyThoseThatMatter) {
  plan_world world;
  world.agreed(1, "touched", 1);
  world.here("touched", 1, 9).content.reset();
  world.agreed(2, "grown", 2);
  world.here("grown", 2, 9).content.reset();
  world.local.items["grown"].mark.size = 11;
  world.here("new", 3, 3).content.reset();
  world.here("offered", 4, 4).content.reset();
  world.there(5, 5, "offered", 4);
  EXPECT_EQ(paths_to_hash(world.base, world.local, world.remote),
            (std::vector<std::string>{"touched", "offered"}));
}

}  // namespace
}  // namespace obsync::client
