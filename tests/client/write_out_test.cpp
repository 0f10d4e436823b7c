#include "client/restore/write_out.hpp"

#include "client/restore/archive_source.hpp"
#include "tests/client/restore_world.hpp"

namespace obsync::client {
namespace {

using namespace testing;

class WriteOut : public RestoreWorld {
 protected:
  void SetUp() override {
    a.folder.write("note.md", "a note");
    a.folder.write("deep/er/empty.md", "");
    a.folder.write("large.bin", std::string(3u << 20, 'l') + "end");
    a.folder.write("larger.bin", noise(20u << 20));
    a.folder.make_folder("nothing in it");
    ASSERT_TRUE(a.round().up_to_date);
  }

  static std::string noise(std::size_t size) {
    std::string out(size, '\0');
    seeded_random(9).fill({reinterpret_cast<std::uint8_t*>(out.data()), size});
    return out;
  }
  written_out write(version_source& source) {
    return write_out(read_past(source, keys), source, *make_memory_vault(out, fault), progress,
                     [this] { return stop; });
  }
  // The chunk of the file that has this text.
  bytes& chunk_of(const std::string& path) {
    server_source source(*a.remote);
    for (const past_file& one : read_past(source, keys).files)
      if (one.path == path) return server.state.chunks.at(one.chunks.back().sid);
    throw std::out_of_range(path);
  }

  memory_folder out;
  silent_progress progress;
  std::function<std::optional<error>(const std::string&)> fault;
  bool stop = false;
};

TEST_F(WriteOut, WritesEveryFileAndFolderAsTheDeviceHasIt) {
  server_source source(*a.remote);
  const written_out done = write(source);
  EXPECT_FALSE(done.ended);
  EXPECT_TRUE(done.troubles.empty());
  EXPECT_EQ(done.files, 4u);
  EXPECT_EQ(out.texts(), a.folder.texts());
  EXPECT_EQ(out.folders(), a.folder.folders());
}

TEST_F(WriteOut, WritesTheSameFromAnArchiveAsFromTheServer) {
  test::memory_file file(archive_of(server, false));
  const auto source = archive_source::open(file, world_key(), {});
  ASSERT_TRUE(source) << source.error().detail;
  EXPECT_FALSE((*source)->is_vouched_for());
  EXPECT_TRUE(write(**source).troubles.empty());
  EXPECT_EQ(out.texts(), a.folder.texts());
}

TEST_F(WriteOut, NamesTheFileWhoseChunkIsMissingAndWritesTheOthers) {
  const bytes lost = chunk_of("note.md");
  std::erase_if(server.state.chunks, [&](const auto& one) { return one.second == lost; });
  server_source source(*a.remote);
  const written_out done = write(source);
  ASSERT_EQ(done.troubles.size(), 1u);
  EXPECT_EQ(done.troubles[0].path, "note.md");
  EXPECT_EQ(done.troubles[0].code, "unknown_chunk");
  text_map rest = a.folder.texts();
  rest.erase("note.md");
  EXPECT_EQ(out.texts(), rest);
}

TEST_F(WriteOut, WritesNoFileOfWhichABitIsWrongHoweverLarge) {
  chunk_of("note.md")[3] ^= 1;
  chunk_of("larger.bin")[3] ^= 1;
  server_source source(*a.remote);
  const written_out done = write(source);
  ASSERT_EQ(done.troubles.size(), 2u);
  EXPECT_EQ(done.troubles[0].path, "larger.bin");
  EXPECT_EQ(done.troubles[0].code, "corrupt");
  EXPECT_EQ(done.troubles[1].path, "note.md");
  EXPECT_EQ(out.texts().size(), 2u);
  for (const auto& [path, node] : out.nodes)
    EXPECT_EQ(path.find(".obsync-"), std::string::npos) << "left beside: " << path;
}

TEST_F(WriteOut, EndsWhenTheServerIsGoneOrTheDiskIsFull) {
  server_source source(*a.remote);
  const past_vault past = read_past(source, keys);
  a.remote->before = [](const std::string& call) -> std::optional<remote_error> {
    if (!call.starts_with("get_chunk")) return std::nullopt;
    return remote_error{remote_error::kind::unreachable, {}, "gone", {}};
  };
  const auto to = make_memory_vault(out, [](const std::string&) { return std::nullopt; });
  const written_out gone = write_out(past, source, *to, progress, [] { return false; });
  ASSERT_TRUE(gone.ended);
  EXPECT_EQ(gone.ended->code, errc::unavailable);
  EXPECT_TRUE(out.texts().empty());
  a.remote->before = {};
  fault = [](const std::string& call) -> std::optional<error> {
    if (call != "place") return std::nullopt;
    return error{errc::no_space, "full"};
  };
  const written_out full = write(source);
  ASSERT_TRUE(full.ended);
  EXPECT_EQ(full.ended->code, errc::no_space);
}

TEST_F(WriteOut, StopsWhenAsked) {
  server_source source(*a.remote);
  stop = true;
  const written_out done = write(source);
  ASSERT_TRUE(done.ended);
  EXPECT_EQ(done.ended->code, errc::shutting_down);
  EXPECT_TRUE(out.texts().empty());
}

TEST_F(WriteOut, ReplacesNothingThatCameMeanwhile) {
  out.write("note.md", "somebody else's");
  server_source source(*a.remote);
  const written_out done = write(source);
  ASSERT_EQ(done.troubles.size(), 1u);
  EXPECT_EQ(done.troubles[0].code, "name_taken");
  EXPECT_EQ(out.texts().at("note.md"), "somebody else's");
}

TEST_F(WriteOut, ChangesNothingAtTheServer) {
  const auto posts = a.remote->posts();
  const auto head = server.state.head;
  server_source source(*a.remote);
  write(source);
  EXPECT_EQ(a.remote->posts(), posts);
  EXPECT_EQ(server.state.head, head);
}

}  // namespace
}  // namespace obsync::client
