#include "client/home/record.hpp"

#include <gtest/gtest.h>

#include "client/watch/watch_status.hpp"

namespace obsync::client {
namespace {

TEST(Record, CarriesAnyByteOfAValue) {
  std::string every;
  for (int byte = 0; byte < 256; ++byte) every.push_back(static_cast<char>(byte));
  record made("title 1");
  made.set("all", every);
  made.set("empty", "");
  const auto read = record::parse("title 1", made.text());
  ASSERT_TRUE(read);
  EXPECT_EQ(*read->get("all"), every);
  EXPECT_EQ(*read->get("empty"), "");
  EXPECT_FALSE(read->get("other"));
}

TEST(Record, RefusesWhatItDidNotWrite) {
  for (const char* text :
       {"", "title 1", "other\n", "title 1\nname\n", "title 1\nname value", "title 1\nname %4\n",
        "title 1\nname %zz\n", "title 1\na 1\na 2\n", "title 1\n value\n", "title 1\nNAME v\n"}) {
    const auto read = record::parse("title 1", text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, errc::corrupt) << text;
  }
}

TEST(WatchStatus, ReadsBackWhatWasWritten) {
  watch_status made;
  made.state = "waiting";
  made.reason_code = "volume_full";
  made.reason = "two\nlines";
  made.pending = 1;
  made.held = 2;
  made.failed = 3;
  made.bytes_sent = 4;
  made.bytes_received = 5;
  made.tracked_files = 6;
  made.tracked_folders = 7;
  made.cursor = 8;
  made.updated_ms = 9;
  const auto read = parse_watch_status(to_text(made));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, made);
  EXPECT_FALSE(parse_watch_status("obsync-status 1\nstate x\n"));
}

}  // namespace
}  // namespace obsync::client
