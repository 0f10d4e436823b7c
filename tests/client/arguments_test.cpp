#include "client/command/arguments.hpp"

#include <gtest/gtest.h>

#include "client/command/help_text.hpp"

namespace obsync::client {
namespace {

using words = std::vector<std::string>;

TEST(Arguments, ReadsEveryOptionOfInit) {
  const auto args =
      parse_arguments({"--home", "/h", "init", "--server", "http://x", "--token", "t", "--account", "us",
                       "--name", "lap", "--ca", "ca.pem", "--phrase-file", "p", "notes"});
  ASSERT_TRUE(args) << args.error().text;
  EXPECT_EQ(args->what, verb::init);
  EXPECT_EQ(args->home, "/h");
  EXPECT_EQ(args->server, "http://x");
  EXPECT_EQ(args->token.given, "t");
  EXPECT_EQ(args->account_name, "us");
  EXPECT_EQ(args->device_name, "lap");
  EXPECT_EQ(args->ca_file, "ca.pem");
  EXPECT_EQ(args->phrase_file, "p");
  EXPECT_EQ(args->folder, "notes");
}

TEST(Arguments, TakesHomeAfterTheVerbToo) {
  const auto args = parse_arguments({"sync", "notes", "--home", "/h"});
  ASSERT_TRUE(args) << args.error().text;
  EXPECT_EQ(args->home, "/h");
}

TEST(Arguments, TakesADashForStandardInput) {
  const auto args = parse_arguments({"join", "--server", "http://x", "--code", "-", "notes"});
  ASSERT_TRUE(args) << args.error().text;
  EXPECT_EQ(args->code.given, "-");
}

TEST(Arguments, ReadsWhatExportAndImportTake) {
  const auto past = parse_arguments({"export", "--at", "2026-11-30", "--archive", "f", "notes", "out"});
  ASSERT_TRUE(past) << past.error().text;
  EXPECT_EQ(past->what, verb::take_out);
  EXPECT_EQ(past->at, "2026-11-30");
  EXPECT_EQ(past->archive, "f");
  EXPECT_EQ(past->folder + ">" + past->out, "notes>out");
  const auto sealed = parse_arguments({"export", "--sealed", "f", "notes"});
  ASSERT_TRUE(sealed) << sealed.error().text;
  EXPECT_EQ(sealed->sealed, "f");
  const auto in = parse_arguments({"import", "--under", "Old", "--dry-run", "plain", "notes"});
  ASSERT_TRUE(in) << in.error().text;
  EXPECT_EQ(in->what, verb::bring_in);
  EXPECT_EQ(in->source + ">" + in->folder + "/" + in->under, "plain>notes/Old");
  EXPECT_TRUE(in->dry_run);
}

TEST(Arguments, RefusesBadUsageNamingTheHelpPage) {
  struct wrong {
    words typed;
    const char* hint;
  };
  for (const wrong& each :
       {wrong{{"frobnicate"}, "`obsync help`"}, wrong{{"sync"}, "`obsync help sync`"},
        wrong{{"sync", "a", "b"}, "`obsync help sync`"}, wrong{{"sync", "--fast", "a"}, "sync`"},
        wrong{{"init", "a"}, "`obsync help init`"}, wrong{{"revoke"}, "`obsync help revoke`"},
        wrong{{"init", "--server", "sync.example.org", "a"}, "`obsync help init`"},
        wrong{{"init", "--server", "http://x", "--token", "a", "--token-file", "b", "c"}, "init`"},
        wrong{{"export", "a"}, "`obsync help export`"},
        wrong{{"export", "--sealed", "f", "a", "out"}, "`obsync help export`"},
        wrong{{"export", "--sealed", "f", "--at", "2026-11-30", "a"}, "`obsync help export`"},
        wrong{{"export", "--at", "soon", "a", "out"}, "`obsync help export`"},
        wrong{{"import", "a"}, "`obsync help import`"}, wrong{{"help", "frob"}, "`obsync help`"}}) {
    const auto args = parse_arguments(each.typed);
    ASSERT_FALSE(args) << each.typed.front();
    EXPECT_NE(args.error().text.find(each.hint), std::string::npos) << args.error().text;
  }
}

TEST(Arguments, AsksForHelpInEveryWay) {
  for (const words& typed : {words{"help", "pair"}, words{"pair", "--help"}, words{"-h", "pair"}}) {
    const auto args = parse_arguments(typed);
    ASSERT_TRUE(args);
    EXPECT_EQ(args->what, verb::help);
    EXPECT_EQ(args->topic, "pair");
  }
  EXPECT_EQ(parse_arguments({"help"})->topic, "");
  EXPECT_EQ(parse_arguments({"--version"})->what, verb::version);
}

TEST(HelpText, HasAPageForEveryVerb) {
  for (const char* word :
       {"init", "pair", "join", "sync", "watch", "status", "devices", "revoke", "recover"}) {
    EXPECT_TRUE(is_help_topic(word));
    EXPECT_TRUE(help_text(word).starts_with("obsync " + std::string(word))) << word;
    EXPECT_NE(help_text("").find(word), std::string::npos) << word;
  }
}

}  // namespace
}  // namespace obsync::client
