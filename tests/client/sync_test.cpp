#include "client/sync/vault_sync.hpp"

#include <gtest/gtest.h>

#include "tests/support/sync_world.hpp"

namespace obsync::client {
namespace {

using namespace testing;
using text_map = std::map<std::string, std::string>;

class Sync : public ::testing::Test {
 protected:
  // Rounds in turn until nothing moves any more.
  void settle(const std::vector<device*>& devices) {
    for (int i = 0; i < 10; ++i) {
      std::uint64_t moved = 0;
      for (device* one : devices) {
        const auto report = one->round();
        EXPECT_TRUE(report.up_to_date) << describe(report);
        moved +=
            report.pushed + report.pulled + report.deleted_here + report.deleted_there + report.conflicts;
      }
      if (moved == 0) return;
    }
    FAIL() << "still moving after ten rounds";
  }
  void settle() { settle({&a, &b}); }

  std::uint64_t posts() const { return a.remote->posts() + b.remote->posts(); }

  memory_server server;
  device a{server, 1, "laptop"};
  device b{server, 2, "phone"};
};

TEST_F(Sync, CarriesFilesAndEmptyFoldersToTheOtherDevice) {
  a.folder.write("note.md", "hello");
  a.folder.write("deep/er/empty", "");
  a.folder.make_folder("nothing in it");
  settle();
  EXPECT_EQ(b.folder.texts(), (text_map{{"note.md", "hello"}, {"deep/er/empty", ""}}));
  EXPECT_EQ(b.folder.folders(), a.folder.folders());
}

TEST_F(Sync, IsSilentWhenNothingChanges) {
  a.folder.write("note.md", "hello");
  settle();
  const auto before = posts();
  settle();
  EXPECT_EQ(posts(), before);
}

TEST_F(Sync, FollowsEditsRenamesAndDeletions) {
  a.folder.write("one", "1");
  a.folder.write("two", "2");
  a.folder.write("three", "3");
  settle();
  a.folder.write("one", "1 edited");
  b.folder.rename("two", "folder/zwei");
  b.folder.remove("three");
  settle();
  const text_map expected{{"one", "1 edited"}, {"folder/zwei", "2"}};
  EXPECT_EQ(a.folder.texts(), expected);
  EXPECT_EQ(b.folder.texts(), expected);
  EXPECT_EQ(a.remote->bytes_received(), 0u) << "a rename moves no content";
}

TEST_F(Sync, FollowsAFolderRenamedOnlyInCapitals) {
  for (int i = 0; i < 5; ++i) a.folder.write("Trip Notes/" + std::to_string(i), std::to_string(i));
  settle();
  const auto received = b.remote->bytes_received();
  a.folder.rename("Trip Notes", "trip notes");
  settle();
  EXPECT_EQ(b.folder.texts(), a.folder.texts());
  EXPECT_EQ(b.folder.folders(), (std::vector<std::string>{"trip notes"}));
  EXPECT_EQ(b.remote->bytes_received(), received);
}

TEST_F(Sync, SwapsNamesWithoutCrossingContents) {
  a.folder.write("one", "1");
  a.folder.write("two", "2");
  settle();
  a.folder.rename("one", "tmp");
  a.folder.rename("two", "one");
  a.folder.rename("tmp", "two");
  settle();
  const text_map expected{{"one", "2"}, {"two", "1"}};
  EXPECT_EQ(a.folder.texts(), expected);
  EXPECT_EQ(b.folder.texts(), expected);
}

TEST_F(Sync, KeepsBothTextsUnderTheSameTwoNamesWhenBothEdit) {
  a.folder.write("log.md", "first");
  settle();
  a.folder.write("log.md", "by the laptop");
  b.folder.write("log.md", "by the phone!");
  settle();
  EXPECT_EQ(a.folder.texts(), b.folder.texts());
  ASSERT_EQ(a.folder.texts().size(), 2u);
  EXPECT_EQ(a.folder.texts().at("log.md"), "by the laptop");
  EXPECT_EQ(a.folder.texts().begin()->first, "log (conflict from phone, 2023-11-14 2213 UTC).md");
}

TEST_F(Sync, SettlesARaceOfTwoPostsAlikeOnBothDevices) {
  a.folder.write("log.md", "first");
  settle();
  a.folder.write("log.md", "by the laptop");
  b.folder.write("log.md", "by the phone!");
  // The phone posts between the laptop's catch-up and its post.
  bool raced = false;
  a.remote->before = [&](const std::string& call) -> std::optional<remote_error> {
    if (call == "post_version" && !raced) {
      raced = true;
      EXPECT_TRUE(b.round().up_to_date);
    }
    return std::nullopt;
  };
  settle();
  EXPECT_TRUE(raced);
  EXPECT_EQ(a.folder.texts(), b.folder.texts());
  ASSERT_EQ(a.folder.texts().size(), 2u);
  EXPECT_EQ(a.folder.texts().at("log.md"), "by the phone!") << "the server had it first";
  for (const auto& [id, file] : server.state.files) EXPECT_EQ(file.heads.size(), 1u);
}

TEST_F(Sync, ThreeDevicesThatBeginAVaultAtOnceKeepWhatTheServerHadFirst) {
  device c{server, 3, "tablet"};
  a.folder.write("a", "of the laptop");
  b.folder.write("b", "of the phone");
  c.folder.write("c", "of the tablet");
  // The tablet posts its map after the phone read the laptop's and its own, and before the phone settles
  // those.
  int read_by_c = 0;
  c.remote->before = [&](const std::string& call) -> std::optional<remote_error> {
    if (call != "file") return std::nullopt;
    ++read_by_c;
    if (read_by_c == 1) return refused(wire::refusal::unknown_file);
    if (read_by_c == 2) return remote_error{remote_error::kind::unreachable, {}, "cut off", {}};
    return std::nullopt;
  };
  int posted_by_b = 0;
  b.remote->before = [&](const std::string& call) -> std::optional<remote_error> {
    if (call != "post_version") return std::nullopt;
    ++posted_by_b;
    if (posted_by_b == 1) {
      EXPECT_TRUE(a.round().up_to_date);
    } else if (posted_by_b == 2) {
      EXPECT_FALSE(c.round().up_to_date);
    }
    return std::nullopt;
  };
  EXPECT_TRUE(b.round().up_to_date);
  EXPECT_EQ(read_by_c, 2);
  settle({&c, &a, &b});
  EXPECT_EQ(a.folder.texts().size(), 3u);
  EXPECT_EQ(a.folder.texts(), b.folder.texts());
  EXPECT_EQ(a.folder.texts(), c.folder.texts());
}

TEST_F(Sync, TakesTheNameOfARivalThatPostedTheSameTextFirst) {
  a.folder.write("log.md", "first");
  settle();
  a.folder.write("log.md", "second");
  b.folder.write("log.md", "second");
  b.folder.rename("log.md", "diary.md");
  bool raced = false;
  a.remote->before = [&](const std::string& call) -> std::optional<remote_error> {
    if (call == "post_version" && !raced) {
      raced = true;
      EXPECT_TRUE(b.round().up_to_date);
    }
    return std::nullopt;
  };
  const auto report = a.round();
  EXPECT_TRUE(raced);
  EXPECT_TRUE(report.up_to_date) << describe(report);
  EXPECT_EQ(a.folder.texts(), (text_map{{"diary.md", "second"}}));
  const auto before = posts();
  settle();
  EXPECT_EQ(posts(), before);
  EXPECT_EQ(b.folder.texts(), a.folder.texts());
}

TEST_F(Sync, MovesFilesIntoAndOutOfFoldersOfTheirOwnName) {
  a.folder.write("in", "1");
  a.folder.write("out/deep/er", "2");
  settle();
  a.folder.rename("in", "tmp");
  a.folder.rename("tmp", "in/in/in");
  a.folder.rename("out/deep/er", "tmp");
  a.folder.remove("out");
  a.folder.rename("tmp", "out");
  EXPECT_TRUE(a.round().up_to_date);
  const auto received = b.remote->bytes_received();
  const auto report = b.round();
  EXPECT_TRUE(report.up_to_date) << describe(report);
  EXPECT_EQ(b.folder.texts(), (text_map{{"in/in/in", "1"}, {"out", "2"}}));
  EXPECT_EQ(b.folder.folders(), a.folder.folders());
  EXPECT_EQ(b.remote->bytes_received(), received) << "a rename moves no content";
}

TEST_F(Sync, LetsAnEditComeBackAfterADeletion) {
  a.folder.write("d", "old");
  settle();
  a.folder.remove("d");
  b.folder.write("d", "edited while away");
  settle({&a, &b, &a});
  EXPECT_EQ(a.folder.texts(), (text_map{{"d", "edited while away"}}));
  EXPECT_EQ(b.folder.texts(), a.folder.texts());
}

TEST_F(Sync, AdoptsEqualFoldersWithOneCopyOfTheOneThatDiffers) {
  for (int i = 0; i < 30; ++i) {
    a.folder.write("n/" + std::to_string(i), "text " + std::to_string(i));
    b.folder.write("n/" + std::to_string(i), "text " + std::to_string(i));
  }
  b.folder.write("n/7", "text of b");
  a.folder.write("only a", "a");
  b.folder.write("only b", "b");
  settle();
  EXPECT_EQ(a.folder.texts(), b.folder.texts());
  EXPECT_EQ(a.folder.texts().size(), 33u);
  EXPECT_LT(b.remote->bytes_received(), 100u);
}

TEST_F(Sync, TellsTwoFilesOfOneNameApartAlikeEverywhere) {
  a.folder.write("x", "of a");
  bool raced = false;
  a.remote->before = [&](const std::string& call) -> std::optional<remote_error> {
    if (call == "put_chunk" && !raced) {
      raced = true;
      b.folder.write("x", "of b");
      EXPECT_TRUE(b.round().up_to_date);
    }
    return std::nullopt;
  };
  settle();
  EXPECT_TRUE(raced);
  EXPECT_EQ(a.folder.texts(), b.folder.texts());
  EXPECT_EQ(a.folder.texts().size(), 2u);
}

TEST_F(Sync, SendsAndFetchesLargeFilesInChunks) {
  std::string big(20u << 20, '\0');
  seeded_random noise(1);
  noise.fill({reinterpret_cast<std::uint8_t*>(big.data()), big.size()});
  a.folder.write("big", big);
  settle();
  EXPECT_TRUE(b.folder.texts().at("big") == big);
  const auto sent = a.remote->bytes_sent();
  const auto received = b.remote->bytes_received();
  big[big.size() / 2] ^= 1;
  a.folder.write("big", big);
  settle();
  EXPECT_TRUE(b.folder.texts().at("big") == big);
  EXPECT_LE(a.remote->bytes_sent() - sent, (16u << 20)) << "only what changed is sent";
  EXPECT_LE(b.remote->bytes_received() - received, (16u << 20)) << "and fetched";
}

TEST_F(Sync, SendsAgainWhatASetBackServerLost) {
  for (int i = 0; i < 10; ++i) a.folder.write("n" + std::to_string(i), "v1 " + std::to_string(i));
  settle();
  const auto backup = server.snapshot();
  for (int i = 0; i < 3; ++i) a.folder.write("n" + std::to_string(i), "v2 " + std::to_string(i));
  a.folder.write("new a", "a");
  b.folder.write("new b", "b");
  a.folder.rename("n3", "renamed");
  a.folder.remove("n4");
  settle();
  const auto expected = a.folder.texts();
  server.restore(backup);
  settle();
  EXPECT_EQ(a.folder.texts(), expected);
  EXPECT_EQ(b.folder.texts(), expected);
  device c{server, 3, "tablet"};
  settle({&c});
  EXPECT_EQ(c.folder.texts(), expected);
}

TEST_F(Sync, JoiningWithAnEmptyFolderDeletesNothing) {
  for (int i = 0; i < 20; ++i) a.folder.write("f/" + std::to_string(i), "x" + std::to_string(i));
  settle({&a});
  int calls = 0;
  b.remote->before = [&](const std::string& call) -> std::optional<remote_error> {
    if (call == "get_chunks" && ++calls == 1)
      return remote_error{remote_error::kind::unreachable, {}, "cut", {}};
    return std::nullopt;
  };
  EXPECT_FALSE(b.round().up_to_date);
  settle();
  EXPECT_EQ(b.folder.texts(), a.folder.texts());
  for (const auto& [id, file] : server.state.files) {
    for (const auto& version : file.versions) EXPECT_FALSE(version.deleted);
  }
}

TEST_F(Sync, ReportsARefusedFileAndBringsTheOthersUpToDate) {
  a.folder.write("a", "1");
  a.folder.write("b", "2");
  int puts = 0;
  a.remote->before = [&](const std::string& call) -> std::optional<remote_error> {
    if (call == "put_chunk" && ++puts == 1) return refused(wire::refusal::volume_full);
    return std::nullopt;
  };
  const auto report = a.round();
  EXPECT_FALSE(report.up_to_date);
  ASSERT_EQ(report.troubles.size(), 1u);
  EXPECT_EQ(report.troubles[0].code, "volume_full");
  EXPECT_EQ(report.pushed, 1u);
  EXPECT_TRUE(a.round(std::set<std::string>{}).up_to_date) << "it is tried again without being asked";
}

TEST_F(Sync, SmallFilesTravelInOneBatchWhereTheServerTakesThem) {
  a.remote->offers = wire::batch_limits{256, 256, 64 << 10, 16 << 20};
  for (int i = 0; i < 40; ++i) a.folder.write("note " + std::to_string(i), std::to_string(i));
  a.folder.write("large", std::string(70'000, 'x'));
  int batches = 0;
  a.remote->before = [&](const std::string& call) -> std::optional<remote_error> {
    batches += call == "batch" ? 1 : 0;
    return std::nullopt;
  };
  const auto report = a.round();
  EXPECT_TRUE(report.up_to_date);
  EXPECT_EQ(report.pushed, 41u);
  EXPECT_EQ(batches, 1);
  EXPECT_TRUE(b.round().up_to_date);
  EXPECT_EQ(a.folder.texts(), b.folder.texts());
}

TEST_F(Sync, AFileRefusedInABatchIsTriedAloneAndIsItsOwnTrouble) {
  a.remote->offers = wire::batch_limits{256, 256, 64 << 10, 16 << 20};
  a.folder.write("a", "1");
  a.folder.write("b", "2");
  int puts = 0;
  a.remote->before = [&](const std::string& call) -> std::optional<remote_error> {
    // The first chunk of the batch, and the same one alone.
    if (call == "put_chunk" && ++puts % 2 == 1) return refused(wire::refusal::volume_full);
    return std::nullopt;
  };
  const auto report = a.round();
  EXPECT_FALSE(report.up_to_date);
  ASSERT_EQ(report.troubles.size(), 1u);
  EXPECT_EQ(report.troubles[0].code, "volume_full");
  EXPECT_EQ(report.pushed, 1u);
}

TEST_F(Sync, ABatchThatGotNoAnswerIsMadeUpForInTheNextRound) {
  a.remote->offers = wire::batch_limits{256, 256, 64 << 10, 16 << 20};
  for (int i = 0; i < 5; ++i) a.folder.write("note " + std::to_string(i), std::to_string(i));
  bool broken = true;
  a.remote->before = [&](const std::string& call) -> std::optional<remote_error> {
    if (call == "batch" && broken) return remote_error{remote_error::kind::unreachable, {}, "gone", {}};
    return std::nullopt;
  };
  EXPECT_FALSE(a.round().up_to_date);
  broken = false;
  EXPECT_TRUE(a.round().up_to_date);
  EXPECT_TRUE(b.round().up_to_date);
  EXPECT_EQ(a.folder.texts(), b.folder.texts());
}

TEST_F(Sync, AfterALookAtEverythingThatGotNoAnswerTakesNothingForNew) {
  a.folder.write("a", "1");
  a.folder.write("f/b", "2");
  settle();
  a.remote->before = [](const std::string&) {
    return std::optional(remote_error{remote_error::kind::unreachable, {}, "line", {}});
  };
  EXPECT_FALSE(a.round().up_to_date);
  a.remote->before = nullptr;
  const auto before = posts();
  a.folder.write("a", "1 edited");
  EXPECT_TRUE(a.round({"a"}).up_to_date);
  EXPECT_EQ(posts(), before + 1);
}

TEST_F(Sync, OfChangedPathsLooksOnlyThere) {
  a.folder.write("a", "1");
  a.folder.write("b", "2");
  EXPECT_TRUE(a.round({"a"}).up_to_date);
  settle({&b});
  EXPECT_EQ(b.folder.texts(), (text_map{{"a", "1"}}));
  a.folder.rename("a", "c");
  EXPECT_TRUE(a.round({"c"}).up_to_date);
  settle({&b});
  EXPECT_EQ(b.folder.texts(), (text_map{{"c", "1"}})) << "the other end of a rename is found by itself";
}

}  // namespace
}  // namespace obsync::client
