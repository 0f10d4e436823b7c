#include "store/folder_lock.hpp"

#include <gtest/gtest.h>

#include "tests/support/scratch_folder.hpp"

namespace obsync::store {
namespace {

TEST(FolderLock, IsHeldByOneAndFreeAfterwards) {
  test::scratch_folder folder;
  {
    const auto held = lock_folder(folder.path());
    ASSERT_TRUE(held.ok());
    EXPECT_EQ(lock_folder(folder.path()).error().code, errc::exists);
  }
  EXPECT_TRUE(lock_folder(folder.path()).ok());
}

TEST(FolderLock, NeedsAFolder) {
  test::scratch_folder folder;
  EXPECT_EQ(lock_folder(folder / "absent").error().code, errc::not_found);
}

}  // namespace
}  // namespace obsync::store
