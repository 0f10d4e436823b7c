// A server with TLS of its own: made, trusted, renewed and misconfigured as its operator would.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "tests/e2e/device.hpp"
#include "tests/e2e/raw_device.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/server_process.hpp"

namespace obsync::test {
namespace {

namespace fs = std::filesystem;

const std::string program = std::string(OBSYNC_BINARY_DIR) + "/obsyncd";

bool mentions(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

class Tls : public testing::Test {
 protected:
  finished make_certificate(const std::string& folder, std::vector<std::string> names) {
    std::vector<std::string> words = {"tls", "self-signed", "--out", scratch_ / folder};
    for (std::string& name : names) words.insert(words.end(), {"--name", std::move(name)});
    return run_to_end(program, words, scratch_ / (folder + ".log"));
  }

  std::vector<std::string> options(const std::string& folder = "tls") const {
    return {"--tls.certificate=" + scratch_ / (folder + "/server.crt"),
            "--tls.key=" + scratch_ / (folder + "/server.key")};
  }

  std::string authority(const std::string& folder = "tls") const { return scratch_ / (folder + "/ca.crt"); }

  finished init(const device& who, const server_process& server, std::vector<std::string> more,
                const std::string& url = {}) const {
    std::vector<std::string> words = {"init",
                                      "--server",
                                      url.empty() ? server.url() : url,
                                      "--token",
                                      "-",
                                      "--phrase-file",
                                      who.root() + ".phrase"};
    words.insert(words.end(), more.begin(), more.end());
    words.push_back(who.root());
    return who.run(words, server.setup_token() + "\n");
  }

  void let_in(const device& who, const device& by, const server_process& server,
              const std::string& ca) const {
    process offer = by.start({"pair", "--yes", by.root()});
    ASSERT_TRUE(offer.wait_for_output("code=")) << offer.output();
    const std::string code = offer.output().substr(offer.output().find("code=") + 5, 128);
    const finished joined =
        who.run({"join", "--server", server.url(), "--ca", ca, "--code", "-", who.root()}, code + "\n");
    ASSERT_EQ(joined.status, 0) << joined.output;
    ASSERT_EQ(offer.wait(), 0) << offer.output();
  }

  std::string read(const std::string& name) const {
    std::ifstream file(scratch_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  scratch_folder scratch_;
};

TEST_F(Tls, TwoDevicesOfAPrivateAuthorityStayInStep) {
  ASSERT_EQ(make_certificate("tls", {"localhost"}).status, 0);
  server_process server(scratch_.path(), options());
  ASSERT_TRUE(server.start());
  const device a(scratch_.path(), "a");
  const finished made = init(a, server, {"--ca", authority()});
  ASSERT_EQ(made.status, 0) << made.output;
  // What the home keeps is enough from here on.
  fs::rename(authority(), scratch_ / "ca.crt");
  a.write("note.md", "over TLS");
  a.write("large.bin", std::string(3u << 20, 'x'));
  a.sync();

  const device b(scratch_.path(), "b");
  let_in(b, a, server, scratch_ / "ca.crt");
  b.sync();
  EXPECT_EQ(difference(a.tree(), b.tree()), "");
}

TEST_F(Tls, AWatchingDeviceHearsOfChangesAndStopsWhenTold) {
  ASSERT_EQ(make_certificate("tls", {"localhost"}).status, 0);
  server_process server(scratch_.path(), options());
  ASSERT_TRUE(server.start());
  const device a(scratch_.path(), "a");
  ASSERT_EQ(init(a, server, {"--ca", authority()}).status, 0);
  const device b(scratch_.path(), "b");
  let_in(b, a, server, authority());
  process watching = a.start({"watch", a.root()});
  for (int i = 0; i < 3; ++i) {
    const std::string name = std::to_string(i) + ".md";
    b.write(name, "while a watches");
    b.sync();
    EXPECT_TRUE(eventually([&] { return a.tree().contains(name); })) << watching.output();
  }
  watching.signal(SIGTERM);
  EXPECT_EQ(watching.wait(), 0) << watching.output();
  EXPECT_EQ(server.stop(), 0);
}

TEST_F(Tls, AnAuthorityNobodyNamedIsNotTrustedAndTheCureIsSaid) {
  ASSERT_EQ(make_certificate("tls", {"localhost"}).status, 0);
  server_process server(scratch_.path(), options());
  ASSERT_TRUE(server.start());
  const device a(scratch_.path(), "a");
  const finished refused = init(a, server, {});
  EXPECT_EQ(refused.status, 1);
  EXPECT_TRUE(mentions(refused.output, "--ca")) << refused.output;
  ASSERT_EQ(make_certificate("other", {"localhost"}).status, 0);
  EXPECT_TRUE(mentions(init(a, server, {"--ca", authority("other")}).output, "authority"));
}

TEST_F(Tls, TheSystemsListOfAuthoritiesCanBeNamedByItsVariable) {
  ASSERT_EQ(make_certificate("tls", {"localhost"}).status, 0);
  server_process server(scratch_.path(), options());
  ASSERT_TRUE(server.start());
  const device a(scratch_.path(), "a");
  const finished made =
      run_to_end(std::string(OBSYNC_BINARY_DIR) + "/obsync",
                 {"--home", a.home(), "init", "--server", server.url(), "--token", "-", "--phrase-file",
                  scratch_ / "phrase", a.root()},
                 scratch_ / "a.log", server.setup_token() + "\n", {"SSL_CERT_FILE=" + authority()});
  EXPECT_EQ(made.status, 0) << made.output;
}

TEST_F(Tls, ACertificateForAnotherNameIsRefusedByNameAndByAddress) {
  ASSERT_EQ(make_certificate("tls", {"sync.home", "127.0.0.2"}).status, 0);
  server_process server(scratch_.path(), options());
  ASSERT_TRUE(server.start());
  const device a(scratch_.path(), "a");
  const std::string port = std::to_string(server.port());
  for (const std::string& host : {std::string("localhost"), std::string("127.0.0.1")}) {
    const finished refused = init(a, server, {"--ca", authority()}, "https://" + host + ":" + port);
    EXPECT_EQ(refused.status, 1);
    EXPECT_TRUE(mentions(refused.output, "for another name than " + host)) << refused.output;
  }
}

TEST_F(Tls, AnAddressInTheCertificateIsAsGoodAsAName) {
  ASSERT_EQ(make_certificate("tls", {"sync.home", "127.0.0.1"}).status, 0);
  server_process server(scratch_.path(), options());
  ASSERT_TRUE(server.start());
  const device a(scratch_.path(), "a");
  const finished made =
      init(a, server, {"--ca", authority()}, "https://127.0.0.1:" + std::to_string(server.port()));
  EXPECT_EQ(made.status, 0) << made.output;
}

TEST_F(Tls, PlainHttpToATlsPortSaysWhatIsWrong) {
  ASSERT_EQ(make_certificate("tls", {"localhost"}).status, 0);
  server_process server(scratch_.path(), options());
  ASSERT_TRUE(server.start());
  const device a(scratch_.path(), "a");
  const finished refused = init(a, server, {}, "http://localhost:" + std::to_string(server.port()));
  EXPECT_EQ(refused.status, 1);
  EXPECT_TRUE(mentions(refused.output, "https://")) << refused.output;
}

TEST_F(Tls, TheLargestChunkAndAWholeBatchPassUpAndDown) {
  ASSERT_EQ(make_certificate("tls", {"localhost"}).status, 0);
  server_process server(scratch_.path(), options());
  ASSERT_TRUE(server.start());
  raw_device raw(server, {server.url(), authority()}, "home");
  ASSERT_TRUE(raw.ok());
  seeded_random random(3);
  std::vector<chunk_sid> sids;
  std::vector<bytes> sent;
  for (const std::size_t size : {8'388'624u, 8'388'624u, 8'388'624u, 8'388'560u}) {
    made_note note = make_note(random, size);
    ASSERT_TRUE(raw.server().put_chunk(note.sid, note.sealed));
    sids.push_back(note.sid);
    sent.push_back(std::move(note.sealed));
  }
  EXPECT_EQ(*raw.server().get_chunk(sids[0]), sent[0]);
  const auto batch = raw.server().get_chunks(sids);
  ASSERT_TRUE(batch);
  for (std::size_t i = 0; i < sids.size(); ++i) EXPECT_EQ((*batch)[i], sent[i]) << i;
}

TEST_F(Tls, ARenewedCertificateIsTakenOnASignalAndABrokenOneNever) {
  ASSERT_EQ(make_certificate("tls", {"localhost"}).status, 0);
  server_process server(scratch_.path(), options());
  ASSERT_TRUE(server.start());
  const finished renewed = make_certificate("tls", {});
  EXPECT_EQ(renewed.status, 0) << renewed.output;
  EXPECT_TRUE(mentions(renewed.output, "renewed the certificate for localhost"));
  server.running().signal(SIGHUP);
  ASSERT_TRUE(server.running().wait_for_output("event=tls_reload decision=reloaded"));
  std::ofstream(scratch_ / "tls/server.crt") << "rubbish";
  server.running().signal(SIGHUP);
  ASSERT_TRUE(server.running().wait_for_output("event=tls_reload decision=kept"));
  raw_device raw(server, {server.url(), authority()}, "home");
  EXPECT_TRUE(raw.ok());
  EXPECT_EQ(server.stop(), 0);
}

TEST_F(Tls, AWrongPairIsRefusedAtTheStartAndByTheCheck) {
  ASSERT_EQ(make_certificate("tls", {"localhost"}).status, 0);
  ASSERT_EQ(make_certificate("other", {"localhost"}).status, 0);
  const std::vector<std::string> mixed = {options()[0], options("other")[1]};
  std::vector<std::string> check = {"config", "check"};
  check.insert(check.end(), mixed.begin(), mixed.end());
  const finished checked = run_to_end(program, check, scratch_ / "check.log");
  EXPECT_EQ(checked.status, 2);
  EXPECT_TRUE(mentions(checked.output, "does not belong to the certificate")) << checked.output;
  std::vector<std::string> serve = {"serve", "--store.journal_dir=" + scratch_ / "journal",
                                    "--store.blobs_dir=" + scratch_ / "blobs", "--server.listen=127.0.0.1:0"};
  serve.insert(serve.end(), mixed.begin(), mixed.end());
  const finished refused = run_to_end(program, serve, scratch_ / "serve.log");
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(mentions(refused.output, "does not belong to the certificate")) << refused.output;
  EXPECT_FALSE(fs::exists(scratch_ / "journal"));
}

TEST_F(Tls, PlainHttpOnAPublicAddressIsRefusedWithAdvice) {
  const finished refused =
      run_to_end(program,
                 {"serve", "--store.journal_dir=" + scratch_ / "journal",
                  "--store.blobs_dir=" + scratch_ / "blobs", "--server.listen=0.0.0.0:0"},
                 scratch_ / "serve.log");
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(mentions(refused.output, "obsyncd tls self-signed")) << refused.output;
  EXPECT_TRUE(mentions(refused.output, "OBSYNC_ALLOW_PLAIN=true")) << refused.output;
}

TEST_F(Tls, ARunningLogLevelFollowsTheConfigurationOnASignal) {
  std::ofstream(scratch_ / "conf") << "[log]\nlevel = \"error\"\n";
  server_process server(scratch_.path(), {"--config=" + scratch_ / "conf", "--log.level=info"});
  ASSERT_TRUE(server.start());
  server.running().signal(SIGHUP);
  EXPECT_TRUE(server.running().wait_for_output("event=config_reload decision=reloaded"));
}

TEST_F(Tls, SelfSignedOverwritesNothing) {
  ASSERT_EQ(make_certificate("tls", {"localhost"}).status, 0);
  const std::string key = read("tls/server.key");
  const std::string authority_key = read("tls/ca.key");
  EXPECT_EQ(fs::status(scratch_ / "tls/ca.key").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(fs::status(scratch_ / "tls/server.key").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  // Renewed by the same authority, for the same key: the two files fit together at every moment.
  ASSERT_EQ(make_certificate("tls", {"sync.home"}).status, 0);
  EXPECT_EQ(read("tls/server.key"), key);
  EXPECT_EQ(read("tls/ca.key"), authority_key);

  const std::string certificate = read("tls/server.crt");
  fs::remove(scratch_ / "tls/ca.key");
  EXPECT_EQ(make_certificate("tls", {"localhost"}).status, 1);
  fs::remove(scratch_ / "tls/ca.crt");
  EXPECT_EQ(make_certificate("tls", {"localhost"}).status, 1);
  EXPECT_EQ(read("tls/server.crt"), certificate);
  EXPECT_EQ(read("tls/server.key"), key);
  EXPECT_FALSE(fs::exists(scratch_ / "tls/ca.crt"));
}

TEST_F(Tls, SelfSignedNeedsANameThatCanBeOne) {
  EXPECT_EQ(make_certificate("tls", {}).status, 2);
  EXPECT_EQ(make_certificate("tls", {"no such name!"}).status, 2);
  EXPECT_FALSE(fs::exists(scratch_ / "tls/ca.key"));
  EXPECT_EQ(run_to_end(program, {"tls"}, scratch_ / "usage.log").status, 2);
}

}  // namespace
}  // namespace obsync::test
