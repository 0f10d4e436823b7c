#include "config/file_reader.hpp"

#include <gtest/gtest.h>

namespace obsync::config {
namespace {

std::string read(std::string_view text) {
  problems wrong;
  std::string out;
  for (const assignment& each : read_file_text(text, "f", wrong)) {
    out += each.place + " " + each.name + "=" + each.text + "\n";
  }
  for (const problem& each : wrong) out += "! " + each.text() + "\n";
  return out;
}

TEST(FileReader, ReadsSectionsCommentsAndEveryKindOfValue) {
  EXPECT_EQ(read("# note\n\n[a] # x\n  b = \"c#d\" # e\nf=12\ng = true\nh = 'i\\'\n"),
            "f:4 a.b=c#d\nf:5 a.f=12\nf:6 a.g=true\nf:7 a.h=i\\\n");
}

TEST(FileReader, ReadsDottedNamesBeforeTheFirstSection) {
  EXPECT_EQ(read("a.b = \"c\"\n"), "f:1 a.b=c\n");
}

TEST(FileReader, ReadsListsOverSeveralLines) {
  EXPECT_EQ(read("[a]\nb = [ # why\n  \"c\",\n\n  'd', # e\n]\nf = []\n"), "f:2 a.b=c,d\nf:7 a.f=\n");
}

TEST(FileReader, TakesWindowsLineEndsAByteOrderMarkAndAMissingLastLineEnd) {
  EXPECT_EQ(read("\xEF\xBB\xBF[a]\r\nb = 1\r\nc = [\r\n\"d\"\r\n]\r\ne = 2"),
            "f:2 a.b=1\nf:3 a.c=d\nf:6 a.e=2\n");
}

TEST(FileReader, ResolvesEscapesOfQuoteAndBackslashOnly) {
  EXPECT_EQ(read("[a]\nb = \"c\\\"d\\\\e\"\n"), "f:2 a.b=c\"d\\e\n");
  EXPECT_EQ(read("[a]\nb = \"\\n\"\n").substr(0, 6), "! f:2:");
}

TEST(FileReader, GoesOnAfterAFaultAndNamesItsLine) {
  EXPECT_EQ(read("[a]\nb = 60s\nc = 1\n[d\ne = \"\n"),
            "f:3 a.c=1\n"
            "! f:2: expected text in double quotes, a whole number, or a list in brackets\n"
            "! f:4: expected a section such as [server]\n"
            "! f:5: a text in quotes must end in the line where it begins\n");
}

TEST(FileReader, RefusesASecondSettingAndASecondSection) {
  EXPECT_EQ(read("[a]\nb = 1\nb = 2\n"), "f:2 a.b=1\n! f:3: a.b was set in line 2 already\n");
  EXPECT_EQ(read("[a]\n[c]\n[a]\n"), "! f:3: section [a] began in line 1 already\n");
}

TEST(FileReader, RefusesWhatHasNoSection) {
  EXPECT_EQ(read("b = 1\n"), "! f:1: b stands outside a section such as [server]\n");
}

TEST(FileReader, RefusesBrokenLists) {
  for (const char* text : {"[a]\nb = [", "[a]\nb = [1]", "[a]\nb = [\"c\" \"d\"]", "[a]\nb = [\"c,d\"]",
                           "[a]\nb = [\"\"]", "[a]\nb = [,]", "[a]\nb = [\"c\",,]", "[a]\nb = [[\"c\"]]"}) {
    EXPECT_EQ(read(text).substr(0, 2), "! ") << text << read(text);
  }
}

TEST(FileReader, RefusesControlCharactersAndTrailingText) {
  EXPECT_EQ(read(std::string_view("[a]\nb = \"\0\"\n", 12)).substr(0, 6), "! f:2:");
  EXPECT_EQ(read("[a]\nb = 1 2\n").substr(0, 6), "! f:2:");
  EXPECT_EQ(read("[a] b = 1\n").substr(0, 6), "! f:1:");
  EXPECT_EQ(read("\x80\n").substr(0, 6), "! f:1:");
}

TEST(FileReader, RefusesAFileThatIsFarTooLarge) {
  EXPECT_EQ(read(std::string((1u << 20) + 1, '\n')),
            "! f: larger than 1MiB: this is not a configuration file\n");
}

}  // namespace
}  // namespace obsync::config
