#include "tests/tidy/shape_rules.hpp"

#include <gtest/gtest.h>

namespace obsync::tidy {
namespace {

std::string spans(std::string_view code) {
  std::string out;
  for (const function_span& each : functions_of(make_source("core/a.cpp", code))) {
    out += each.name + "@" + std::to_string(each.first_line) + "+" + std::to_string(each.lines) + " ";
  }
  return out;
}

TEST(FunctionSpans, FindFunctionsInNamespacesAndClasses) {
  EXPECT_EQ(spans("namespace a {\nint f(int x) {\n  return x;\n}\nclass b {\n  void g() {}\n};\n}\n"),
            "f@2+3 g@6+1 ");
}

TEST(FunctionSpans, CountALambdaWithTheFunctionItStandsIn) {
  EXPECT_EQ(spans("void f() {\n  g([] {\n    h();\n  });\n}\n"), "f@1+5 ");
}

TEST(FunctionSpans, AreNotFooledByBracesInTextAndComments) {
  EXPECT_EQ(spans("void f() {\n  a(\"{\", '{', 1'000);  // {\n  /* { */ b(R\"({{)\");\n}\nvoid g() {}\n"),
            "f@1+4 g@5+1 ");
}

TEST(FunctionSpans, LeaveOutTablesAndMembersWithBraces) {
  EXPECT_EQ(
      spans(
          "const int a[] = {\n1,\n2};\nstruct s {\n  int b{3};\n  s() : b{1} {}\n};\nenum class e { x };\n"),
      "s@6+1 ");
}

TEST(FunctionSpans, NameATestByItsClaim) {
  EXPECT_EQ(spans("TEST(A, B) {\n}\n"), "A, B@1+2 ");
}

TEST(ShapeRules, RefuseAFunctionOfSeventyOneLinesUnlessTheRatchetHoldsIt) {
  const auto file = make_source("core/a.cpp", "void f() {\n" + std::string(69, '\n') + "}\n");
  breaches found;
  check_function_lengths(file, {}, found);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].text(), "core/a.cpp:1: [length] f has 71 lines of at most 70; give its parts names");
  found.clear();
  check_function_lengths(file, {{"core/a.cpp f", 71}}, found);
  EXPECT_TRUE(found.empty());
}

TEST(ShapeRules, RefuseAFileOfFiveHundredAndOneLines) {
  breaches found;
  check_file_length(make_source("core/a.cpp", std::string(500, '\n')), found);
  EXPECT_TRUE(found.empty());
  check_file_length(make_source("core/a.cpp", std::string(501, '\n')), found);
  EXPECT_EQ(found.size(), 1U);
}

TEST(ShapeRules, RefuseUnknownKindsOfFiles) {
  breaches found;
  for (const char* path :
       {"core/a.cpp", "scripts/run", "tests/fuzz/corpus/x/seed", "LICENSE", "CMakeLists.txt"}) {
    check_file_kind(make_source(path, ""), found);
  }
  EXPECT_TRUE(found.empty());
  for (const char* path : {"core/a.orig", "core/a", "notes.txt"})
    check_file_kind(make_source(path, ""), found);
  EXPECT_EQ(found.size(), 3U);
}

TEST(ShapeRules, RefuseAHiddenClock) {
  breaches found;
  check_ambient_state(make_source("store/a.cpp", "auto t = std::chrono::system_clock::now();"), found);
  EXPECT_EQ(found.size(), 1U);
}

TEST(ShapeRules, RefuseToNameAnAbsentDocument) {
  breaches found;
  const std::vector<source_file> tree{make_source("docs/a.md", "see docs/b.md and a.md")};
  check_mentions(tree[0], tree, "/checkout", found);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].advice, "docs/b.md is not in this repository");
}

TEST(ShapeRules, WantAReadmeInEveryCodeFolder) {
  breaches found;
  check_folder_readmes({make_source("core/a.cpp", "")}, found);
  EXPECT_EQ(found.size(), 1U);
}

}  // namespace
}  // namespace obsync::tidy
