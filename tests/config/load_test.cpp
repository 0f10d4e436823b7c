#include "config/load.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "config/option.hpp"
#include "config/report.hpp"

namespace obsync::config {
namespace {

inputs from_file(std::string text) {
  return {file_text{"/etc/x.conf", std::move(text)}, {}, {}};
}

std::string complaint(const inputs& from) {
  const auto out = load(from);
  return out ? std::string("accepted") : problems_text(out.error());
}

TEST(Load, GivesTheDefaultsWhenNothingIsSaid) {
  const auto out = load({});
  ASSERT_TRUE(out) << problems_text(out.error());
  EXPECT_EQ(out->values, settings{});
}

TEST(Load, LetsTheCommandLineOverrideTheEnvironmentAndThatTheFile) {
  inputs from = from_file("[log]\nlevel = \"error\"\n[blob]\nwriters = 2\n[small]\ngroup = \"9\"\n");
  from.environment = {"OBSYNC_LOG=warn", "OBSYNC_BLOB_WRITERS=3", "PATH=/bin"};
  from.arguments = {"--log.level=debug"};
  const auto out = load(from);
  ASSERT_TRUE(out) << problems_text(out.error());
  EXPECT_EQ(out->values.log.level, log::level::debug);
  EXPECT_EQ(out->values.blob.writers, 3);
  EXPECT_EQ(out->values.small.group, 9);
}

TEST(Load, TakesBothSpellingsOfACommandLineOption) {
  const auto out = load({.arguments = {"--server.listen", "[::1]:1", "--scrub.rate=1MiB"}});
  ASSERT_TRUE(out) << problems_text(out.error());
  EXPECT_EQ(out->values.server.listen, (endpoint{"::1", 1}));
  EXPECT_EQ(out->values.scrub.rate, 1 << 20);
}

TEST(Load, ReadsListsFromTomlArraysAndFromText) {
  const auto array = load(from_file("[server]\ntrusted_proxies = [\"10.0.0.0/8\", \"::1\"]\n"));
  const auto text = load(from_file("server.trusted_proxies = \"10.0.0.0/8,::1\"\n"));
  ASSERT_TRUE(array && text);
  EXPECT_EQ(array->values, text->values);
  EXPECT_EQ(array->values.server.trusted_proxies.size(), 2U);
}

TEST(Load, NamesLineAndNearestOptionForAnUnknownName) {
  EXPECT_EQ(complaint(from_file("\n[server]\nlisen = \"[::]:1\"\n")),
            "/etc/x.conf:3: unknown option \"server.lisen\"; did you mean server.listen?\n");
}

TEST(Load, NamesLineOptionAndExpectationForAWrongValue) {
  EXPECT_EQ(complaint(from_file("[retention]\ndays = 0\n")),
            "/etc/x.conf:2: retention.days cannot be \"0\": expected a whole number from 1 to 36500\n");
}

TEST(Load, ReportsEveryProblemAtOnce) {
  inputs from = from_file("[log]\nlevel = \"loud\"\ncolour = true\n");
  from.environment = {"OBSYNC_LISTNE=[::]:1"};
  from.arguments = {"serve", "--small.group"};
  const auto out = load(from);
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().size(), 5U) << problems_text(out.error());
}

TEST(Load, RefusesAnUnknownVariableNamingTheNearest) {
  EXPECT_EQ(complaint({.environment = {"OBSYNC_PUBLICURL=x"}}),
            "environment OBSYNC_PUBLICURL: unknown variable; did you mean OBSYNC_PUBLIC_URL?\n");
}

TEST(Load, LeavesTheClientsOwnVariableAlone) {
  EXPECT_TRUE(load({.environment = {"OBSYNC_HOME=/home/a/.obsync"}}));
}

TEST(Load, NeverEchoesASecret) {
  const std::string key =
      "c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee0";  // one digit short
  const std::string digits(64, '7');
  for (const inputs& from :
       {from_file("[store]\nserver_key = \"" + key + "\"\n"),
        from_file("[store]\nserver_key = " + key + "\n"), from_file("[store]\nserver_key = " + digits + "\n"),
        from_file("[store]\nserver_key = '" + key + "\n"), from_file("[store]\n" + key + "\n"),
        inputs{{}, {"OBSYNC_SERVER_KEY=" + key}, {}}, inputs{{}, {}, {"--store.server_key=" + key}},
        inputs{{}, {}, {"--store.server_key", key, key}}}) {
    const std::string said = complaint(from);
    EXPECT_NE(said, "accepted");
    EXPECT_EQ(said.find("c0ffee"), std::string::npos) << said;
    EXPECT_EQ(said.find("7777"), std::string::npos) << said;
  }
}

TEST(Load, RefusesACapacityThatTheWatermarkSwallows) {
  EXPECT_EQ(
      complaint({.environment = {"OBSYNC_BLOBS_CAPACITY=2GiB"}}),
      "settings: store.blobs_capacity (2GiB) leaves no room: store.free_watermark keeps 2GiB of it free\n");
  EXPECT_TRUE(load({.environment = {"OBSYNC_BLOBS_CAPACITY=3GiB"}}));
}

TEST(Load, RefusesStoreFoldersInsideOneAnother) {
  EXPECT_FALSE(load({.arguments = {"--store.blobs_dir=/srv", "--store.journal_dir=/srv/journal"}}));
  EXPECT_FALSE(load({.arguments = {"--store.blobs_mirrors=/m,/m/n"}}));
  EXPECT_TRUE(load({.arguments = {"--store.blobs_dir=/srv/a", "--store.journal_dir=/srv/ab"}}));
}

TEST(Load, RefusesAFileItCannotRead) {
  EXPECT_NE(complaint(from_file("[server\n")).find("/etc/x.conf:1: "), std::string::npos);
  EXPECT_NE(complaint(from_file("[log]\nlevel = 2020-01-01\n"))
                .find("/etc/x.conf:2: expected text in double quotes"),
            std::string::npos);
  EXPECT_NE(complaint(from_file("[log]\nlevel = \"warn\"\nlevel = \"info\"\n")), "accepted");
  EXPECT_NE(complaint(from_file("listen = \"x\"\n")).find("outside a section"), std::string::npos);
}

TEST(LoadFromSystem, RefusesANamedFileThatIsAbsentButNotAnAbsentDefault) {
  const auto named = load_from_system({"--config", "/nonexistent/x"}, nullptr, "/nonexistent/y");
  ASSERT_FALSE(named);
  EXPECT_EQ(problems_text(named.error()), "/nonexistent/x: cannot be read\n");
  EXPECT_TRUE(load_from_system({}, nullptr, "/nonexistent/y"));
}

TEST(LoadFromSystem, ReadsTheNamedFileAndTheEnvironment) {
  const std::string path = testing::TempDir() + "obsync_load_test.conf";
  std::ofstream(path) << "[small]\ngroup = 5\n";
  const char* const environment[] = {"OBSYNC_LOG=debug", nullptr};
  const auto out = load_from_system({"--config=" + path, "--blob.writers", "7"}, environment);
  std::remove(path.c_str());
  ASSERT_TRUE(out) << problems_text(out.error());
  EXPECT_EQ(out->values.small.group, 5);
  EXPECT_EQ(out->values.log.level, log::level::debug);
  EXPECT_EQ(out->values.blob.writers, 7);
}

TEST(Load, PlainHttpWhereOthersReachItNeedsAWordOfItsOwn) {
  for (const char* listen : {"0.0.0.0:80", "[::]:8080", "192.168.1.5:8080", "[fd00::1]:1"}) {
    inputs from = {.arguments = {std::string("--server.listen=") + listen}};
    EXPECT_NE(complaint(from).find("server.allow_plain = true"), std::string::npos) << listen;
    from.environment = {"OBSYNC_ALLOW_PLAIN=true"};
    EXPECT_TRUE(load(from)) << listen;
    from.environment = {"OBSYNC_TLS_CERTIFICATE=/a.crt", "OBSYNC_TLS_KEY=/a.key"};
    EXPECT_TRUE(load(from)) << listen;
  }
  for (const char* listen : {"127.0.0.1:80", "127.9.9.9:80", "[::1]:8080"})
    EXPECT_TRUE(load({.arguments = {std::string("--server.listen=") + listen}})) << listen;
}

TEST(Load, TlsNeedsBothItsFiles) {
  EXPECT_NE(complaint({.arguments = {"--tls.key=/a.key"}}).find("tls.certificate is not"), std::string::npos);
  EXPECT_NE(complaint(from_file("tls.certificate = \"/a.crt\"\n")).find("tls.key is not"), std::string::npos);
}

TEST(Load, TruthIsWrittenAsTrueOrFalse) {
  EXPECT_TRUE(load(from_file("server.allow_plain = true\n"))->values.server.allow_plain);
  EXPECT_FALSE(load(from_file("server.allow_plain = \"false\"\n"))->values.server.allow_plain);
  EXPECT_NE(complaint(from_file("server.allow_plain = 1\n")).find("true or false"), std::string::npos);
}

}  // namespace
}  // namespace obsync::config
