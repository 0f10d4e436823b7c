// What a user can get wrong: each is refused with its reason and the right exit code, and changes nothing.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/e2e/device.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/server_process.hpp"
#include "tests/support/tiny_server.hpp"

namespace obsync::test {
namespace {

namespace fs = std::filesystem;

const std::string wrong_token(64, '0');

class BadInput : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(server_.start());
    c_.write("mine.md", "mine");
  }

  void make_a_vault_on_a() const {
    const finished made = a_.init(server_.url(), server_.setup_token());
    ASSERT_EQ(made.status, 0) << made.output;
  }

  // c has no vault, its folder is as it was, and no words were left behind.
  void expect_refused(const finished& said, const std::string& reason) const {
    EXPECT_EQ(said.status, 1) << said.output;
    EXPECT_NE(said.output.find(reason), std::string::npos) << said.output;
    EXPECT_EQ(c_.tree(), (file_tree{{"mine.md", "mine"}}));
    EXPECT_EQ(c_.run({"status", c_.root()}).status, 1);
    EXPECT_FALSE(fs::exists(scratch_ / "c.phrase"));
  }

  scratch_folder scratch_;
  server_process server_{scratch_.path()};
  device a_{scratch_.path(), "a"};
  device c_{scratch_.path(), "c"};
};

TEST_F(BadInput, AServerNobodyRunsIsNamedAsUnreachable) {
  server_.kill();
  expect_refused(c_.init(server_.url(), wrong_token), "127.0.0.1:" + std::to_string(server_.port()));
}

TEST_F(BadInput, AWebServerIsNoObsyncServer) {
  tiny_server foreign([](const tiny_request&) { return http_text(200, "hello", "text/html"); });
  expect_refused(c_.init(foreign.url(), wrong_token), "this is not an obsync server");
}

TEST_F(BadInput, AWrongTokenIsSaidToBeWrongAndTheRightOneStillWorksAfterwards) {
  expect_refused(c_.init(server_.url(), wrong_token), "the setup token is wrong");
  const finished made = c_.init(server_.url(), server_.setup_token());
  EXPECT_EQ(made.status, 0) << made.output;
}

TEST_F(BadInput, ASpentTokenSaysHowToComeInInstead) {
  make_a_vault_on_a();
  expect_refused(c_.init(server_.url(), server_.setup_token()), "obsync join");
}

TEST_F(BadInput, ACodeThatIsCutMistypedOrOfAnotherPairingLetsNobodyInAndTheRightOneStillDoes) {
  make_a_vault_on_a();
  process offer = a_.start({"pair", "--yes", a_.root()});
  ASSERT_TRUE(offer.wait_for_output("code=")) << offer.output();
  const std::string said = offer.output();
  const std::string code = said.substr(said.find("code=") + 5, 128);
  const auto join = [&](const std::string& with) {
    return c_.run({"join", "--server", server_.url(), "--code", "-", c_.root()}, with + "\n");
  };
  expect_refused(join(code.substr(0, 127)), "the pairing code is incomplete");
  expect_refused(join("1" + code.substr(1)), "this is no pairing code");
  std::string mistyped = code;
  mistyped[3] = mistyped[3] == 'A' ? 'B' : 'A';  // of the pairing's id
  expect_refused(join(mistyped), "the server does not know this pairing");
  const finished joined = join(code);
  EXPECT_EQ(joined.status, 0) << joined.output;
  EXPECT_EQ(offer.wait(), 0) << offer.output();
}

TEST_F(BadInput, AFolderInsideASyncedOneOrAroundItIsRefused) {
  const std::string around = scratch_ / "around";
  fs::create_directory(around);
  const device deep(around, "deep");
  const finished made = deep.init(server_.url(), server_.setup_token());
  ASSERT_EQ(made.status, 0) << made.output;
  fs::create_directory(deep.root() + "/inside");
  // The home of a device beside the folder would itself be a reason to refuse the folder around both.
  const std::string home = scratch_ / "elsewhere";
  fs::rename(deep.home(), home);
  const auto init = [&](const std::string& folder) {
    return run_to_end(std::string(OBSYNC_BINARY_DIR) + "/obsync",
                      {"--home", home, "init", "--server", server_.url(), "--token", "-", folder},
                      scratch_ / "said", wrong_token + "\n");
  };
  const finished inside = init(deep.root() + "/inside");
  EXPECT_EQ(inside.status, 1);
  EXPECT_NE(inside.output.find("lies inside the synced folder " + deep.root()), std::string::npos)
      << inside.output;
  const finished outside = init(around);
  EXPECT_EQ(outside.status, 1);
  EXPECT_NE(outside.output.find("contains the synced folder " + deep.root()), std::string::npos)
      << outside.output;
  EXPECT_EQ(deep.tree(), (file_tree{{"inside/", ""}}));
}

TEST_F(BadInput, AFolderBoundAlreadyStaysWithItsVaultAndTheOtherServersTokenStaysGood) {
  make_a_vault_on_a();
  server_process other(scratch_ / "other");
  fs::create_directory(other.folder());
  ASSERT_TRUE(other.start());
  const finished said =
      a_.run({"init", "--server", other.url(), "--token", "-", a_.root()}, other.setup_token() + "\n");
  EXPECT_EQ(said.status, 1);
  EXPECT_NE(said.output.find("is already synced with " + server_.url()), std::string::npos) << said.output;
  a_.sync();
  const finished made = c_.init(other.url(), other.setup_token());
  EXPECT_EQ(made.status, 0) << made.output;
}

TEST_F(BadInput, AHomeInsideTheFolderIsRefusedAndNotMade) {
  const finished said = run_to_end(
      std::string(OBSYNC_BINARY_DIR) + "/obsync",
      {"--home", c_.root() + "/.home", "init", "--server", server_.url(), "--token", "-", c_.root()},
      scratch_ / "said", server_.setup_token() + "\n");
  expect_refused(said, "would lie inside the synced folder");
}

TEST_F(BadInput, WordsObsyncDoesNotKnowAreBadUsage) {
  EXPECT_EQ(c_.run({"nonsense"}).status, 2);
  EXPECT_EQ(c_.run({"sync"}).status, 2);
  EXPECT_EQ(c_.run({"sync", "--nonsense", c_.root()}).status, 2);
  EXPECT_EQ(c_.run({"help"}).status, 0);
  EXPECT_EQ(c_.run({"version"}).status, 0);
}

}  // namespace
}  // namespace obsync::test
