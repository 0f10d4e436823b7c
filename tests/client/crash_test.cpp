// A client that dies at every operation in turn, on the disk or on the line, and starts again with what it
// had remembered. The end is always the same as without the death.
#include "client/sync/vault_sync.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>

#include "tests/support/scratch_folder.hpp"
#include "tests/support/sync_world.hpp"

namespace obsync::client {
namespace {

using namespace testing;
using text_map = std::map<std::string, std::string>;

// Operations are counted over disk and line together; from number `at` on nothing works any more.
struct death {
  int at = -1;
  int done = 0;
  bool strikes() { return at >= 0 && done++ >= at; }
};

class crash_world {
 public:
  explicit crash_world(const std::string& state_path)
      : a(server, 1, "laptop"), b(server, 2, "phone", state_path) {
    b.remote->before = [this](const std::string&) -> std::optional<remote_error> {
      if (!fate.strikes()) return std::nullopt;
      return remote_error{remote_error::kind::stopped, {}, "dead", {}};
    };
    b.disk_fault = [this](const std::string&) -> std::optional<error> {
      if (!fate.strikes()) return std::nullopt;
      return error{errc::io_failed, "dead"};
    };
    b.start();
  }

  void settle() {
    for (int i = 0; i < 8; ++i) {
      a.round();
      b.round();
    }
  }

  // The state both devices begin from.
  void begin() {
    for (int i = 0; i < 6; ++i) a.folder.write("n/" + std::to_string(i), "text " + std::to_string(i));
    a.folder.write("swap 1", "one");
    a.folder.write("swap 2", "two");
    a.folder.write("both", "first");
    a.folder.write("in", "goes into a folder of its name");
    a.folder.write("out/of", "takes its folder's name");
    a.folder.make_folder("empty");
    settle();
  }

  // What happens to both while they are apart.
  void part() {
    a.folder.write("n/0", "text 0 edited");
    a.folder.rename("n/1", "moved/1");
    a.folder.remove("n/2");
    a.folder.rename("swap 1", "tmp");
    a.folder.rename("swap 2", "swap 1");
    a.folder.rename("tmp", "swap 2");
    a.folder.rename("in", "tmp");
    a.folder.rename("tmp", "in/in");
    a.folder.rename("out/of", "tmp");
    a.folder.remove("out");
    a.folder.rename("tmp", "out");
    a.folder.write("both", "of the laptop");
    a.folder.write("name", "of the laptop too");
    a.folder.remove("empty");
    a.folder.write("large", std::string(3u << 20, 'x'));
    a.round();
    b.folder.write("both", "of the phone");
    b.folder.write("name", "of the phone too");
    b.folder.write("n/3", "text 3 edited");
    b.folder.rename("n/4", "n/four");
    b.folder.remove("n/5");
  }

  memory_server server;
  death fate;
  device a;
  device b;
};

text_map run(int at, bool& died) {
  const obsync::test::scratch_folder scratch;
  crash_world world(scratch / "state.db");
  world.begin();
  world.part();
  world.fate.at = at;
  world.fate.done = 0;
  world.b.round();
  died = world.fate.done > at && at >= 0;
  world.fate.at = -1;
  for (const auto& [path, text] : world.b.folder.texts()) EXPECT_FALSE(text.empty()) << path;
  world.b.start();
  world.settle();
  EXPECT_TRUE(world.a.round().up_to_date);
  EXPECT_TRUE(world.b.round().up_to_date);
  EXPECT_EQ(world.a.folder.texts(), world.b.folder.texts());
  EXPECT_EQ(world.a.folder.folders(), world.b.folder.folders());
  return world.b.folder.texts();
}

TEST(Crash, AtAnyOperationChangesNothingInTheEnd) {
  bool died = false;
  const text_map expected = run(-1, died);
  EXPECT_EQ(expected.size(), 13u);
  int at = 0;
  do {
    SCOPED_TRACE("death at operation " + std::to_string(at));
    EXPECT_EQ(run(at, died), expected);
    if (::testing::Test::HasFailure()) return;
  } while (died && ++at < 1000);
  EXPECT_GT(at, 30);
}

// Sends and fetches a file of many chunks, dying at each transfer; what was sent before is not sent again.
TEST(Crash, ResumesLargeFilesByTheChunk) {
  std::string big(40u << 20, '\0');
  seeded_random noise(3);
  noise.fill({reinterpret_cast<std::uint8_t*>(big.data()), big.size()});
  const obsync::test::scratch_folder scratch;
  memory_server server;
  device a(server, 1, "laptop", scratch / "a.db");
  device b(server, 2, "phone", scratch / "b.db");
  constexpr std::uint64_t one_chunk = 8u << 20;
  a.folder.write("big", big);
  std::atomic<int> deaths = 0;
  std::atomic<int> left = 0;
  const auto dying_at = [&](const char* verb) {
    return [&, verb](const std::string& call) -> std::optional<remote_error> {
      if (call != verb || left-- > 0) return std::nullopt;
      ++deaths;
      return remote_error{remote_error::kind::stopped, {}, "dead", {}};
    };
  };
  a.remote->before = dying_at("put_chunk");
  while (!a.round().up_to_date && deaths < 100) {
    a.start();
    left = 1;
  }
  EXPECT_GT(deaths, 4);
  EXPECT_LT(a.remote->bytes_sent(), big.size() + one_chunk);
  deaths = 0;
  b.remote->before = dying_at("get_chunk");
  while (!b.round().up_to_date && deaths < 100) {
    EXPECT_FALSE(b.folder.texts().contains("big"));
    b.start();
    left = 1;
  }
  EXPECT_GT(deaths, 4);
  // What was asked for ahead of the one that failed comes again.
  EXPECT_LT(b.remote->bytes_received(), big.size() + static_cast<std::uint64_t>(deaths) * one_chunk);
  EXPECT_TRUE(b.folder.texts().at("big") == big);
}

}  // namespace
}  // namespace obsync::client
