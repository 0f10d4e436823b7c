#include "tests/tidy/include_rules.hpp"

#include <gtest/gtest.h>

namespace obsync::tidy {
namespace {

std::string verdict(const std::string& path, const std::string& line) {
  breaches found;
  const source_file file = make_source(path, line);
  check_own_includes(file, found);
  check_foreign_includes(file, found);
  return found.empty() ? "" : found.front().text();
}

TEST(IncludeRules, ReadEveryLayoutOfAnInclude) {
  EXPECT_EQ(included("#include \"core/a.hpp\""), "\"core/a.hpp\"");
  EXPECT_EQ(included("  #  include <vector>  // why"), "<vector>");
  EXPECT_EQ(included("// #include <vector>"), "");
  EXPECT_EQ(included("#include broken"), "");
}

TEST(IncludeRules, LetAFolderIncludeWhatStandsBelow) {
  EXPECT_EQ(verdict("store/a.cpp", "#include \"core/b.hpp\""), "");
  EXPECT_EQ(verdict("http/a.cpp", "#include \"actors/ports.hpp\""), "");
  EXPECT_EQ(verdict("app/a.cpp", "#include \"actors/front.hpp\""), "");
}

TEST(IncludeRules, NameFileLineRuleAndAlternative) {
  EXPECT_EQ(verdict("core/a.cpp", "\n#include \"wire/b.hpp\""),
            "core/a.cpp:2: [includes] core/ may not include \"wire/b.hpp\", only core");
  EXPECT_EQ(
      verdict("store/a.cpp", "#include <caf/all.hpp>"),
      "store/a.cpp:1: [libraries] <caf/all.hpp> belongs to actors, app, tests/actors, tests/sim, tests/support, perf; "
      "use plain structs through actors/ports.hpp");
}

TEST(IncludeRules, KeepTheServerAndTheClientApart) {
  EXPECT_NE(verdict("app/a.cpp", "#include \"client/home/home.hpp\""), "");
  EXPECT_NE(verdict("client/a.cpp", "#include \"store/catalog.hpp\""), "");
  EXPECT_NE(verdict("http/a.cpp", "#include \"actors/front.hpp\""), "");
}

TEST(IncludeRules, JudgeASubFolderByItsOwnRow) {
  EXPECT_NE(verdict("client/engine/a.cpp", "#include \"client/vault/b.hpp\""), "");
  EXPECT_EQ(verdict("client/sync/a.cpp", "#include \"client/vault/b.hpp\""), "");
}

TEST(IncludeRules, DemandPathsFromTheRoot) {
  EXPECT_NE(verdict("core/a.cpp", "#include \"b.hpp\""), "");
  EXPECT_NE(verdict("core/a.cpp", "#include \"../core/b.hpp\""), "");
}

TEST(IncludeRules, KeepTheOperatingSystemBehindTheSeams) {
  EXPECT_NE(verdict("actors/a.cpp", "#include <unistd.h>"), "");
  EXPECT_NE(verdict("store/a.cpp", "#include <sys/file.h>"), "");
  EXPECT_EQ(verdict("core/posix.cpp", "#include <sys/stat.h>"), "");
}

TEST(IncludeRules, RefuseALibraryNobodyDecidedOn) {
  EXPECT_NE(verdict("core/a.cpp", "#include <absl/status.h>"), "");
  EXPECT_EQ(verdict("core/a.cpp", "#include <vector>"), "");
}

TEST(IncludeRules, RefuseAFolderWithoutARow) {
  EXPECT_NE(verdict("helpers/a.cpp", ""), "");
}

}  // namespace
}  // namespace obsync::tidy
