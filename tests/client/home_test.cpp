#include "client/home/home.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "client/home/file_lock.hpp"
#include "client/home/folder_path.hpp"
#include "core/random.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::client {
namespace {

class HomeTest : public ::testing::Test {
 protected:
  home open() {
    auto opened = home::open(scratch / "home");
    EXPECT_TRUE(opened);
    return *std::move(opened);
  }

  binding make(const std::string& folder) {
    binding out;
    out.server = *parse_endpoint("https://sync.example.org");
    out.account = random_id<account_id>(random);
    out.device = random_id<device_id>(random);
    random.fill(out.device_secret.raw);
    random.fill(out.vault_key.raw);
    out.device_name = "a laptop";
    out.folder = folder;
    out.root = {7, 4711};
    return out;
  }

  static mode_t mode_of(const std::string& path) {
    struct stat info {};
    EXPECT_EQ(::stat(path.c_str(), &info), 0) << path;
    return info.st_mode & 0777;
  }

  test::scratch_folder scratch;
  seeded_random random{1};
};

TEST_F(HomeTest, FindsABindingAgainWithEveryField) {
  const binding made = make(scratch / "notes");
  home place = open();
  ASSERT_TRUE(place.add(made));
  const auto found = open().find(made.folder);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->server.url(), made.server.url());
  EXPECT_EQ(found->ca_file, std::nullopt);
  EXPECT_EQ(found->account, made.account);
  EXPECT_EQ(found->device, made.device);
  EXPECT_EQ(found->device_secret.raw, made.device_secret.raw);
  EXPECT_EQ(found->vault_key.raw, made.vault_key.raw);
  EXPECT_EQ(found->device_name, made.device_name);
  EXPECT_EQ(found->root, made.root);
}

TEST_F(HomeTest, KeepsItsOwnCopyOfTheTrustedAuthorities) {
  binding made = make(scratch / "notes");
  made.ca_file = scratch / "my ca.pem";
  EXPECT_EQ(open().add(made).error().code, errc::not_found);
  EXPECT_FALSE(open().find(made.folder));

  std::ofstream(*made.ca_file) << "an authority";
  ASSERT_TRUE(open().add(made));
  std::filesystem::remove(*made.ca_file);
  // Also after the home has moved.
  std::filesystem::rename(scratch / "home", scratch / "moved");
  const auto found = home::open(scratch / "moved")->find(made.folder);
  ASSERT_TRUE(found);
  std::string text;
  std::getline(std::ifstream(found->ca_file.value_or("")), text);
  EXPECT_EQ(text, "an authority");
}

TEST_F(HomeTest, KeepsEverythingFromOthers) {
  ::mkdir((scratch / "home").c_str(), 0777);
  const binding made = make(scratch / "notes");
  home place = open();
  ASSERT_TRUE(place.add(made));
  EXPECT_EQ(mode_of(scratch / "home"), 0700u);
  EXPECT_EQ(mode_of(scratch / "home/bindings"), 0700u);
  EXPECT_EQ(mode_of(scratch / "home/bindings/" + made.device.hex()), 0700u);
  EXPECT_EQ(mode_of(scratch / "home/bindings/" + made.device.hex() + "/identity"), 0600u);
}

TEST_F(HomeTest, RefusesAFolderThatIsBoundInsideOneOrAroundOne) {
  home place = open();
  const binding first = make(scratch / "a/notes");
  ASSERT_TRUE(place.add(first));
  for (const char* folder : {"a/notes", "a/notes/sub", "a"}) {
    const auto again = place.add(make(scratch / folder));
    ASSERT_FALSE(again) << folder;
    EXPECT_EQ(again.error().code, errc::exists) << folder;
  }
  EXPECT_EQ(open().bindings()->size(), 1u);
  EXPECT_TRUE(place.may_bind(scratch / "a/notes-2"));
}

TEST_F(HomeTest, RefusesToLieInsideAFolderAndToHoldOne) {
  home place = open();
  EXPECT_EQ(place.may_bind(scratch.path()).error().code, errc::invalid);
  EXPECT_EQ(place.may_bind(scratch / "home/x").error().code, errc::invalid);
}

TEST_F(HomeTest, NamesTheBoundFoldersWhenAskedForAnother) {
  home place = open();
  ASSERT_TRUE(place.add(make(scratch / "notes")));
  const auto other = place.find(scratch / "elsewhere");
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().detail.find(scratch / "notes"), std::string::npos);
}

TEST_F(HomeTest, RefusesABrokenIdentityWithoutShowingIt) {
  home place = open();
  const binding made = make(scratch / "notes");
  ASSERT_TRUE(place.add(made));
  std::ofstream(scratch / "home/bindings/" + made.device.hex() + "/identity", std::ios::trunc)
      << "obsync-binding 1\nvault_key 00112233\n";
  const auto all = open().bindings();
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().code, errc::corrupt);
  EXPECT_EQ(all.error().detail.find("00112233"), std::string::npos);
}

TEST_F(HomeTest, KeepsAKeyUntilItIsForgotten) {
  crypto::secret32 key;
  random.fill(key.raw);
  home place = open();
  EXPECT_FALSE(place.kept_key("/x")->has_value());
  ASSERT_TRUE(place.keep_key("/x", key));
  EXPECT_EQ((*open().kept_key("/x"))->raw, key.raw);
  EXPECT_FALSE(place.kept_key("/y")->has_value());
  ASSERT_TRUE(place.forget_key("/x"));
  EXPECT_FALSE(place.kept_key("/x")->has_value());
}

TEST_F(HomeTest, ALockIsHeldByOneAndSeenByOthers) {
  const std::string path = scratch / "lock";
  EXPECT_FALSE(file_lock::held(path));
  {
    const auto first = file_lock::acquire(path, lock_wait::no);
    ASSERT_TRUE(first);
    EXPECT_TRUE(file_lock::held(path));
    const auto second = file_lock::acquire(path, lock_wait::no);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, errc::exists);
  }
  EXPECT_FALSE(file_lock::held(path));
}

TEST_F(HomeTest, ResolvesPathsThroughLinksAlsoWhenTheLastPartIsMissing) {
  std::filesystem::create_directory(scratch / "real");
  std::filesystem::create_directory_symlink(scratch / "real", scratch / "link");
  EXPECT_EQ(*resolve_path(scratch / "link/new/"), *resolve_path(scratch / "real") + "/new");
  EXPECT_TRUE(is_within("/a/b", "/a"));
  EXPECT_FALSE(is_within("/ab", "/a"));
}

}  // namespace
}  // namespace obsync::client
