// The client on real folders: two devices, one server in memory, files on disk.
#include "client/sync/vault_sync.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "tests/support/scratch_folder.hpp"
#include "tests/support/sync_world.hpp"

namespace obsync::client {
namespace {

using namespace testing;
namespace fs = std::filesystem;

class disk_device {
 public:
  disk_device(memory_server& server, std::uint8_t number, const std::string& place)
      : root(place + "/folder"), state_(place + "/state.db") {
    fs::create_directories(root);
    device_id self;
    self.raw.back() = number;
    server.device_names[self] = "device " + std::to_string(number);
    remote = std::make_unique<memory_remote>(server, self);
    start();
  }

  void start() {
    sync.reset();
    sync_options options;
    options.folder = root;
    options.state_path = state_;
    options.device_name = "device";
    options.settle_ms = 0;
    crypto::secret32 key;
    key.raw.fill(7);
    auto made = open_vault_sync(options, key, *remote, clock_, random_);
    ASSERT_TRUE(made.ok()) << made.error().detail;
    sync = std::move(*made);
  }

  round_report round() { return sync->round({}, progress); }

  void write(const std::string& path, const std::string& text) const {
    fs::create_directories(fs::path(root + "/" + path).parent_path());
    std::ofstream(root + "/" + path, std::ios::binary) << text;
  }

  std::map<std::string, std::string> texts() const {
    std::map<std::string, std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      if (!entry.is_regular_file()) continue;
      std::ifstream in(entry.path(), std::ios::binary);
      out[fs::relative(entry.path(), root)] = {std::istreambuf_iterator<char>(in), {}};
    }
    return out;
  }

  const std::string root;
  std::unique_ptr<memory_remote> remote;
  std::unique_ptr<vault_sync> sync;
  silent_progress progress;

 private:
  std::string state_;
  system_random random_;
  system_clock clock_;
};

class FolderSync : public ::testing::Test {
 protected:
  void settle() {
    for (int i = 0; i < 3; ++i) {
      for (disk_device* one : {&a, &b}) {
        const auto report = one->round();
        EXPECT_TRUE(report.up_to_date) << describe(report);
      }
    }
    EXPECT_EQ(a.texts(), b.texts());
  }

  obsync::test::scratch_folder scratch_;
  memory_server server;
  disk_device a{server, 1, scratch_ / "a"};
  disk_device b{server, 2, scratch_ / "b"};
};

TEST_F(FolderSync, CarriesEverySizeByteForByte) {
  seeded_random noise(5);
  for (const std::size_t size :
       {0u, 1u, 2048u, 65535u, 65537u, 1048576u, 8388607u, 8388608u, 8388609u, 20000000u}) {
    std::string text(size, '\0');
    noise.fill({reinterpret_cast<std::uint8_t*>(text.data()), size});
    a.write("sizes/" + std::to_string(size), text);
  }
  for (int i = 0; i < 100; ++i)
    a.write("many/" + std::to_string(i % 7) + "/note " + std::to_string(i), "n" + std::to_string(i));
  a.write("\xf0\x9f\x8c\xb1 emoji/caf\xc3\xa9", "composed");
  a.write("\xf0\x9f\x8c\xb1 emoji/cafe\xcc\x81", "decomposed");
  fs::create_directories(a.root + "/empty/folder");
  settle();
  EXPECT_EQ(b.texts().size(), 112u);
  EXPECT_TRUE(fs::is_directory(b.root + "/empty/folder"));
}

TEST_F(FolderSync, KeepsBothTextsWhenARenameIntoAFolderOfItsNameMeetsAnEdit) {
  a.write("x", "agreed");
  settle();
  fs::rename(b.root + "/x", b.root + "/t");
  fs::create_directory(b.root + "/x");
  fs::rename(b.root + "/t", b.root + "/x/inside");
  std::ofstream(b.root + "/x/inside", std::ios::binary) << "edited by b";
  a.write("x", "edited by a");
  EXPECT_TRUE(b.round().up_to_date);
  settle();
  std::set<std::string> kept;
  for (const auto& [path, text] : a.texts()) kept.insert(text);
  EXPECT_EQ(kept, (std::set<std::string>{"edited by a", "edited by b"}));
}

TEST_F(FolderSync, AFileMayTakeTheNameOfTheFolderThatWentBeforeIt) {
  a.write("x/in", "in a folder");
  settle();
  fs::remove_all(a.root + "/x");
  a.write("x", "a file now");
  settle();
  EXPECT_EQ(b.texts(), (std::map<std::string, std::string>{{"x", "a file now"}}));
}

TEST_F(FolderSync, FollowsEditsRenamesSwapsAndDeletionsAndKeepsTimes) {
  for (const char* name : {"edit", "move", "swap 1", "swap 2", "gone", "folder/in"})
    a.write(name, std::string("text of ") + name);
  settle();
  a.write("edit", "text edited");
  fs::last_write_time(a.root + "/edit", fs::file_time_type::clock::now() - std::chrono::hours(24 * 365));
  fs::create_directory(a.root + "/sub");
  fs::rename(a.root + "/move", a.root + "/sub/moved");
  fs::rename(a.root + "/swap 1", a.root + "/t");
  fs::rename(a.root + "/swap 2", a.root + "/swap 1");
  fs::rename(a.root + "/t", a.root + "/swap 2");
  fs::remove(b.root + "/gone");
  fs::rename(b.root + "/folder", b.root + "/Folder");
  settle();
  const auto texts = b.texts();
  EXPECT_EQ(texts.at("edit"), "text edited");
  EXPECT_EQ(texts.at("swap 1"), "text of swap 2");
  EXPECT_TRUE(texts.contains("sub/moved"));
  EXPECT_TRUE(a.texts().contains("Folder/in"));
  EXPECT_FALSE(fs::exists(a.root + "/folder"));
  EXPECT_EQ(texts.size(), 5u);
  const auto apart = fs::last_write_time(a.root + "/edit") - fs::last_write_time(b.root + "/edit");
  EXPECT_LT(std::chrono::abs(apart), std::chrono::milliseconds(1));
}

TEST_F(FolderSync, TouchesNothingAndPublishesNothingWhenAnotherFolderIsInPlace) {
  a.write("note", "text");
  settle();
  fs::rename(b.root, b.root + ".away");
  fs::create_directory(b.root);
  a.write("new", "new");
  a.round();
  const auto head = server.state.head;
  const auto report = b.round();
  ASSERT_TRUE(report.local);
  EXPECT_EQ(report.local->code, errc::not_found);
  EXPECT_EQ(report.local->detail.substr(0, 12), "root_missing");
  EXPECT_TRUE(fs::is_empty(b.root));
  EXPECT_EQ(server.state.head, head);
  fs::remove(b.root);
  EXPECT_TRUE(b.round().local);
  fs::rename(b.root + ".away", b.root);
  settle();
  EXPECT_EQ(b.texts().size(), 2u);
}

TEST_F(FolderSync, KeepsASaveMadeDuringTheDownload) {
  a.write("doc", "first");
  settle();
  a.write("doc", "of device 1");
  a.round();
  b.remote->before = [&](const std::string& call) -> std::optional<remote_error> {
    if (call == "get_chunks") b.write("doc", "saved meanwhile");
    return std::nullopt;
  };
  EXPECT_FALSE(b.round().up_to_date);
  EXPECT_EQ(b.texts().at("doc"), "saved meanwhile");
  b.remote->before = nullptr;
  settle();
  EXPECT_EQ(a.texts().size(), 2u);
}

TEST_F(FolderSync, HoldsOneUnreadableNameAndSyncsTheRest) {
  a.write("fine", "1");
  a.write("back\\slash", "2");
  const auto report = a.round();
  EXPECT_FALSE(report.up_to_date);
  ASSERT_EQ(report.troubles.size(), 1u);
  EXPECT_EQ(report.troubles[0].code, "refused_name");
  EXPECT_EQ(report.pushed, 1u);
}

TEST_F(FolderSync, LeavesAFolderWithHiddenThingsInItButForgetsIt) {
  a.write("f/note", "1");
  settle();
  std::ofstream(b.root + "/f/.hidden") << "mine";
  fs::remove_all(a.root + "/f");
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(a.round().up_to_date);
    EXPECT_TRUE(b.round().up_to_date);
  }
  EXPECT_FALSE(fs::exists(a.root + "/f"));
  EXPECT_TRUE(fs::exists(b.root + "/f/.hidden"));
  fs::remove(b.root + "/f/.hidden");
  b.round();
  EXPECT_FALSE(fs::exists(b.root + "/f"));
}

TEST_F(FolderSync, RefusesTheStateOfAnotherFolder) {
  b.sync.reset();
  sync_options options;
  options.folder = a.root;
  options.state_path = scratch_ / "b/state.db";
  crypto::secret32 key;
  key.raw.fill(7);
  system_clock clock;
  system_random random;
  const auto made = open_vault_sync(options, key, *b.remote, clock, random);
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code, errc::exists);
}

}  // namespace
}  // namespace obsync::client
