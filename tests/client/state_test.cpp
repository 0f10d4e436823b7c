#include "client/state/state.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "client/state/chunk_rows.hpp"
#include "tests/support/plan_world.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::client {
namespace {

using namespace testing;

base_item item(std::uint8_t id, const std::string& path) {
  return {file(id), item_kind::file, false, path, version(id), 5, text(id), mark_of(id, id)};
}

std::vector<std::string> paths(const result<std::vector<base_item>>& items) {
  std::vector<std::string> out;
  for (const base_item& one : *items) out.push_back(one.path);
  std::sort(out.begin(), out.end());
  return out;
}

class State : public ::testing::Test {
 protected:
  void reopen() {
    state_.reset();
    auto opened = open_state(path_);
    ASSERT_TRUE(opened.ok()) << opened.error().detail;
    state_ = std::move(*opened);
  }
  void SetUp() override { reopen(); }

  obsync::test::scratch_folder scratch_;
  std::string path_ = scratch_ / "state.db";
  std::unique_ptr<sync_state> state_;
};

TEST_F(State, RemembersOverARestart) {
  listed_content listed;
  listed.chunks.push_back({id_of<chunk_sid>(1), id_of<chunk_cid>(2), 77});
  listed.sha256 = id_of<digest>(9);
  ASSERT_TRUE(state_->put_base({item(1, "a/b"), listed}).ok());
  ASSERT_TRUE(state_->set_cursor(42).ok());
  ASSERT_TRUE(state_->set_fact("domain", "d").ok());
  reopen();
  const auto back = state_->base_of(file(1)).value().value();
  EXPECT_EQ(back.item.path, "a/b");
  EXPECT_EQ(back.item.mark, mark_of(1, 1));
  EXPECT_EQ(back.item.content, text(1));
  EXPECT_EQ(back.listed.chunks, listed.chunks);
  EXPECT_EQ(back.listed.sha256, listed.sha256);
  EXPECT_EQ(state_->cursor().value(), 42);
  EXPECT_EQ(state_->fact("domain").value(), "d");
  EXPECT_EQ(state_->fact("other").value(), std::nullopt);
}

TEST_F(State, IsPrivateToItsOwner) {
  EXPECT_EQ(std::filesystem::status(path_).permissions() & std::filesystem::perms::all,
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(State, BelongsToOneProcessAtATime) {
  const auto second = open_state(path_);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, errc::exists);
}

TEST_F(State, RefusesWhatItDidNotWrite) {
  const std::string other = scratch_ / "other.db";
  std::ofstream(other) << "this is not a database, but it is long enough to be looked at as one by mistake";
  const auto opened = open_state(other);
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, errc::corrupt);
}

TEST_F(State, RefusesTheStateOfANewerVersion) {
  ASSERT_TRUE(state_->set_fact("schema", "99").ok());
  state_.reset();
  EXPECT_EQ(open_state(path_).error().code, errc::unsupported);
}

TEST_F(State, FindsAPathAndAllBelowIt) {
  for (const auto& [id, path] : {std::pair{1, "f"}, {2, "f/a"}, {3, "f/g/b"}, {4, "f0"}, {5, "f a"}}) {
    ASSERT_TRUE(state_->put_base({item(static_cast<std::uint8_t>(id), path), {}}).ok());
  }
  EXPECT_EQ(paths(state_->base_at({"f"})), (std::vector<std::string>{"f", "f/a", "f/g/b"}));
  EXPECT_EQ(paths(state_->base_at({"", "f"})).size(), paths(state_->base()).size())
      << "everything lies below the top";
  EXPECT_EQ(state_->path_of_inode(4).value(), "f0");
  EXPECT_TRUE(state_->is_path_known("f/a").value());
  EXPECT_FALSE(state_->is_path_known("f/").value());
  EXPECT_EQ(state_->counts().value().files, 5u);
}

TEST_F(State, ShowsDeletedFilesOnlyWhileTheyHaveNews) {
  base_item gone = item(1, "a");
  gone.gone = true;
  ASSERT_TRUE(state_->put_base({gone, {}}).ok());
  EXPECT_TRUE(state_->base().value().empty());
  ASSERT_TRUE(state_->put_pending({file(1), {version(7)}, "", false}).ok());
  EXPECT_EQ(state_->base().value().size(), 1u);
}

TEST_F(State, KeepsOfAPendingFileOnlyItsPresentHeads) {
  ASSERT_TRUE(state_->put_pending({file(1), {version(7), version(8)}, "", false}).ok());
  pending_head head;
  head.head.path = "a";
  head.head.id = version(7);
  ASSERT_TRUE(state_->put_head(file(1), head).ok());
  ASSERT_EQ(state_->unread_files().value().size(), 1u);
  head.head.id = version(8);
  ASSERT_TRUE(state_->put_head(file(1), head).ok());
  EXPECT_TRUE(state_->unread_files().value().empty());
  EXPECT_EQ(state_->pending().value().at(0).heads.size(), 2u);
  ASSERT_TRUE(state_->put_pending({file(1), {version(8)}, "", false}).ok());
  EXPECT_EQ(state_->pending().value().at(0).heads.at(0).id, version(8));
  EXPECT_FALSE(state_->head(file(1), version(7)).value().has_value());
  ASSERT_TRUE(state_->forget_pending(file(1)).ok());
  EXPECT_TRUE(state_->pending().value().empty());
}

TEST_F(State, TakesBackABatchThatWasNotCommitted) {
  ASSERT_TRUE(state_->begin().ok());
  ASSERT_TRUE(state_->set_cursor(9).ok());
  state_->roll_back();
  EXPECT_EQ(state_->cursor().value(), 0);
}

TEST(ChunkRows, IgnoreATornLastRow) {
  listed_content listed;
  listed.chunks = {{id_of<chunk_sid>(1), id_of<chunk_cid>(2), 8u << 20},
                   {id_of<chunk_sid>(3), id_of<chunk_cid>(4), 0}};
  bytes packed = pack_content(listed);
  EXPECT_EQ(unpack_content(packed).chunks, listed.chunks);
  packed.pop_back();
  EXPECT_EQ(unpack_content(packed).chunks.size(), 1u);
  EXPECT_TRUE(unpack_content({}).chunks.empty());
}

}  // namespace
}  // namespace obsync::client
