#include "tests/tidy/source_tree.hpp"

#include <gtest/gtest.h>

#include "tests/tidy/include_rules.hpp"
#include "tests/tidy/shape_rules.hpp"

namespace obsync::tidy {
namespace {

// `path name` of functions that may be longer, at most so long. An entry needs a reason beside it, and its
// number only shrinks.
const std::map<std::string, std::size_t> ratchet{};

const std::vector<source_file>& tree() {
  static const std::vector<source_file> read = read_tree(OBSYNC_SOURCE_DIR);
  return read;
}

std::string listed(const breaches& found) {
  std::string out;
  for (const breach& each : found) out += "\n  " + each.text();
  return out;
}

template <class Check>
std::string breaches_of(Check&& check) {
  breaches found;
  for (const source_file& file : tree()) check(file, found);
  return listed(found);
}

TEST(Tidy, SeesTheSources) {
  EXPECT_GT(tree().size(), 50U);
}

TEST(Tidy, FoldersIncludeOnlyWhatStandsBelowThem) {
  EXPECT_EQ(breaches_of(check_own_includes), "");
}

TEST(Tidy, LibrariesAndTheSystemStayBehindTheirBorders) {
  EXPECT_EQ(breaches_of(check_foreign_includes), "");
}

TEST(Tidy, NoFileIsLongerThanFiveHundredLines) {
  EXPECT_EQ(breaches_of(check_file_length), "");
}

TEST(Tidy, NoFunctionIsLongerThanSeventyLines) {
  EXPECT_EQ(
      breaches_of([](const source_file& file, breaches& out) { check_function_lengths(file, ratchet, out); }),
      "");
}

TEST(Tidy, EveryFileIsOfAKnownKind) {
  EXPECT_EQ(breaches_of(check_file_kind), "");
}

TEST(Tidy, TimeAndRandomnessComeThroughConstructors) {
  EXPECT_EQ(breaches_of(check_ambient_state), "");
}

TEST(Tidy, EveryCodeFolderHasItsTwentyLines) {
  breaches found;
  check_folder_readmes(tree(), found);
  EXPECT_EQ(listed(found), "");
}

TEST(Tidy, NoTextNamesAnAbsentDocumentOrSomebodysMachine) {
  EXPECT_EQ(breaches_of([](const source_file& file, breaches& out) {
              check_mentions(file, tree(), OBSYNC_SOURCE_DIR, out);
            }),
            "");
}

}  // namespace
}  // namespace obsync::tidy
