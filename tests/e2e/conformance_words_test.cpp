// Every word the server can refuse with crosses a socket at least once. The tables meet most of them; this
// file brings servers into the states that the rest needs.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <set>

#include "tests/e2e/browser.hpp"
#include "tests/e2e/conformance_world.hpp"
#include "wire/failure.hpp"

namespace obsync::test {
namespace {

using wire::refusal;

// Each word, under the status it travels with.
class words_met {
 public:
  void meet(const raw_answer& answer) {
    const auto word = wire::parse_refusal(answer.code());
    if (!word) return;
    EXPECT_EQ(answer.status, wire::status_of(*word)) << answer.body;
    words_.insert(*word);
  }
  bool has(refusal word) const { return words_.contains(word); }

 private:
  std::set<refusal> words_;
};

std::string versions_of(const made_note& note) {
  return "/v1/files/" + note.file.hex() + "/versions";
}

raw_answer put(conformance_world& world, const client::credential& who, const made_note& note) {
  return world.ask(who, "PUT", "/v1/chunks/" + note.sid.hex(), std::string(as_text(note.sealed)));
}

void meet_tables(words_met& words) {
  for (const auto& table : {head_rows, body_rows, json_rows, signature_rows, setup_rows, pairing_rows,
                            reveal_rows, device_rows, chunk_rows, version_rows, reading_rows, batch_rows}) {
    conformance_world world;
    ASSERT_TRUE(world.ok()) << world.server().log();
    for (const conformance_row& row : table()) words.meet(row.ask(world));
  }
}

void meet_browser(words_met& words) {
  conformance_world world;
  ASSERT_TRUE(world.ok());
  browser one(world.server());
  words.meet(one.get("/login?token=" + std::string(64, '0')));
  words.meet(one.get("/v1/admin/overview"));
  one.get("/login?token=" + world.setup_token());
  words.meet(one.send("POST", "/v1/admin/logout", {}));
}

void meet_operator(words_met& words) {
  conformance_world world;
  ASSERT_TRUE(world.ok());
  const server_process& server = world.server();
  raw_device anna(server, "anna", server.invite("anna", {"--quota", "1MiB"}));
  ASSERT_TRUE(anna.ok());
  const std::string id = anna.who().device.hex();
  words.meet(world.ask(anna.who(), "POST", "/v1/devices/" + id + "/revoke"));
  words.meet(put(world, anna.who(), make_note(world.random, 2 << 20)));
  world.ask(anna.who(), "POST", "/v1/account/recovery",
            R"({"recovery_verifier":")" + std::string(64, 'a') + "\"}");
  words.meet(world.ask(anna.who(), "POST", "/v1/devices/" + id + "/revoke"));
  server.operate({"device", "role", id, "ro"});
  words.meet(put(world, anna.who(), make_note(world.random, 1'000)));
  server.operate({"account", "disable", "anna"});
  words.meet(world.ask(anna.who(), "GET", "/v1/account"));
}

void meet_bare_server(words_met& words) {
  conformance_world world({"--server.edge=cloudflare", "--server.trusted_proxies=10.0.0.0/8"});
  words.meet(world.unsigned_ask("GET", "/v1/plugin/manifest"));
  scratch_folder scratch;
  server_process bare(scratch.path(), {"--server.dashboard_dir=" + scratch.path() + "/none"});
  ASSERT_TRUE(bare.start());
  words.meet(ask_unsigned(bare, "GET", "/"));
}

void meet_full_books(words_met& words) {
  conformance_world world(
      {"--session.nonces_total=200", "--session.nonces_per_device=200", "--pairing.life=1s"});
  ASSERT_TRUE(world.ok());
  const pairing_in_hand pairing = world.create_pairing();
  const std::string its = "/v1/pairing/" + pairing.id;
  EXPECT_TRUE(eventually(
      [&] { return world.ask("GET", its).body.find(R"("state":"expired")") != std::string::npos; }));
  words.meet(world.unsigned_ask("POST", its + "/claim", claim_with(pairing.token)));
  for (int i = 0; i <= 200 && !words.has(refusal::nonce_cache_full); ++i)
    words.meet(world.ask("GET", "/v1/account"));
}

void meet_too_many_pairings(words_met& words) {
  conformance_world world;
  ASSERT_TRUE(world.ok());
  for (int i = 0; i < 40; ++i) words.meet(world.ask("POST", "/v1/pairing"));
}

void meet_full_volume(words_met& words) {
  conformance_world world({"--store.blobs_capacity=17MiB"});
  ASSERT_TRUE(world.ok());
  words.meet(put(world, world.laptop, make_note(world.random, 2 << 20)));
}

void meet_lost_connection(words_met& words) {
  conformance_world world;
  ASSERT_TRUE(world.ok());
  raw_request half = signed_by(world.laptop, "POST", "/v1/chunks/exists", R"({"sids":[]})");
  half.declares_length = false;
  half.with("Content-Length", "1000");
  raw_connection connection(world.port());
  connection.send(half.text());
  connection.end_sending();
  words.meet(connection.receive());
}

// After a crash a server waits before it answers; files that may not grow are a disk that fails.
void meet_failing_disk(words_met& words) {
  conformance_world world;
  ASSERT_TRUE(world.ok());
  world.server().kill();
  ASSERT_TRUE(world.server().launch());
  words.meet(world.unsigned_ask("GET", "/readyz"));
  EXPECT_TRUE(eventually([&] { return world.unsigned_ask("GET", "/readyz").status == 200; }));
  const made_note next = make_note(world.random, 1'000);
  words.meet(put(world, world.laptop, next));
  const rlimit none{0, 0};
  ASSERT_EQ(::prlimit(world.server().running().pid(), RLIMIT_FSIZE, &none, nullptr), 0);
  words.meet(put(world, world.laptop, make_note(world.random, 300'000)));
  for (int i = 0; i < 2; ++i) words.meet(world.ask("POST", versions_of(next), post_with(next)));
  words.meet(world.ask(world.phone, "GET", "/v1/account"));
}

// What no request can bring about from outside, or what another test must, and why.
bool travels_elsewhere(refusal word) {
  switch (word) {
    case refusal::unknown_account:        // only the operator names accounts
    case refusal::unknown_domain:         // in the public table of words; no route asks for a domain
    case refusal::not_set_up:             // an enrolment that meets an account's last moment
    case refusal::device_not_pending:     // the same of a pending device
    case refusal::unsafe_posture:         // refuses the start instead
    case refusal::corrupt:                // the start again
    case refusal::journal_locked:         // the start again
    case refusal::no_randomness:          // the kernel's source does not fail
    case refusal::journal_unverified:     // a journal folder that cannot be listed while its files can be written
    case refusal::nonce_log_unavailable:  // of servers with a log of nonces; docs/compatibility.md
    case refusal::plugin_unavailable:     // without a plugin's files the manifest states the release alone
    case refusal::journal_full:           // full_disk_test fills a journal
    case refusal::storage_full:           // and a disk that is really full, where it may mount one
      return true;
    default:
      return false;
  }
}

TEST(ConformanceWords, EveryWordTheProtocolKnowsIsMetOverASocket) {
  words_met words;
  meet_tables(words);
  meet_browser(words);
  meet_operator(words);
  meet_bare_server(words);
  meet_full_books(words);
  meet_too_many_pairings(words);
  meet_full_volume(words);
  meet_lost_connection(words);
  meet_failing_disk(words);
  for (int i = 0; i < wire::refusal_count; ++i) {
    const auto word = static_cast<refusal>(i);
    EXPECT_NE(words.has(word), travels_elsewhere(word)) << wire::name(word);
  }
}

}  // namespace
}  // namespace obsync::test
