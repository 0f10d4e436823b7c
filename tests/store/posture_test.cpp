#include "store/posture.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/support/scratch_folder.hpp"

namespace obsync::store {
namespace {

namespace fs = std::filesystem;
using state = posture_finding::state;

class Posture : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* folder : {"journal", "blobs", "journal/v1", "blobs/v1"})
      ASSERT_EQ(::mkdir(path(folder).c_str(), 0700), 0);
    for (const char* file : {"journal/v1/server.key", "journal/v1/setup-token"}) {
      std::ofstream(path(file)) << "secret";
      ASSERT_EQ(::chmod(path(file).c_str(), 0600), 0);
    }
  }

  std::string path(const std::string& name) const { return scratch_.path() + "/" + name; }
  posture_finding look(const std::string& object, bool repair = true) const {
    for (const posture_finding& one : look_at_posture({path("journal"), path("blobs")}, repair))
      if (one.object == object) return one;
    return {};
  }
  mode_t mode_of(const std::string& name) const {
    struct stat info {};
    EXPECT_EQ(::stat(path(name).c_str(), &info), 0);
    return info.st_mode & 07777;
  }

  test::scratch_folder scratch_;
};

TEST_F(Posture, OfAStoreAsItWasMadeIsInOrder) {
  const auto findings = look_at_posture({path("journal"), path("blobs")}, false);
  EXPECT_EQ(findings.size(), 6u);
  for (const posture_finding& one : findings) EXPECT_EQ(one.what, state::ok) << to_text(one);
  EXPECT_EQ(to_text(findings[2]), "posture journal_root: ok 0700");
  EXPECT_TRUE(require_posture(findings).ok());
}

TEST_F(Posture, WrongModesOfOurOwnAreRepairedAndSaid) {
  ::chmod(path("journal/v1").c_str(), 0755);
  ::chmod(path("journal/v1/server.key").c_str(), 0644);
  EXPECT_EQ(look("journal_root", false).what, state::repairable);
  EXPECT_EQ(mode_of("journal/v1"), 0755u) << "looking alone changes nothing";
  const auto findings = look_at_posture({path("journal"), path("blobs")}, true);
  EXPECT_EQ(to_text(findings[2]), "posture journal_root: repaired 0755 -> 0700");
  EXPECT_EQ(to_text(findings[4]), "posture server_key: repaired 0644 -> 0600");
  EXPECT_EQ(mode_of("journal/v1"), 0700u);
  EXPECT_EQ(mode_of("journal/v1/server.key"), 0600u);
}

TEST_F(Posture, ASecretWithASecondNameIsRefused) {
  ASSERT_EQ(::link(path("journal/v1/server.key").c_str(), path("copy").c_str()), 0);
  EXPECT_EQ(look("server_key").reason, "shared_inode");
}

TEST_F(Posture, ALinkInTheirPlaceIsRefused) {
  fs::rename(path("journal/v1/setup-token"), path("elsewhere"));
  fs::create_symlink(path("elsewhere"), path("journal/v1/setup-token"));
  EXPECT_EQ(look("setup_token").reason, "symlink");
  fs::rename(path("blobs"), path("real"));
  fs::create_symlink(path("real"), path("blobs"));
  EXPECT_EQ(look("blobs_mount").reason, "symlink");
}

TEST_F(Posture, AFolderThatOthersMayWriteToIsRefusedAlsoAboveTheStore) {
  ::chmod(path("journal").c_str(), 0777);
  EXPECT_EQ(look("journal_mount").reason, "writable_by_others");
  ::chmod(path("journal").c_str(), 0770);
  if (::geteuid() == 0) {
    ASSERT_EQ(::chown(path("journal").c_str(), 0, 65534), 0);
    EXPECT_EQ(look("journal_mount").reason, "writable_by_group");
    ASSERT_EQ(::chown(path("journal").c_str(), 0, 0), 0);
  }
  ::chmod(path("journal").c_str(), 01777);
  EXPECT_EQ(look("journal_mount").what, state::ok) << "sticky";
  ::chmod(scratch_.path().c_str(), 0777);
  EXPECT_EQ(look("blobs_mount").reason, "writable_by_others");
  ::chmod(scratch_.path().c_str(), 0700);
}

TEST_F(Posture, ThingsOfTheWrongKindAreRefused) {
  fs::remove(path("journal/v1/setup-token"));
  ASSERT_EQ(::mkfifo(path("journal/v1/setup-token").c_str(), 0600), 0);
  EXPECT_EQ(look("setup_token").reason, "not_a_regular_file");
  fs::remove_all(path("blobs/v1"));
  std::ofstream(path("blobs/v1")) << "x";
  EXPECT_EQ(look("blobs_root").reason, "not_a_directory");
}

TEST_F(Posture, APathThroughALinkIsNotTheRealOne) {
  fs::create_directory(path("deep"));
  fs::create_symlink(path("deep"), path("short"));
  fs::rename(path("journal"), path("deep/journal"));
  for (const posture_finding& one : look_at_posture({path("short/journal"), path("blobs")}, true))
    if (one.object == "journal_mount") {
      EXPECT_EQ(one.reason, "not_canonical");
    }
}

TEST_F(Posture, WhatIsNotThereYetIsNoFault) {
  fs::remove_all(path("journal"));
  EXPECT_EQ(to_text(look("journal_mount")), "posture journal_mount: absent");
  EXPECT_EQ(look("server_key").what, state::absent);
  EXPECT_TRUE(require_posture(look_at_posture({path("journal"), path("blobs")}, true)).ok());
}

TEST_F(Posture, ARefusalSaysWhatToDo) {
  ::chmod(path("journal").c_str(), 0777);
  const status done = require_posture(look_at_posture({path("journal"), path("blobs")}, true));
  ASSERT_FALSE(done.ok());
  EXPECT_NE(done.error().detail.find("chmod o-w"), std::string::npos) << done.error().detail;
}

TEST_F(Posture, AStrangersFolderIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  ASSERT_EQ(::chown(path("blobs/v1").c_str(), 65534, 65534), 0);
  EXPECT_EQ(look("blobs_root").reason, "foreign_owner");
  ASSERT_EQ(::chown(path("journal").c_str(), 65534, 65534), 0);
  EXPECT_EQ(look("journal_mount").reason, "foreign_owner");
}

}  // namespace
}  // namespace obsync::store
