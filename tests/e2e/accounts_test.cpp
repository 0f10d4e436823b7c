// A family on one server: accounts by invitation, and an operator who lets in, shuts out and takes away.
#include <gtest/gtest.h>

#include <thread>

#include "tests/e2e/device.hpp"
#include "tests/e2e/raw_device.hpp"
#include "tests/e2e/raw_http.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::test {
namespace {

std::string setup_body(const std::string& token, const std::string& more = {}) {
  return R"({"setup_token":")" + token +
         R"(","account_name":"chosen","device":{"name":"d","platform":"linux","app_version":"1"})" + more +
         "}";
}

class Accounts : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(server_.start()); }

  raw_answer setup(const std::string& token, const std::string& more = {}) {
    return ask_unsigned(server_, "POST", "/v1/setup", setup_body(token, more));
  }
  raw_answer asked(const raw_device& who, const std::string& method, const std::string& target,
                   const std::string& body = {}) {
    return ask(server_, who.who(), method, target, body);
  }

  scratch_folder scratch_;
  server_process server_{scratch_.path()};
  seeded_random random_{8};
};

TEST_F(Accounts, ThreeFamiliesWithTwoDevicesEachSyncAndSeeOnlyTheirOwn) {
  std::vector<std::pair<device, device>> families;
  for (const std::string name : {"anna", "bob", "cleo"}) {
    families.emplace_back(device(scratch_.path(), name + "-1"), device(scratch_.path(), name + "-2"));
    const auto& [one, two] = families.back();
    const finished made = one.init(server_.url(), server_.invite(name));
    ASSERT_EQ(made.status, 0) << made.output;
    one.write("of " + name + ".md", name);
    one.write("same for all.md", "same");
    one.sync();
    ASSERT_NO_FATAL_FAILURE(one.pair(two, server_.url()));
  }
  for (const auto& [one, two] : families) two.write("from the second.md", "2");
  for (const auto& [one, two] : families) {
    two.sync();
    one.sync();
    EXPECT_EQ(difference(one.tree(), two.tree()), "");
    EXPECT_EQ(one.tree().size(), 3u);
  }
  const std::string listed = server_.operate({"account", "list"}).output;
  for (const std::string name : {"anna", "bob", "cleo"}) EXPECT_NE(listed.find(name), std::string::npos);
}

TEST_F(Accounts, AnInvitationMakesOneAccountAndThenOnlyRecoversIt) {
  const std::string token = server_.invite("anna");
  const std::string verifier = R"(,"recovery_verifier":")" + std::string(64, 'a') + "\"";
  const raw_answer made = setup(token, verifier);
  ASSERT_EQ(made.status, 201);
  EXPECT_EQ(setup(token).code(), "already_set_up");
  EXPECT_EQ(setup(token, R"(,"recovery_proof":")" + std::string(64, 'b') + "\"").code(),
            "bad_recovery_proof");
  EXPECT_NE(server_.operate({"account", "list"}).output.find("anna"), std::string::npos);
  server_.kill();
  ASSERT_TRUE(server_.start());
  EXPECT_EQ(setup(token).code(), "already_set_up");
}

TEST_F(Accounts, AnAccountByInvitationIsRecoveredWithItsTokenAndItsWords) {
  const device first(scratch_.path(), "first");
  const device second(scratch_.path(), "second");
  const std::string token = server_.invite("anna");
  ASSERT_EQ(first.init(server_.url(), token).status, 0);
  first.write("note.md", "precious");
  first.sync();
  const finished back = second.run({"recover", "--server", server_.url(), "--token", "-", "--phrase-file",
                                    scratch_.path() + "/first.phrase", "--name", "second", second.root()},
                                   token + "\n");
  ASSERT_EQ(back.status, 0) << back.output;
  second.sync();
  EXPECT_EQ(second.tree(), first.tree());
}

TEST_F(Accounts, UnknownOverAndWrongTokensReadTheSame) {
  const std::string over = server_.invite("late", {"--expires", "1ms"});
  ASSERT_FALSE(over.empty());
  const raw_answer unknown = setup(std::string(64, '0'));
  EXPECT_EQ(unknown.code(), "bad_setup_token");
  for (const std::string& token : {over, std::string("short"), std::string(200, 'x'), std::string()}) {
    const raw_answer other = setup(token);
    EXPECT_EQ(other.head, unknown.head);
    EXPECT_EQ(other.body, unknown.body);
  }
}

TEST_F(Accounts, OneInvitationUsedFromManySidesAtOnceMakesOneAccount) {
  const std::string token = server_.invite("anna");
  std::vector<raw_answer> answers(16);
  std::vector<std::thread> askers;
  for (raw_answer& answer : answers) askers.emplace_back([&] { answer = setup(token); });
  for (std::thread& one : askers) one.join();
  EXPECT_EQ(
      std::count_if(answers.begin(), answers.end(), [](const raw_answer& one) { return one.status == 201; }),
      1);
  EXPECT_EQ(std::count_if(answers.begin(), answers.end(),
                          [](const raw_answer& one) { return one.code() == "already_set_up"; }),
            15);
}

TEST_F(Accounts, ADisabledAccountIsRefusedAtOnceAndItsPollEnds) {
  raw_device anna(server_, "x", server_.invite("anna"));
  raw_device bob(server_, "x", server_.invite("bob"));
  ASSERT_TRUE(anna.ok() && bob.ok());
  const auto pairing = anna.routes().create_pairing();
  ASSERT_TRUE(pairing.ok());
  raw_answer poll;
  std::thread waiting([&] { poll = asked(anna, "GET", "/v1/changes?since=0&wait=55"); });
  ASSERT_EQ(asked(anna, "GET", "/v1/account").status, 200);
  ASSERT_EQ(server_.operate({"account", "disable", "anna"}).status, 0);
  waiting.join();
  EXPECT_EQ(poll.code(), "account_disabled");
  EXPECT_EQ(asked(anna, "GET", "/v1/account").code(), "account_disabled");
  const std::string claim = R"({"enroll_token":")" + pairing->enroll_token.hex() +
                            R"(","name":"d","platform":"linux","app_version":"1"})";
  EXPECT_EQ(ask_unsigned(server_, "POST", "/v1/pairing/" + pairing->id.hex() + "/claim", claim).code(),
            "pairing_expired");
  EXPECT_EQ(asked(bob, "GET", "/v1/account").status, 200);
  server_.kill();
  ASSERT_TRUE(server_.start());
  EXPECT_EQ(asked(anna, "GET", "/v1/account").code(), "account_disabled");
  ASSERT_EQ(server_.operate({"account", "enable", "anna"}).status, 0);
  EXPECT_EQ(asked(anna, "GET", "/v1/account").status, 200);
}

TEST_F(Accounts, ARequestFromBeforeAnAccountWasDisabledDoesNotPassAgainOnceItIsEnabled) {
  raw_device anna(server_, "x", server_.invite("anna"));
  ASSERT_TRUE(anna.server().account().ok());
  const auto captured = anna.recorded().back();
  ASSERT_EQ(server_.operate({"account", "disable", "anna"}).status, 0);
  ASSERT_EQ(server_.operate({"account", "enable", "anna"}).status, 0);
  EXPECT_NE(anna.replay(captured).second.find("replayed_nonce"), std::string::npos);
}

TEST_F(Accounts, AReadOnlyDeviceReadsAndIsRefusedEveryWrite) {
  raw_device anna(server_, "x", server_.invite("anna"));
  const made_note note = make_note(random_, 1'000);
  ASSERT_TRUE(anna.server().put_chunk(note.sid, note.sealed).ok());
  ASSERT_TRUE(anna.server().post_version(note.file, note.post).ok());
  const std::string id = anna.who().device.hex();
  ASSERT_EQ(server_.operate({"device", "role", id.substr(0, 8), "ro"}).status, 0);

  const std::string chunk = "/v1/chunks/" + note.sid.hex();
  const std::string sids = R"({"sids":[")" + note.sid.hex() + "\"]}";
  for (const std::string target : {"/v1/account", "/v1/devices", "/v1/files", "/v1/changes?since=0"})
    EXPECT_EQ(asked(anna, "GET", target).status, 200) << target;
  EXPECT_EQ(asked(anna, "GET", chunk).status, 200);
  EXPECT_EQ(asked(anna, "POST", "/v1/chunks/exists", sids).status, 200);
  EXPECT_EQ(asked(anna, "POST", "/v1/chunks/get", sids).status, 200);
  EXPECT_EQ(asked(anna, "POST", "/v1/devices/heartbeat", R"({"app_version":"1"})").status, 204);
  EXPECT_EQ(asked(anna, "PATCH", "/v1/devices/" + id, R"({"name":"mine"})").status, 200);

  const std::string other = "/v1/devices/" + std::string(32, '1');
  EXPECT_EQ(asked(anna, "PUT", chunk, std::string(as_text(note.sealed))).code(), "read_only");
  EXPECT_EQ(asked(anna, "PUT", chunk, std::string(200'000, 'x')).code(), "read_only");
  EXPECT_EQ(asked(anna, "POST", "/v1/files/" + note.file.hex() + "/versions", "no json").code(), "read_only");
  EXPECT_EQ(asked(anna, "PATCH", other, "no json").code(), "read_only");
  EXPECT_EQ(asked(anna, "POST", other + "/revoke").code(), "read_only");
  EXPECT_EQ(asked(anna, "POST", other + "/archive").code(), "read_only");
  EXPECT_EQ(asked(anna, "POST", "/v1/pairing").code(), "read_only");
  EXPECT_EQ(asked(anna, "POST", "/v1/account/recovery", "no json").code(), "read_only");

  server_.kill();
  ASSERT_TRUE(server_.start());
  EXPECT_EQ(asked(anna, "POST", "/v1/pairing").code(), "read_only");
  ASSERT_EQ(server_.operate({"device", "role", id.substr(0, 8), "rw"}).status, 0);
  EXPECT_EQ(asked(anna, "POST", "/v1/pairing").status, 201);
}

TEST_F(Accounts, ARealReadOnlyDeviceKeepsItsEditAndTakesOthersEdits) {
  const device writes(scratch_.path(), "writes");
  const device reads(scratch_.path(), "reads");
  ASSERT_EQ(writes.init(server_.url(), server_.invite("anna")).status, 0);
  writes.write("note.md", "one");
  writes.sync();
  ASSERT_NO_FATAL_FAILURE(writes.pair(reads, server_.url()));
  reads.sync();
  const std::string listed = server_.operate({"device", "list"}).output;
  const std::size_t line = listed.find("reads");
  ASSERT_NE(line, std::string::npos) << listed;
  const std::string id = listed.substr(listed.rfind('\n', line) + 1, 16);
  ASSERT_EQ(server_.operate({"device", "role", id, "ro"}).status, 0);

  reads.write("mine.md", "kept");
  const finished said = reads.run({"sync", reads.root()});
  EXPECT_EQ(said.status, 1) << said.output;
  EXPECT_NE(said.output.find("this device may only read"), std::string::npos) << said.output;
  EXPECT_NE(reads.run({"status", "--json", reads.root()}).output.find("\"reason_code\":\"read_only\""),
            std::string::npos);
  writes.write("note.md", "two");
  writes.sync();
  reads.run({"sync", reads.root()});
  EXPECT_EQ(reads.tree().at("note.md"), "two");
  EXPECT_EQ(reads.tree().at("mine.md"), "kept");
  EXPECT_FALSE(writes.tree().contains("mine.md"));
  ASSERT_EQ(server_.operate({"device", "role", id, "rw"}).status, 0);
  reads.sync();
  writes.sync();
  EXPECT_EQ(writes.tree().at("mine.md"), "kept");
}

TEST_F(Accounts, TheLastDeviceIsRevokedOnlyByForce) {
  raw_device anna(server_, "x", server_.invite("anna"));
  const std::string id = anna.who().device.hex().substr(0, 8);
  const finished refused = server_.operate({"device", "revoke", id});
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.output.find("last active device"), std::string::npos) << refused.output;
  EXPECT_EQ(asked(anna, "GET", "/v1/account").status, 200);
  EXPECT_EQ(server_.operate({"device", "revoke", id, "--force"}).status, 0);
  EXPECT_EQ(asked(anna, "GET", "/v1/account").code(), "device_revoked");
}

TEST_F(Accounts, ADeletedAccountIsRefusedAndComesBackWithinItsGrace) {
  raw_device anna(server_, "x", server_.invite("anna"));
  EXPECT_EQ(server_.operate({"account", "delete", "anna"}, "no\n").status, 1);
  EXPECT_EQ(asked(anna, "GET", "/v1/account").status, 200);
  ASSERT_EQ(server_.operate({"account", "delete", "anna"}, "yes\n").status, 0);
  EXPECT_EQ(asked(anna, "GET", "/v1/account").code(), "account_disabled");
  EXPECT_NE(server_.operate({"account", "list", "--json"}).output.find("\"state\":\"deleted\""),
            std::string::npos);
  ASSERT_EQ(server_.operate({"account", "enable", "anna"}).status, 0);
  EXPECT_EQ(asked(anna, "GET", "/v1/account").status, 200);
}

TEST_F(Accounts, EveryActOfTheOperatorIsInTheAuditTableAndNoTokenIs) {
  const std::string token = server_.invite("anna");
  raw_device anna(server_, "x", token);
  const std::string id = anna.who().device.hex().substr(0, 8);
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"account", "quota", "anna", "1GiB"},
                                             {"account", "rename", "anna", "ann"},
                                             {"account", "disable", "ann"},
                                             {"account", "enable", "ann"},
                                             {"device", "role", id, "ro"},
                                             {"device", "revoke", id, "--force"},
                                             {"account", "delete", "ann", "--yes"}})
    EXPECT_EQ(server_.operate(words).status, 0) << words[1];
  const std::string told = server_.operate({"audit", "--json"}).output;
  std::size_t at = told.size();
  for (const std::string event :
       {"account_invited", "account_created", "account_quota", "account_renamed", "account_disabled",
        "account_enabled", "device_role", "device_revoked", "account_deleted"}) {
    const std::size_t found = told.rfind("\"event\":\"" + event + "\"", at);
    EXPECT_NE(found, std::string::npos) << event << " is missing or out of order in " << told;
    at = found;
  }
  EXPECT_EQ(told.find(token), std::string::npos);
  EXPECT_EQ(server_.log().find(token), std::string::npos);
}

TEST_F(Accounts, AVerbWithoutAServerSaysHowToStartOne) {
  server_.stop();
  const finished said = server_.operate({"account", "list"});
  EXPECT_EQ(said.status, 1);
  EXPECT_NE(said.output.find("Start it"), std::string::npos) << said.output;
}

}  // namespace
}  // namespace obsync::test
