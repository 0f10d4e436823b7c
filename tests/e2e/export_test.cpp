// `obsyncd export` beside a running server: an account's sealed files, read back by hand.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "crypto/digest.hpp"
#include "tests/e2e/raw_device.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::test {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "OBSYNC-EXPORT-1\n";

struct archive {
  std::string index;
  std::map<chunk_sid, std::string> chunks;
};

std::uint32_t length_at(const std::string& text, std::size_t at) {
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < 4; ++i) out = out << 8 | static_cast<std::uint8_t>(text.at(at + i));
  return out;
}

// Checks every byte of it.
archive read_archive(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  archive out;
  EXPECT_TRUE(text.starts_with(magic));
  std::size_t at = magic.size();
  out.index = text.substr(at + 4, length_at(text, at));
  at += 4 + out.index.size();
  EXPECT_EQ(text.substr(at, 32), as_text(crypto::sha256(as_bytes(out.index)).view()));
  EXPECT_EQ(text.substr(at + 32, 32), std::string(32, '\0'));
  std::optional<chunk_sid> last;
  for (at += 64; at < text.size();) {
    const std::string body = text.substr(at + 4, length_at(text, at));
    at += 4 + body.size();
    const chunk_sid sid{crypto::sha256(as_bytes(body)).raw};
    EXPECT_TRUE(!last || *last < sid) << "ascending, each once";
    last = sid;
    out.chunks[sid] = body;
  }
  EXPECT_EQ(at, text.size());
  return out;
}

class Export : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(server_.start());
    family_ = std::make_unique<raw_device>(server_, "family");
    guest_ = std::make_unique<raw_device>(server_, "guest", server_.invite("guest"));
    ASSERT_TRUE(family_->ok() && guest_->ok());
    for (const std::size_t size : {1'000u, 200'000u}) notes_.push_back(put(*family_, size));
    theirs_ = put(*guest_, 3'000);
  }

  made_note put(raw_device& device, std::size_t size) {
    const made_note note = make_note(random_, size);
    EXPECT_TRUE(device.server().put_chunk(note.sid, note.sealed).ok());
    EXPECT_TRUE(device.server().post_version(note.file, note.post).ok());
    return note;
  }

  // A further version of that file, with another chunk.
  made_note edit(const made_note& before) {
    made_note after = make_note(random_, 900);
    after.file = before.file;
    after.post.parents = {before.post.id};
    after.post.id =
        wire::identify_version(after.file, after.post.parents, after.post.manifest_ct, after.post.sids);
    EXPECT_TRUE(family_->server().put_chunk(after.sid, after.sealed).ok());
    EXPECT_TRUE(family_->server().post_version(after.file, after.post).ok());
    return after;
  }

  finished run(std::vector<std::string> words) const {
    std::vector<std::string> all{"export", "--store.blobs_dir=" + scratch_.path() + "/blobs"};
    all.insert(all.end(), words.begin(), words.end());
    return server_.operate(all);
  }
  std::string out() const { return scratch_ / "family.archive"; }

  scratch_folder scratch_;
  server_process server_{scratch_.path()};
  seeded_random random_{5};
  std::unique_ptr<raw_device> family_, guest_;
  std::vector<made_note> notes_;
  made_note theirs_;
};

TEST_F(Export, HoldsEveryChunkOfTheAccountAndNothingOfAnother) {
  const finished said = run({"--account", "family", "--out", out()});
  ASSERT_EQ(said.status, 0) << said.output;
  EXPECT_NE(said.output.find("2 files, 2 versions, 2 chunks"), std::string::npos) << said.output;
  EXPECT_EQ(fs::status(out()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  const archive found = read_archive(out());
  ASSERT_EQ(found.chunks.size(), 2u);
  for (const made_note& one : notes_) {
    EXPECT_EQ(found.chunks.at(one.sid), as_text(one.sealed));
    EXPECT_NE(found.index.find(one.post.id.hex()), std::string::npos);
  }
  EXPECT_EQ(found.index.find(theirs_.post.id.hex()), std::string::npos);
}

TEST_F(Export, TakesTheHeadsOrTheWholeHistory) {
  const made_note newest = edit(notes_[0]);
  ASSERT_EQ(run({"--account", "family", "--out", out()}).status, 0);
  const archive heads = read_archive(out());
  EXPECT_TRUE(heads.chunks.contains(newest.sid));
  EXPECT_FALSE(heads.chunks.contains(notes_[0].sid));
  ASSERT_EQ(run({"--account", "family", "--history", "--out", out() + ".all"}).status, 0);
  const archive all = read_archive(out() + ".all");
  EXPECT_EQ(all.chunks.size(), 3u);
  EXPECT_NE(all.index.find(notes_[0].post.id.hex() + "\",\"parents\":[]"), std::string::npos) << all.index;
}

TEST_F(Export, LeavesOtherDomainsOut) {
  ASSERT_EQ(run({"--account", "family", "--domain", std::string(32, 'f'), "--out", out()}).status, 0);
  EXPECT_TRUE(read_archive(out()).chunks.empty());
}

TEST_F(Export, NeverOverwritesAndPublishesNothingThatLacksAChunk) {
  std::ofstream(out()) << "precious";
  EXPECT_EQ(run({"--account", "family", "--out", out()}).status, 1);
  EXPECT_EQ(fs::file_size(out()), 8u);
  const std::string sid = notes_[1].sid.hex();
  for (const auto& entry : fs::directory_iterator(scratch_ / ("blobs/v1/" + sid.substr(0, 2))))
    std::fstream(entry.path(), std::ios::in | std::ios::out).put('?');
  const finished rotten = run({"--account", "family", "--out", out() + ".2"});
  EXPECT_EQ(rotten.status, 1);
  EXPECT_NE(rotten.output.find("chunk " + sid + " is not what its name says"), std::string::npos)
      << rotten.output;
  fs::remove_all(scratch_ / ("blobs/v1/" + sid.substr(0, 2)));
  const finished missing = run({"--account", "family", "--out", out() + ".2"});
  EXPECT_NE(missing.output.find("chunk " + sid + " is missing"), std::string::npos) << missing.output;
  EXPECT_FALSE(fs::exists(out() + ".2") || fs::exists(out() + ".2.part"));
}

TEST_F(Export, WorksWithoutAServerAndSaysWhatItWasNotTold) {
  ASSERT_EQ(server_.stop(), 0);
  EXPECT_EQ(run({"--account", "family", "--out", out(), "--json"}).status, 0);
  EXPECT_EQ(run({"--account", "family"}).status, 2);
  EXPECT_EQ(run({"--account", "nobody", "--out", out() + ".2"}).status, 1);
}

}  // namespace
}  // namespace obsync::test
