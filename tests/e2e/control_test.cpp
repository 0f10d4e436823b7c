// The operator's socket, held by hands that do not know its language.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "tests/support/scratch_folder.hpp"
#include "tests/support/server_process.hpp"

namespace obsync::test {
namespace {

// One connection to the socket; blocking, with a deadline.
class control_peer {
 public:
  explicit control_peer(const std::string& path) : descriptor_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    const timeval patience{20, 0};
    ::setsockopt(descriptor_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_un to{};
    to.sun_family = AF_UNIX;
    path.copy(to.sun_path, sizeof to.sun_path - 1);
    connected_ = ::connect(descriptor_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
  }
  ~control_peer() { ::close(descriptor_); }
  control_peer(const control_peer&) = delete;
  control_peer& operator=(const control_peer&) = delete;

  bool connected() const { return connected_; }
  void send(std::string_view text) {
    while (!text.empty()) {
      const ssize_t sent = ::send(descriptor_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  // What comes until the server hangs up.
  std::string rest() {
    std::string out;
    char buffer[4096];
    for (ssize_t got = 0; (got = ::recv(descriptor_, buffer, sizeof buffer, 0)) > 0;)
      out.append(buffer, static_cast<std::size_t>(got));
    return out;
  }

 private:
  int descriptor_;
  bool connected_ = false;
};

class Control : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(server_.start()); }

  std::string path() const { return scratch_ / "journal/v1/control"; }
  std::string said_to(std::string_view line) {
    control_peer peer(path());
    peer.send(line);
    return peer.rest();
  }
  bool answers_its_operator() { return server_.operate({"account", "list"}).status == 0; }

  scratch_folder scratch_;
  server_process server_{scratch_.path()};
};

TEST_F(Control, IsForItsOwnerAlone) {
  struct stat found {};
  ASSERT_EQ(::stat(path().c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600u);
  ASSERT_EQ(::stat((scratch_ / "journal/v1").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0700u);
}

TEST_F(Control, LinesThatAreNoRequestAreRefusedAndChangeNothing) {
  for (const std::string line : {"hello\n", "{}\n", "\n", "[1,2]\n", "{\"verb\":\"account.explode\"}\n",
                                 "{\"verb\":7}\n", "\xff\xfe\n", "{\"verb\":\"account.list\"\n"}) {
    const std::string said = said_to(line);
    EXPECT_TRUE(said.starts_with("{\"error\":")) << line << said;
  }
  EXPECT_TRUE(answers_its_operator());
}

TEST_F(Control, ALineThatNeverEndsIsRefusedAtItsBound) {
  EXPECT_TRUE(said_to(std::string(1 << 20, 'x')).starts_with("{\"error\":\"body_too_large\""));
  EXPECT_TRUE(answers_its_operator());
}

TEST_F(Control, SilentPeersMakeOthersWaitForAWordOnly) {
  const std::size_t before = server_.running().open_descriptors();
  {
    std::vector<std::unique_ptr<control_peer>> silent;
    for (int i = 0; i < 8; ++i) silent.push_back(std::make_unique<control_peer>(path()));
    ASSERT_TRUE(eventually([&] { return server_.running().open_descriptors() == before + 8; }));
    const finished said = server_.operate({"account", "list"});
    EXPECT_EQ(said.status, 1);
    EXPECT_NE(said.output.find("too many operators"), std::string::npos) << said.output;
  }
  EXPECT_TRUE(eventually([&] { return answers_its_operator(); }));
  EXPECT_TRUE(eventually([&] { return server_.running().open_descriptors() == before; }));
}

TEST(ControlOfADeepJournal, WorksThoughItsPathIsTooLongForASocket) {
  const scratch_folder scratch;
  const std::string deep = scratch.path() + "/" + std::string(60, 'd') + "/" + std::string(60, 'e');
  std::filesystem::create_directories(deep);
  std::filesystem::permissions(deep, std::filesystem::perms::owner_all);
  server_process server(deep);
  ASSERT_TRUE(server.start());
  EXPECT_EQ(server.operate({"account", "list"}).status, 0);
  EXPECT_EQ(server.stop(), 0);
  EXPECT_EQ(server.operate({"account", "list"}).status, 1);
}

}  // namespace
}  // namespace obsync::test
