#include "http/tls_identity.hpp"

#include "core/log.hpp"
#include "tests/http/tls_folder.hpp"

namespace obsync::http {
namespace {

class TlsIdentity : public testing::Test {
 protected:
  TlsIdentity() {
    log::set_sink([this](std::string_view line) {
      const auto at = line.find("decision=");
      if (at != std::string_view::npos) said_ += std::string(line.substr(at + 9, 4)) + " ";
    });
    identity_ = *tls_identity::load(folder_.files());
  }
  ~TlsIdentity() override { log::set_sink({}); }

  tls_identity::time_point later(int seconds) const { return now_ + std::chrono::seconds(seconds); }

  tls_folder folder_;
  std::string said_;
  const tls_identity::time_point now_ = std::chrono::steady_clock::now();
  std::shared_ptr<tls_identity> identity_;
};

TEST_F(TlsIdentity, StaysTheSameWhileTheFilesDo) {
  const auto first = identity_->current();
  for (int i = 0; i < 5; ++i) identity_->reload_when_changed(later(i));
  EXPECT_EQ(identity_->current(), first);
  EXPECT_EQ(said_, "");
}

TEST_F(TlsIdentity, ANewPairIsTakenWhenSomebodyConnects) {
  const auto first = identity_->current();
  folder_.renew("localhost");
  identity_->reload_when_changed(later(1));
  EXPECT_NE(identity_->current(), first);
  EXPECT_EQ(said_, "relo ");
}

TEST_F(TlsIdentity, LooksAtMostOnceASecond) {
  identity_->reload_when_changed(later(1));
  const auto first = identity_->current();
  folder_.renew("localhost");
  identity_->reload_when_changed(later(1) + std::chrono::milliseconds(999));
  EXPECT_EQ(identity_->current(), first);
  identity_->reload_when_changed(later(2));
  EXPECT_NE(identity_->current(), first);
}

TEST_F(TlsIdentity, ABrokenPairKeepsTheOldOneAndIsReportedOnce) {
  const auto first = identity_->current();
  folder_.write("server.crt", "rubbish");
  for (int i = 1; i < 5; ++i) identity_->reload_when_changed(later(i));
  EXPECT_EQ(identity_->current(), first);
  EXPECT_EQ(said_, "kept ");
}

TEST_F(TlsIdentity, APairThatArrivesInTwoStepsIsTakenAtTheSecond) {
  const auto first = identity_->current();
  folder_.renew("localhost");
  const std::string key = folder_.text("server.key");
  folder_.write("server.key", crypto::make_private_key().text);
  identity_->reload_when_changed(later(1));
  EXPECT_EQ(identity_->current(), first);
  folder_.write("server.key", key);
  identity_->reload_when_changed(later(2));
  EXPECT_NE(identity_->current(), first);
  EXPECT_EQ(said_, "kept relo ");
}

TEST_F(TlsIdentity, AChangeOfModeAloneIsAChange) {
  folder_.write("server.key", folder_.text("server.key"),
                tls_folder::owner_only | std::filesystem::perms::group_read);
  identity_->reload_when_changed(later(1));
  std::filesystem::permissions(folder_.files().key, tls_folder::owner_only);
  identity_->reload_when_changed(later(2));
  EXPECT_EQ(said_, "kept relo ");
}

TEST_F(TlsIdentity, ASignalReadsTheFilesWhateverTheirAge) {
  const auto first = identity_->current();
  identity_->reload();
  EXPECT_NE(identity_->current(), first);
  EXPECT_EQ(said_, "relo ");
}

}  // namespace
}  // namespace obsync::http
