#include "http/tls_files.hpp"

#include "http/tls_context.hpp"
#include "tests/http/tls_folder.hpp"

namespace obsync::http {
namespace {

namespace fs = std::filesystem;

std::string complaint(const tls_files& files) {
  const auto loaded = load_tls(files);
  return loaded ? "" : loaded.error().detail;
}

bool mentions(const std::string& text, const std::string& what) {
  return text.find(what) != std::string::npos;
}

TEST(TlsFiles, APairThatBelongsTogetherLoadsAndKnowsItsEnd) {
  tls_folder folder;
  const auto loaded = load_tls(folder.files());
  ASSERT_TRUE(loaded) << loaded.error().detail;
  EXPECT_EQ((*loaded)->expires_s, crypto::expiry_of(folder.text("server.crt")));
}

TEST(TlsFiles, AMissingFileIsNamedWithItsOption) {
  tls_folder folder;
  EXPECT_TRUE(mentions(complaint({"/nowhere/a.crt", folder.files().key}),
                       "tls.certificate: cannot read /nowhere/a.crt"));
  EXPECT_TRUE(mentions(complaint({folder.files().certificate, "/nowhere/a.key"}),
                       "tls.key: cannot read /nowhere/a.key"));
}

TEST(TlsFiles, AKeyThatOthersMayReadIsRefusedWithTheCure) {
  tls_folder folder;
  for (const fs::perms more : {fs::perms::group_read, fs::perms::others_read, fs::perms::group_write}) {
    folder.write("server.key", folder.text("server.key"), tls_folder::owner_only | more);
    EXPECT_TRUE(mentions(complaint(folder.files()), "chmod 600 ")) << complaint(folder.files());
  }
}

TEST(TlsFiles, AKeyOfAnotherCertificateIsRefused) {
  tls_folder folder;
  folder.write("server.key", crypto::make_private_key().text);
  EXPECT_TRUE(mentions(complaint(folder.files()), "does not belong to the certificate"));
}

TEST(TlsFiles, AnEncryptedKeyIsRefusedAndNobodyIsAsked) {
  tls_folder folder;
  folder.write("server.key",
               "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
               "MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgMXh4wKsyjEAICCAAw\n"
               "DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEBWX1Qm9nE2bH0pTqk8bL8YEgZCr\n"
               "-----END ENCRYPTED PRIVATE KEY-----\n");
  EXPECT_FALSE(load_tls(folder.files()));
}

TEST(TlsFiles, RubbishIsNoCertificateAndNoKey) {
  tls_folder folder;
  const std::string certificate = folder.text("server.crt");
  folder.write("server.crt", "rubbish");
  EXPECT_TRUE(mentions(complaint(folder.files()), "holds no certificate"));
  folder.write("server.crt", certificate);
  folder.write("server.key", "rubbish");
  EXPECT_TRUE(mentions(complaint(folder.files()), "holds no private key"));
  EXPECT_TRUE(mentions(complaint({"/dev/zero", folder.files().key}), "no regular file"));
}

TEST(TlsFiles, NoComplaintHoldsAnyOfTheKey) {
  tls_folder folder;
  const std::string key = folder.text("server.key");
  folder.write("server.key", key, tls_folder::owner_only | fs::perms::others_read);
  EXPECT_FALSE(mentions(complaint(folder.files()), key.substr(40, 20)));
}

}  // namespace
}  // namespace obsync::http
