// A server's life, seen from outside: start, stop, start again, and the refusals of a wrong start.
#include <gtest/gtest.h>

#include <csignal>

#include "tests/support/scratch_folder.hpp"
#include "tests/support/server_process.hpp"

namespace obsync::test {
namespace {

const std::string program = std::string(OBSYNC_BINARY_DIR) + "/obsyncd";

TEST(ServerLife, StartsStopsCleanlyAndStartsAgainWithTheSameToken) {
  scratch_folder scratch;
  server_process server(scratch.path());
  ASSERT_TRUE(server.start());
  const std::string token = server.setup_token();
  EXPECT_EQ(server.stop(), 0);
  EXPECT_NE(server.log().find("event=serve_stop decision=clean"), std::string::npos);
  ASSERT_TRUE(server.start());
  EXPECT_EQ(server.setup_token(), token);
}

TEST(ServerLife, ASecondServerOnOneStoreIsRefusedAndTheFirstGoesOn) {
  scratch_folder scratch;
  server_process server(scratch.path());
  ASSERT_TRUE(server.start());
  const auto second =
      run_to_end(program,
                 {"serve", "--store.journal_dir=" + scratch.path() + "/journal",
                  "--store.blobs_dir=" + scratch.path() + "/blobs", "--server.listen=127.0.0.1:0"},
                 scratch / "second.log");
  EXPECT_EQ(second.status, 1);
  EXPECT_NE(second.output.find("cannot start"), std::string::npos) << second.output;
  EXPECT_TRUE(server.running().running());
}

TEST(ServerLife, ATakenAddressIsSaidPlainly) {
  scratch_folder scratch;
  server_process server(scratch.path());
  ASSERT_TRUE(server.start());
  const auto second = run_to_end(program,
                                 {"serve", "--store.journal_dir=" + scratch.path() + "/j2",
                                  "--store.blobs_dir=" + scratch.path() + "/b2",
                                  "--server.listen=127.0.0.1:" + std::to_string(server.port())},
                                 scratch / "second.log");
  EXPECT_EQ(second.status, 1);
  EXPECT_NE(second.output.find("server.listen = 127.0.0.1"), std::string::npos) << second.output;
}

TEST(ServerLife, BadUsageIsExitTwoAndHelpIsExitZero) {
  scratch_folder scratch;
  EXPECT_EQ(run_to_end(program, {"nonsense"}, scratch / "a").status, 2);
  EXPECT_EQ(run_to_end(program, {"serve", "--server.listn=1"}, scratch / "b").status, 2);
  EXPECT_EQ(run_to_end(program, {"help"}, scratch / "c").status, 0);
  EXPECT_EQ(run_to_end(program, {"version"}, scratch / "d").status, 0);
}

TEST(ServerLife, NoLogLineHoldsTheTokenOrTheKey) {
  scratch_folder scratch;
  server_process server(scratch.path(), {"--log.level=debug"});
  ASSERT_TRUE(server.start());
  EXPECT_EQ(server.stop(), 0);
  EXPECT_EQ(server.log().find(server.setup_token()), std::string::npos);
}

}  // namespace
}  // namespace obsync::test
