// Verbs in this process, against a server on this machine that answers from a table.
#include "client/command/command.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "client/format/recovery_credential.hpp"
#include "client/format/recovery_phrase.hpp"
#include "client/home/home.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/tiny_server.hpp"
#include "wire/dashboard.hpp"
#include "wire/setup.hpp"

namespace obsync::client {
namespace {

namespace fs = std::filesystem;
using test::http_text;

// What the sync engine would do, by script.
class scripted_vault final : public vault_sync {
 public:
  explicit scripted_vault(round_report report) : report_(std::move(report)) {}
  round_report round(const round_scope&, progress_sink&) override { return report_; }
  sequence cursor() const override { return 1; }
  sync_status status() override { return {1, 2, 3}; }
  void stop() override {}

 private:
  const round_report report_;
};

class CommandTest : public ::testing::Test {
 protected:
  CommandTest() { report.up_to_date = true; }

  std::string answer(const test::tiny_request& request) {
    const std::lock_guard lock(mutex);
    requests.push_back(request.method + " " + request.target);
    if (request.target == "/v1/setup") {
      setups.push_back(*wire::from_json<wire::setup_request>(request.body));
      if (setup_refusal && !setups.back().recovery_proof) return http_text(409, *setup_refusal);
      wire::setup_answer made;
      made.account.raw.fill(1);
      made.device.raw.fill(static_cast<std::uint8_t>(setups.size()));
      made.recovered = setups.back().recovery_proof.has_value();
      return http_text(201, wire::to_json(made));
    }
    if (request.target == "/v1/account") {
      wire::account_info account;
      account.name = "family";
      return http_text(200, wire::to_json(account));
    }
    if (request.target == "/v1/devices/heartbeat" || request.target.ends_with("/revoke"))
      return http_text(204, "");
    if (request.target == "/v1/dashboard/login-link") return http_text(200, wire::to_json(login));
    if (request.target == "/v1/devices") return http_text(200, wire::to_json(devices));
    return http_text(404, R"({"error":"plugin_unavailable","detail":""})");
  }

  int run(std::vector<std::string> words, const std::string& typed = "") {
    words.insert(words.begin(), {"--home", root / "home"});
    const auto args = parse_arguments(words);
    EXPECT_TRUE(args) << args.error().text;
    std::istringstream in(typed);
    out.str("");
    err.str("");
    console io({in, out, err}, false, false);
    command_context context{io, time, random, stop, [this](auto&&...) -> result<std::unique_ptr<vault_sync>> {
                              return std::unique_ptr<vault_sync>(std::make_unique<scripted_vault>(report));
                            }};
    return run_command(*args, context);
  }

  int init(const std::string& folder = "notes") {
    return run(
        {"init", "--server", server.url(), "--token", "-", "--phrase-file", root / "words", root / folder},
        "the token\n");
  }

  std::size_t bindings() { return home::open(root / "home")->bindings()->size(); }

  test::scratch_folder root;
  std::mutex mutex;
  std::vector<std::string> requests;
  std::vector<wire::setup_request> setups;
  std::optional<std::string> setup_refusal;
  wire::device_list devices;
  wire::login_link login;
  round_report report;
  std::ostringstream out;
  std::ostringstream err;
  system_clock time;
  system_random random;
  stop_request stop;
  test::tiny_server server{[this](const test::tiny_request& request) { return answer(request); }};
};

TEST_F(CommandTest, InitBindsTheFolderAndKeepsTheWordsInAFileOfTheOwner) {
  ASSERT_EQ(init(), exit_done) << err.str();
  ASSERT_EQ(setups.size(), 1u);
  EXPECT_EQ(setups[0].setup_token, "the token");
  std::stringstream words;
  words << std::ifstream(root / "words").rdbuf();
  const auto key = from_recovery_phrase(words.str());
  ASSERT_TRUE(key);
  EXPECT_EQ(setups[0].recovery_verifier, recovery_verifier(*key).hex());
  EXPECT_FALSE(setups[0].recovery_proof);
  struct stat info {};
  ASSERT_EQ(::stat((root / "words").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  const auto bound = home::open(root / "home")->find(root / "notes");
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->vault_key.raw, key->raw);
  EXPECT_TRUE(fs::is_empty(root / "home/keys"));
  EXPECT_EQ(out.str().find(words.str().substr(0, 20)), std::string::npos);
}

TEST_F(CommandTest, InitShowsTheWordsWhereNoFileIsNamed) {
  ASSERT_EQ(run({"init", "--server", server.url(), "--token", "t", root / "notes"}), exit_done) << err.str();
  EXPECT_NE(out.str().find("  24 "), std::string::npos);
}

TEST_F(CommandTest, ARefusedInitLeavesNothingBehind) {
  setup_refusal = R"({"error":"already_set_up","detail":""})";
  EXPECT_EQ(init(), exit_not_done);
  EXPECT_NE(err.str().find("obsync join"), std::string::npos);
  EXPECT_FALSE(fs::exists(root / "words"));
  EXPECT_FALSE(fs::exists(root / "notes"));
  EXPECT_TRUE(fs::is_empty(root / "home/keys"));
  EXPECT_EQ(bindings(), 0u);
}

TEST_F(CommandTest, AnInitThatWasCutOffIsFinishedByTheNext) {
  // The earlier one made key, words and account, and died before it could write the binding.
  crypto::secret32 key;
  random.fill(key.raw);
  ASSERT_TRUE(home::open(root / "home")->keep_key(root / "notes", key));
  std::ofstream(root / "words") << to_recovery_phrase(key) << "\n";
  setup_refusal = R"({"error":"already_set_up","detail":""})";
  ASSERT_EQ(init(), exit_done) << err.str();
  EXPECT_EQ(setups.back().recovery_proof, recovery_proof(key).hex());
  EXPECT_EQ(home::open(root / "home")->find(root / "notes")->vault_key.raw, key.raw);
}

TEST_F(CommandTest, InitNeverWritesWordsOverAFile) {
  std::ofstream(root / "words") << "something else\n";
  EXPECT_EQ(init(), exit_not_done);
  EXPECT_TRUE(setups.empty());
  EXPECT_EQ(fs::file_size(root / "words"), 15u);
}

TEST_F(CommandTest, ABoundFolderIsNotBoundAgain) {
  ASSERT_EQ(init(), exit_done);
  EXPECT_EQ(init(), exit_not_done);
  EXPECT_EQ(init("notes/sub"), exit_not_done);
  EXPECT_EQ(setups.size(), 1u);
  EXPECT_EQ(bindings(), 1u);
}

TEST_F(CommandTest, AForeignServerIsNamedAndNothingIsMade) {
  test::tiny_server foreign(
      [](const test::tiny_request&) { return http_text(200, "<html></html>", "text/html"); });
  EXPECT_EQ(run({"init", "--server", foreign.url(), "--token", "t", root / "notes"}), exit_not_done);
  EXPECT_NE(err.str().find("this is not an obsync server"), std::string::npos);
  EXPECT_EQ(bindings(), 0u);
  EXPECT_TRUE(fs::is_empty(root / "home/keys"));
}

TEST_F(CommandTest, RecoverTakesTheWordsFromStandardInput) {
  crypto::secret32 key;
  random.fill(key.raw);
  ASSERT_EQ(run({"recover", "--server", server.url(), "--token", "t", "--phrase-file", "-", root / "notes"},
                to_recovery_phrase(key) + "\n"),
            exit_done)
      << err.str();
  EXPECT_EQ(setups.back().recovery_proof, recovery_proof(key).hex());
  EXPECT_NE(out.str().find("back in the vault"), std::string::npos);
}

TEST_F(CommandTest, AMistypedCodeIsRefusedBeforeAnybodyIsAsked) {
  EXPECT_EQ(run({"join", "--server", server.url(), "--code", "AERUKZ4JVPG6", root / "notes"}), exit_not_done);
  EXPECT_FALSE(err.str().empty());
  EXPECT_TRUE(requests.empty());
}

TEST_F(CommandTest, SyncPrintsALinePerTroubleAndFails) {
  ASSERT_EQ(init(), exit_done);
  report.up_to_date = false;
  report.troubles = {{"a.md", "no_permission", "it may not be read"}, {"b.md", "held_delete", "held back"}};
  EXPECT_EQ(run({"sync", root / "notes"}), exit_not_done);
  EXPECT_EQ(out.str(), "a.md: it may not be read (no_permission)\nb.md: held back (held_delete)\n");
  EXPECT_EQ(err.str(), "obsync: 2 not up to date\n");
}

TEST_F(CommandTest, SyncIsDoneOnlyWhenAllIsUpToDate) {
  ASSERT_EQ(init(), exit_done);
  EXPECT_EQ(run({"sync", root / "notes"}), exit_done);
  EXPECT_EQ(out.str(), "up to date: 0 sent, 0 received, 0 deleted there, 0 deleted here\n");
}

TEST_F(CommandTest, StatusTellsScriptsWhatTheLastRoundLeft) {
  ASSERT_EQ(init(), exit_done);
  ASSERT_EQ(run({"status", "--json", root / "notes"}), exit_done);
  EXPECT_NE(out.str().find(R"("watching":false,"state":"never_synced","reason_code":null)"),
            std::string::npos);
  report.up_to_date = false;
  report.troubles = {{"a.md", "volume_full", "the server's volume is full"}, {"b.md", "held_delete", "held"}};
  run({"sync", root / "notes"});
  ASSERT_EQ(run({"status", "--json", root / "notes"}), exit_done);
  EXPECT_NE(out.str().find(R"("state":"waiting","reason_code":"volume_full")"), std::string::npos)
      << out.str();
  EXPECT_NE(out.str().find(R"("pending":0,"held":1,"failed":1)"), std::string::npos) << out.str();
  fs::remove_all(root / "notes");
  ASSERT_EQ(run({"status", "--json", root / "notes"}), exit_done);
  EXPECT_NE(out.str().find(R"("state":"root_missing")"), std::string::npos) << out.str();
}

TEST_F(CommandTest, RevokePicksByNameAndRefusesAnAmbiguousOne) {
  ASSERT_EQ(init(), exit_done);
  for (std::uint8_t number = 1; number <= 3; ++number) {
    wire::device_info device;
    device.id.raw.fill(number);
    device.card = {number == 1 ? "laptop" : "phone", "linux", "1"};
    devices.devices.push_back(device);
  }
  EXPECT_EQ(run({"revoke", "phone"}), exit_not_done);
  EXPECT_NE(err.str().find("several devices"), std::string::npos);
  EXPECT_EQ(run({"revoke", "0202"}), exit_done) << err.str();
  EXPECT_EQ(requests.back(), "POST /v1/devices/" + devices.devices[1].id.hex() + "/revoke");
  EXPECT_EQ(run({"revoke", "nobody"}), exit_not_done);
}

TEST_F(CommandTest, DashboardPrintsAWholeAddressAndNothingThatIsNone) {
  ASSERT_EQ(init(), exit_done);
  login.url = "https://notes.example/login?token=0";
  EXPECT_EQ(run({"dashboard"}), exit_done) << err.str();
  EXPECT_EQ(out.str(), "https://notes.example/login?token=0\n");
  login.url = "/login?token=0";
  EXPECT_EQ(run({"dashboard"}), exit_done) << err.str();
  EXPECT_EQ(out.str(), server.url() + "/login?token=0\n");
  login.url = "javascript:alert(1)";
  EXPECT_EQ(run({"dashboard"}), exit_not_done);
  EXPECT_EQ(out.str(), "");
}

TEST_F(CommandTest, AnUnboundFolderIsNamed) {
  EXPECT_EQ(run({"sync", root / "notes"}), exit_not_done);
  EXPECT_NE(err.str().find("not a synced folder"), std::string::npos);
}

}  // namespace
}  // namespace obsync::client
