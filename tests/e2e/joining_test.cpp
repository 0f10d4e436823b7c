// A device comes into a vault: with nothing, half-way, again, or with the same notes already there.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "core/random.hpp"
#include "tests/e2e/counting_relay.hpp"
#include "tests/e2e/device.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/server_process.hpp"

namespace obsync::test {
namespace {

namespace fs = std::filesystem;
using way = counting_relay::way;

constexpr std::size_t mebibyte = 1u << 20;
const std::string nothing_done = "0 sent, 0 received, 0 deleted there, 0 deleted here";

template <class Condition>
std::size_t count_in(const file_tree& tree, Condition holds) {
  return static_cast<std::size_t>(std::count_if(tree.begin(), tree.end(), holds));
}

class Joining : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(server_.start());
    const finished made = a_.init(server_.url(), server_.setup_token());
    ASSERT_EQ(made.status, 0) << made.output;
  }

  std::string noise(std::size_t size) {
    std::string text(size, '\0');
    random_.fill({reinterpret_cast<std::uint8_t*>(text.data()), size});
    return text;
  }
  void write_notes(int count, int folders) {
    for (int i = 0; i < count; ++i) {
      a_.write("folder " + std::to_string(i % folders) + "/note " + std::to_string(i) + ".md",
               "note " + std::to_string(i) + "\n" + noise(500));
    }
  }

  scratch_folder scratch_;
  server_process server_{scratch_.path()};
  device a_{scratch_.path(), "a"};
  device b_{scratch_.path(), "b"};
  seeded_random random_{7};
};

TEST_F(Joining, AnEmptyFolderKilledWhileItFillsDeletesNothingAndFillsUp) {
  write_notes(500, 40);
  for (int i = 0; i < 20; ++i) a_.write("images/" + std::to_string(i) + ".png", noise(mebibyte));
  a_.sync();
  const file_tree full = a_.tree();

  counting_relay relay(server_.port());
  ASSERT_NO_FATAL_FAILURE(a_.pair(b_, relay.url()));
  relay.hold_after(way::to_client, 5 * mebibyte);
  process joining = b_.start({"sync", b_.root()});
  ASSERT_TRUE(eventually([&] { return relay.holding() || !joining.running(); }));
  ASSERT_TRUE(joining.running()) << joining.output();
  joining.kill();
  relay.release();
  EXPECT_NE(a_.sync().find(nothing_done), std::string::npos);

  const std::string said = b_.sync();
  EXPECT_NE(said.find(": 0 sent"), std::string::npos) << said;
  EXPECT_NE(said.find("0 deleted there, 0 deleted here"), std::string::npos) << said;
  EXPECT_EQ(difference(full, b_.tree()), "");
  EXPECT_NE(a_.sync().find(nothing_done), std::string::npos);
  EXPECT_EQ(difference(full, a_.tree()), "");
}

TEST_F(Joining, AFullFolderWhoseHomeWasLostComesBackAsANewDeviceWithoutSendingOrCopying) {
  write_notes(100, 10);
  a_.write("film.mp4", noise(12 * mebibyte));
  a_.sync();
  ASSERT_NO_FATAL_FAILURE(a_.pair(b_, server_.url()));
  b_.sync();
  const file_tree full = a_.tree();

  fs::remove_all(b_.home());
  ASSERT_NO_FATAL_FAILURE(a_.pair(b_, server_.url()));
  const std::string said = b_.sync();
  EXPECT_NE(said.find(": 0 sent"), std::string::npos) << said;
  EXPECT_EQ(said.find("conflict"), std::string::npos) << said;
  EXPECT_LT(b_.status_number("bytes_sent"), 200 << 10);
  EXPECT_EQ(difference(full, b_.tree()), "");
  EXPECT_NE(a_.sync().find(nothing_done), std::string::npos);
}

class SameNotes : public Joining, public testing::WithParamInterface<bool> {};

TEST_P(SameNotes, TwoDevicesThatBeginWithThemGetOneCopyOfTheOneThatDiffersAndSendNothingTwice) {
  write_notes(300, 20);
  a_.write("film.mp4", noise(12 * mebibyte));
  fs::copy(a_.root(), b_.root(), fs::copy_options::recursive);
  const std::string differing = "folder 3/note 3.md";
  const std::string on_a = a_.tree().at(differing);
  std::string on_b = on_a;
  on_b.back() = static_cast<char>(on_b.back() ^ 1);
  b_.write(differing, on_b);
  a_.write("only on a.md", "a");
  b_.write("only on b.md", "b");
  ASSERT_NO_FATAL_FAILURE(a_.pair(b_, server_.url()));

  const device& first = GetParam() ? a_ : b_;
  const device& second = GetParam() ? b_ : a_;
  first.sync();
  second.sync();
  EXPECT_LT(second.status_number("bytes_sent"), std::int64_t{mebibyte});
  EXPECT_LT(second.status_number("bytes_received"), std::int64_t{mebibyte});
  first.sync();
  second.sync();

  const file_tree now = a_.tree();
  EXPECT_EQ(difference(now, b_.tree()), "");
  const auto is_copy = [](const auto& entry) {
    return entry.first.find("(conflict from ") != std::string::npos;
  };
  EXPECT_EQ(count_in(now, is_copy), 1u);
  EXPECT_EQ(count_in(now, [](const auto& entry) { return entry.first.back() != '/'; }), 300u + 1 + 2 + 1);
  for (const std::string& text : {on_a, on_b}) {
    EXPECT_EQ(count_in(now, [&](const auto& entry) { return entry.second == text; }), 1u);
  }
  EXPECT_NE(first.sync().find(nothing_done), std::string::npos);
  EXPECT_NE(second.sync().find(nothing_done), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(FirstToSync, SameNotes, testing::Bool(),
                         [](const auto& which) { return which.param ? "TheInviter" : "TheInvited"; });

}  // namespace
}  // namespace obsync::test
