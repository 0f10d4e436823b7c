#include "client/restore/bring_in.hpp"

#include <gtest/gtest.h>

#include "tests/support/memory_vault.hpp"
#include "tests/support/sync_world.hpp"

namespace obsync::client {
namespace {

using namespace testing;
using text_map = std::map<std::string, std::string>;

class BringIn : public ::testing::Test {
 protected:
  bring_report run(const bring_options& asked = {}) {
    bring_options options = asked;
    options.device_name = "laptop";
    heard.clear();
    return bring_in(
        *make_memory_vault(source), *make_memory_vault(vault, fault), options,
        [this](const std::string& path, const std::string& to, brought what) {
          heard.push_back(path + ">" + to + ":" + std::to_string(static_cast<int>(what)));
        },
        progress, [this] { return stop; });
  }

  memory_folder source;
  memory_folder vault;
  std::function<std::optional<error>(const std::string&)> fault;
  silent_progress progress;
  bool stop = false;
  std::vector<std::string> heard;
};

TEST_F(BringIn, CopiesWhatIsAbsentLeavesWhatIsEqualAndKeepsBothWhereTheyDiffer) {
  source.write("new.md", "new");
  source.write("equal.md", "equal");
  source.write("differs.md", "incoming");
  source.make_folder("empty");
  vault.write("equal.md", "equal");
  vault.write("differs.md", "here first");
  const bring_report done = run();
  EXPECT_EQ(done.copied, 1u);
  EXPECT_EQ(done.equal, 1u);
  EXPECT_EQ(done.beside, 1u);
  EXPECT_TRUE(done.troubles.empty());
  const text_map texts = vault.texts();
  EXPECT_EQ(texts.size(), 4u);
  EXPECT_EQ(texts.at("new.md"), "new");
  EXPECT_EQ(texts.at("differs.md"), "here first");
  EXPECT_EQ(texts.at("differs (conflict from laptop, 2020-09-13 1226 UTC).md"), "incoming");
  EXPECT_TRUE(vault.nodes.contains("empty"));
}

TEST_F(BringIn, DoneAgainChangesNothing) {
  source.write("a.md", "a");
  source.write("b.md", "incoming");
  source.write("c.md", std::string(3u << 20, 'c'));
  vault.write("b.md", "here first");
  run();
  const text_map once = vault.texts();
  const bring_report again = run();
  EXPECT_EQ(again.equal, 3u);
  EXPECT_EQ(again.copied + again.beside, 0u);
  EXPECT_EQ(vault.texts(), once);
}

TEST_F(BringIn, CutOffAtAnyOperationItEndsTheSameWhenDoneAgain) {
  const auto prepare = [&] {
    vault.nodes.clear();
    vault.write("b.md", "here first");
  };
  for (const char* name : {"a.md", "b.md", "deep/c.md"}) source.write(name, std::string("text of ") + name);
  prepare();
  run();
  const text_map whole = vault.texts();
  ASSERT_EQ(whole.size(), 4u);
  for (int point = 0;; ++point) {
    prepare();
    int calls = 0;
    fault = [&](const std::string&) -> std::optional<error> {
      if (calls++ < point) return std::nullopt;
      return error{errc::io_failed, "cut off"};
    };
    const bring_report cut = run();
    fault = {};
    if (!cut.ended && cut.troubles.empty()) break;
    for (const auto& [path, text] : vault.texts()) EXPECT_EQ(whole.at(path), text) << "torn at " << point;
    run();
    EXPECT_EQ(vault.texts(), whole) << "after " << point;
    ASSERT_LT(point, 1'000);
  }
}

TEST_F(BringIn, PutsEverythingUnderAFolder) {
  source.write("deep/a.md", "a");
  const bring_report done = run({.under = "Old/2020"});
  EXPECT_EQ(done.copied, 1u);
  EXPECT_EQ(vault.texts(), (text_map{{"Old/2020/deep/a.md", "a"}}));
}

TEST_F(BringIn, OnlyListsWhenAsked) {
  source.write("new.md", "new");
  source.write("differs.md", "incoming");
  source.make_folder("folder");
  vault.write("differs.md", "here first");
  const auto before = vault.nodes.size();
  const bring_report done = run({.only_list = true});
  EXPECT_EQ(done.copied, 1u);
  EXPECT_EQ(done.beside, 1u);
  EXPECT_EQ(vault.nodes.size(), before);
  EXPECT_EQ(heard.size(), 2u);
  EXPECT_EQ(heard[1], "new.md>new.md:0");
}

TEST_F(BringIn, TwoNamesThatAreTakenLeadToAThird) {
  source.write("a.md", "incoming");
  vault.write("a.md", "one");
  vault.write("a (conflict from laptop, 2020-09-13 1226 UTC).md", "two");
  run();
  EXPECT_EQ(vault.texts().at("a (conflict from laptop, 2020-09-13 1226 UTC) 2.md"), "incoming");
}

TEST_F(BringIn, AFileMeetsAFolderOfItsNameAndAFolderAFile) {
  source.write("a", "a file");
  source.write("b/in.md", "inside");
  vault.write("a/in.md", "a folder's");
  vault.write("b", "a file");
  const bring_report done = run();
  EXPECT_EQ(done.beside, 1u);
  EXPECT_EQ(vault.texts().at("a (conflict from laptop, 2020-09-13 1226 UTC)"), "a file");
  EXPECT_EQ(vault.texts().at("b"), "a file");
  ASSERT_EQ(done.troubles.size(), 2u) << "the folder, and what it holds";
}

TEST_F(BringIn, StopsWhenAsked) {
  source.write("a.md", "a");
  stop = true;
  const bring_report done = run();
  ASSERT_TRUE(done.ended);
  EXPECT_TRUE(vault.texts().empty());
}

TEST_F(BringIn, GoesOnWhenSomebodyTakesItsStagedFileForLitter) {
  source.write("a.md", "a");
  int places = 0;
  fault = [&](const std::string& call) -> std::optional<error> {
    if (call != "place" || ++places > 2) return std::nullopt;
    return error{errc::not_found, "rename: it is gone"};
  };
  EXPECT_EQ(run().copied, 1u);
  EXPECT_EQ(vault.texts().at("a.md"), "a");
}

}  // namespace
}  // namespace obsync::client
