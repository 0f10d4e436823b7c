// Folders in a plan, and files that meet them.
#include <gtest/gtest.h>

#include "tests/support/plan_world.hpp"

namespace obsync::client {
namespace {

using namespace testing;

TEST(PlanOfFolders, KeepsAFolderThatSomethingStillLiesIn) {
  plan_world world;
  world.agreed_folder(1, "f");
  world.folder_here("f", 1);
  world.here("f/new", 4, 4);
  world.folder_there(1, 5, "f", true);
  const plan made = world.make();
  EXPECT_TRUE(made.folders_gone.empty());
  ASSERT_EQ(made.pushes.size(), 2u);
  EXPECT_EQ(made.pushes[0].kind, item_kind::folder);
  EXPECT_EQ(made.pushes[0].parents, std::vector{version(5)});
}

TEST(PlanOfFolders, RemovesAnEmptyFolderDeepestFirst) {
  plan_world world;
  world.agreed_folder(1, "f");
  world.agreed_folder(2, "f/g");
  world.folder_here("f", 1);
  world.folder_here("f/g", 2);
  world.folder_there(1, 5, "f", true);
  world.folder_there(2, 6, "f/g", true);
  const plan made = world.make();
  ASSERT_EQ(made.folders_gone.size(), 2u);
  EXPECT_EQ(made.folders_gone[0].path, "f/g");
}

TEST(PlanOfFolders, LetsAFolderThatIsToGoWaitForAFileInItThatWaits) {
  plan_world world;
  world.agreed_folder(3, "f");
  world.folder_here("f", 3);
  world.folder_there(3, 6, "f", true);
  world.agreed(2, "f/a", 2);
  world.here("f/a", 2, 2);
  world.there(2, 7, "b", 2);
  world.there(1, 5, "b", 1);
  const plan waiting = world.make(false);
  EXPECT_TRUE(waiting.names_wait);
  EXPECT_TRUE(waiting.folders_gone.empty());
  EXPECT_EQ(waiting.holds.size(), 3u);
  EXPECT_EQ(world.make().folders_gone.size(), 1u);
}

TEST(PlanOfFolders, LeavesAFolderThatCouldNotBeRemovedUnpublished) {
  plan_world world;
  world.agreed_folder(1, "f").gone = true;
  world.folder_here("f", 1);
  const plan made = world.make();
  EXPECT_TRUE(made.pushes.empty());
  EXPECT_EQ(made.folders_gone.size(), 1u) << "but its removal is tried again";
  world.folder_here("f", 9);
  EXPECT_EQ(world.make().pushes.size(), 1u) << "another folder of that name is new";
}

TEST(PlanOfFolders, GivesWayToAFolderOfTheSameName) {
  plan_world world;
  world.here("x", 1, 1);
  world.folder_there(3, 5, "x");
  const plan made = world.make();
  ASSERT_EQ(made.aside.size(), 1u);
  EXPECT_EQ(made.aside[0].to, "x copy");
  ASSERT_EQ(made.folders_here.size(), 1u);
}

TEST(PlanOfFolders, LetsAFileStepAsideThatMovesIntoAFolderOfItsOwnName) {
  plan_world world;
  world.agreed(1, "c", 1);
  world.here("c", 1, 1);
  world.there(1, 5, "c/A", 1);
  world.folder_there(3, 6, "c");
  const plan made = world.make();
  ASSERT_EQ(made.moves.size(), 1u);
  EXPECT_EQ(made.moves[0].to, "c copy");
  EXPECT_FALSE(made.moves[0].then) << "should we end here, it still is where it was agreed";
  ASSERT_EQ(made.late_moves.size(), 1u);
  EXPECT_EQ(made.late_moves[0].from, "c copy");
  EXPECT_EQ(made.late_moves[0].to, "c/A");
  EXPECT_TRUE(made.late_moves[0].then);
  EXPECT_EQ(made.folders_here.size(), 1u);
}

TEST(PlanOfFolders, LetsAFileStepOutOfAFolderWhoseNameItTakes) {
  plan_world world;
  world.agreed_folder(3, "a");
  world.folder_here("a", 3);
  world.agreed(1, "a/c", 1);
  world.here("a/c", 1, 1);
  world.there(1, 5, "a", 1);
  world.folder_there(3, 6, "a", true);
  const plan made = world.make();
  ASSERT_EQ(made.moves.size(), 1u);
  EXPECT_EQ(made.moves[0].to, "a copy") << "not below the folder that has to go";
  EXPECT_EQ(made.folders_gone.size(), 1u);
  ASSERT_EQ(made.late_moves.size(), 1u);
  EXPECT_EQ(made.late_moves[0].from, "a copy");
  EXPECT_EQ(made.late_moves[0].to, "a");
}

TEST(PlanOfFolders, MovesAFileFromElsewhereToAFoldersNameOnlyOnceTheFolderIsGone) {
  plan_world world;
  world.agreed_folder(3, "a");
  world.folder_here("a", 3);
  world.agreed(1, "b", 1);
  world.here("b", 1, 1);
  world.there(1, 5, "a", 1);
  world.folder_there(3, 6, "a", true);
  const plan made = world.make();
  EXPECT_TRUE(made.moves.empty());
  ASSERT_EQ(made.late_moves.size(), 1u);
  EXPECT_EQ(made.late_moves[0].from, "b");
}

TEST(PlanOfFolders, LetsAFileLeaveAFolderThatGoesBeforeItTakesTheNameOfAnother) {
  plan_world world;
  world.agreed_folder(3, "a");
  world.agreed_folder(4, "b");
  world.folder_here("a", 3);
  world.folder_here("b", 4);
  world.agreed(1, "b/c", 1);
  world.here("b/c", 1, 1);
  world.there(1, 5, "a", 1);
  world.folder_there(3, 6, "a", true);
  world.folder_there(4, 7, "b", true);
  const plan made = world.make();
  ASSERT_EQ(made.moves.size(), 1u);
  EXPECT_EQ(made.moves[0].from, "b/c");
  EXPECT_EQ(made.moves[0].to, "a copy");
  EXPECT_EQ(made.folders_gone.size(), 2u);
  EXPECT_EQ(made.late_moves.size(), 1u);
}

TEST(PlanOfFolders, GivesAKnownFileAConflictNameWhenAFolderWithChildrenClaimsItsName) {
  plan_world file_first;
  file_first.agreed(1, "x", 1);
  file_first.here("x", 1, 1);
  file_first.folder_there(3, 5, "x");
  file_first.there(4, 6, "x/child", 4);
  EXPECT_TRUE(file_first.make(false).names_wait) << "the file may be on its way to another name";
  const plan first = file_first.make();
  ASSERT_EQ(first.moves.size(), 1u);
  EXPECT_EQ(first.moves[0].to, "x copy");
  ASSERT_EQ(first.pushes.size(), 1u);
  EXPECT_EQ(first.pushes[0].id, file(1));
  EXPECT_EQ(first.pushes[0].path, "x copy");

  plan_world folder_first;
  folder_first.agreed_folder(3, "x");
  folder_first.folder_here("x", 3);
  folder_first.agreed(4, "x/child", 4);
  folder_first.here("x/child", 4, 4);
  folder_first.there(1, 5, "x", 1);
  const plan second = folder_first.make();
  EXPECT_TRUE(second.moves.empty());
  ASSERT_EQ(second.pulls.size(), 1u);
  EXPECT_EQ(second.pulls[0].path, "x copy of 5");
}

}  // namespace
}  // namespace obsync::client
