#include "wire/archive_reader.hpp"

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "crypto/digest.hpp"
#include "tests/support/memory_file.hpp"
#include "wire/archive_writer.hpp"
#include "wire/limits.hpp"

namespace obsync::wire {
namespace {

using test::memory_file;

// Notes down what it hears.
class listener final : public archive_visitor {
 public:
  status begin_file(const archived_file& file) override {
    files.push_back({file.id, file.domain, file.heads, {}});
    return {};
  }
  status version(const version_record& version) override {
    files.back().versions.push_back(version);
    return refuse ? status{error{errc::no_space, "enough"}} : status{};
  }
  status end_file() override {
    ++ended;
    return {};
  }

  std::vector<file_record> files;
  std::size_t ended = 0;
  bool refuse = false;
};

class Archive : public testing::Test {
 protected:
  Archive() {
    small_ = add_chunk("small");
    large_ = add_chunk(std::string(700'000, 'x'));
    const version_record first = version(1, {}, {small_});
    const version_record second = version(1, {first.id}, {large_, small_, large_});
    const version_record gone = version(2, {}, {});
    files_ = {{file(1), domain_, {second.id}, {second, first}}, {file(2), domain_, {gone.id}, {gone}}};
    files_[1].versions[0].deleted = true;
  }

  static file_id file(std::uint8_t number) {
    file_id out;
    out.raw.fill(number);
    return out;
  }
  chunk_sid add_chunk(std::string text) {
    const chunk_sid sid{crypto::sha256(as_bytes(text)).raw};
    chunks_[sid] = std::move(text);
    return sid;
  }
  version_record version(std::uint8_t of, std::vector<version_id> parents, std::vector<chunk_sid> sids) {
    version_record out;
    out.parents = std::move(parents);
    out.sids = std::move(sids);
    out.bytes = 7;
    out.manifest_ct = bytes(40 + of, of);
    out.manifest_nonce = random_id<seal_nonce>(random_);
    out.ts_ms = 1'700'000'000'000 + ++times_;
    out.id = identify_version(file(of), out.parents, out.manifest_ct, out.sids);
    return out;
  }

  bytes written(const std::function<digest(const digest&)>& vouch = {}, bool with_time = true) {
    memory_file to;
    archive_writer out(to);
    EXPECT_TRUE(out.begin({std::string(archive_from_server), {}, 42}));
    for (const file_record& one : files_) {
      EXPECT_TRUE(out.begin_file({one.id, one.domain, one.heads}));
      for (const version_record& each : one.versions) EXPECT_TRUE(out.version(each, with_time));
      EXPECT_TRUE(out.end_file());
    }
    EXPECT_TRUE(out.end_index(vouch));
    for (const chunk_sid& sid : out.names()) {
      EXPECT_TRUE(out.begin_chunk(sid, chunks_[sid].size()));
      EXPECT_TRUE(out.chunk_part(as_bytes(chunks_[sid])));
      EXPECT_TRUE(out.end_chunk());
    }
    EXPECT_TRUE(out.finish());
    return to.data;
  }

  // An archive of this index, and of no chunks.
  static bytes around(std::string_view index) {
    bytes out;
    append(out, archive_magic);
    for (int shift = 24; shift >= 0; shift -= 8)
      out.push_back(static_cast<std::uint8_t>(index.size() >> shift));
    append(out, index);
    append(out, crypto::sha256(as_bytes(index)).view());
    append(out, digest{}.view());
    return out;
  }

  static std::string refusal(bytes archive, errc code = errc::invalid) {
    memory_file from(std::move(archive));
    const auto read = archive_reader::open(from, {});
    if (read) return "it opened";
    EXPECT_EQ(read.error().code, code) << read.error().detail;
    return read.error().detail;
  }
  static std::string refusal_of(const std::string& index, errc code = errc::invalid) {
    return refusal(around(index), code);
  }
  static std::string with_files(const std::string& files) {
    return R"({"v":1,"source":"server","scope":"account","snapshot":3,"files":[)" + files + "]}";
  }

  domain_id domain_ = *domain_id::parse(std::string(32, 'd'));
  seeded_random random_{3};
  int times_ = 0;
  std::map<chunk_sid, std::string> chunks_;
  chunk_sid small_, large_;
  std::vector<file_record> files_;
};

TEST_F(Archive, ReadsBackWhatWasWritten) {
  memory_file from(written());
  const auto read = archive_reader::open(from, {});
  ASSERT_TRUE(read) << read.error().detail;
  EXPECT_EQ((*read)->header().source, "server");
  EXPECT_EQ((*read)->header().snapshot, 42);
  EXPECT_FALSE((*read)->header().scope);
  EXPECT_EQ((*read)->proof(), digest{});
  EXPECT_EQ((*read)->file_count(), 2);
  EXPECT_EQ((*read)->version_count(), 3);
  EXPECT_EQ((*read)->chunk_count(), 2u) << "a chunk named three times is there once";
  listener heard;
  ASSERT_TRUE((*read)->visit(heard));
  EXPECT_EQ(heard.ended, 2u);
  ASSERT_EQ(heard.files.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(to_json(heard.files[i]), to_json(files_[i]));
  const auto body = (*read)->chunk(large_);
  ASSERT_TRUE(body && *body);
  EXPECT_EQ(as_text(**body), chunks_[large_]);
  EXPECT_FALSE((*read)->chunk(chunk_sid{})->has_value());
}

TEST_F(Archive, TellsNoTimeWhereNoneWasWritten) {
  memory_file from(written({}, false));
  const auto read = archive_reader::open(from, {});
  ASSERT_TRUE(read);
  listener heard;
  ASSERT_TRUE((*read)->visit(heard));
  EXPECT_EQ(heard.files[0].versions[0].ts_ms, 0);
  EXPECT_EQ(as_text(from.data).find("\"ts\""), std::string_view::npos);
}

TEST_F(Archive, HasTheIndexSpelledAsTheProtocolSpellsVersions) {
  files_ = {files_[1]};
  const version_record& gone = files_[0].versions[0];
  const std::string expected =
      R"({"v":1,"source":"server","scope":"account","snapshot":42,"files":[{"file_id":")" + file(2).hex() +
      R"(","domain_id":")" + domain_.hex() + R"(","heads":[")" + gone.id.hex() +
      R"("],"versions":[{"version_id":")" + gone.id.hex() + R"(","parents":[],"sids":[],"bytes":7,)" +
      R"("manifest_ct":"AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIC","manifest_nonce":")" +
      gone.manifest_nonce.hex() + R"(","deleted":true}]}]})";
  EXPECT_EQ(as_text(written({}, false)), as_text(around(expected)));
}

TEST_F(Archive, KeepsTheProofOfWhoeverVouches) {
  digest asked, said;
  said.raw.fill(9);
  memory_file from(written([&](const digest& index) {
    asked = index;
    return said;
  }));
  const auto read = archive_reader::open(from, {});
  ASSERT_TRUE(read);
  EXPECT_EQ((*read)->proof(), said);
  EXPECT_EQ((*read)->index_hash(), asked);
}

TEST_F(Archive, IsRefusedWithAnyByteChangedButTheProofsOwn) {
  files_ = {files_[1]};
  const version_record first = version(1, {}, {small_});
  files_.push_back({file(1), domain_, {first.id}, {first}});
  const bytes whole = written();
  const std::size_t proof_end = whole.size() - 4 - 5;
  int opened = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    bytes changed = whole;
    changed[at] ^= 1;
    memory_file from(changed);
    if (!archive_reader::open(from, {})) continue;
    ++opened;
    EXPECT_TRUE(at >= proof_end - 32 && at < proof_end) << "byte " << at;
  }
  EXPECT_EQ(opened, 32);
}

TEST_F(Archive, IsRefusedAtEveryLengthButItsOwn) {
  const bytes whole = written();
  for (std::size_t size = 0; size < whole.size(); size += size < 2'500 ? 1 : 9'973) {
    memory_file from(bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
    EXPECT_FALSE(archive_reader::open(from, {})) << size;
  }
  bytes longer = whole;
  longer.push_back(0);
  EXPECT_EQ(refusal(longer, errc::corrupt), "the archive is damaged: something follows its last chunk");
}

TEST_F(Archive, SaysWhatItIsNot) {
  EXPECT_EQ(refusal({}), "this is no archive of obsync's");
  bytes note;
  append(note, "# Shopping list\n- bread\n- milk");
  EXPECT_EQ(refusal(note), "this is no archive of obsync's");
  bytes later = written();
  later[14] = '2';
  EXPECT_EQ(refusal(later, errc::unsupported), "an archive of a format this program does not know");
  EXPECT_NE(
      refusal_of(R"({"v":2,"source":"server","scope":"account","snapshot":3,"files":[]})", errc::unsupported)
          .find("version 2"),
      std::string::npos);
}

TEST_F(Archive, TakesTheMembersInAnyOrderAndUnknownOnesToo) {
  memory_file from(around(" {\"files\" : [ ] , \"snapshot\":0,\"later\":{\"a\":[\"]}\\\"\"]},\"scope\":\"" +
                          domain_.hex() + "\",\"source\":\"device\",\"v\":1}\n"));
  const auto read = archive_reader::open(from, {});
  ASSERT_TRUE(read) << read.error().detail;
  EXPECT_EQ((*read)->header().scope, domain_);
  EXPECT_EQ((*read)->header().source, "device");
}

TEST_F(Archive, RefusesAnIndexThatIsNotOne) {
  const std::string id = "\"" + std::string(32, '1') + "\"";
  const std::string head = "\"" + std::string(64, '2') + "\"";
  const std::string start = "{\"file_id\":" + id + ",\"domain_id\":" + id + ",\"heads\":[" + head + "]";
  for (const std::string& index : std::vector<std::string>{
           "",
           "[]",
           "{}",
           "{",
           R"({"v":1})",
           with_files("{}"),
           with_files("1"),
           with_files(start + "}"),
           with_files("{\"versions\":[],\"file_id\":" + id + "}"),
           with_files(start + ",\"versions\":[1]}"),
           with_files(start + ",\"versions\":{}}"),
           with_files(start + ",\"heads\":[],\"versions\":[]}"),
           with_files("{\"file_id\":" + id + ",\"domain_id\":" + id + ",\"heads\":[],\"versions\":[]}"),
           with_files("") + "x",
           with_files("") + std::string(1, '\0'),
           R"({"v":1,"v":1,"source":"server","scope":"account","snapshot":3,"files":[]})",
           R"({"v":1,"source":"server","scope":"everything","snapshot":3,"files":[]})",
           R"({"v":1,"source":"server","scope":"account","snapshot":-3,"files":[]})",
           R"({"v":1,"source":"server","scope":"account","snapshot":3,"files":[],"files":[]})",
           "{\"" + std::string(100, 'n') + "\":1}",
           "{\"n\":" + std::string(1u << 20, '[') + "}"}) {
    EXPECT_NE(refusal_of(index), "it opened") << index.substr(0, 300);
  }
}

TEST_F(Archive, RefusesAFileWithoutAllItsHeadsOrListedTwice) {
  files_[0].versions.erase(files_[0].versions.begin());
  EXPECT_NE(refusal(written(), errc::corrupt).find("lacks a current version of file " + file(1).hex()),
            std::string::npos);
  files_ = {files_[1], files_[1]};
  EXPECT_NE(refusal(written()).find("is twice in the archive"), std::string::npos);
}

TEST_F(Archive, RefusesAVersionUnderAnothersName) {
  files_[0].versions[1].manifest_ct.push_back(1);
  EXPECT_NE(refusal(written(), errc::corrupt).find("is not the one it is named"), std::string::npos);
}

TEST_F(Archive, RefusesChunksNobodyNamesOrThatAreMissing) {
  bytes more = written();
  const bytes end(more.end() - 9, more.end());
  files_ = {files_[1]};
  bytes none = written();
  append(none, end);
  EXPECT_NE(refusal(none, errc::corrupt).find("something follows"), std::string::npos);
}

TEST_F(Archive, AWriterRefusesAChunkThatIsNotWhatItsNameSays) {
  memory_file to;
  archive_writer out(to);
  const std::string text = chunks_[small_];
  for (const std::string& wrong : {text + "!", text.substr(1), std::string("smart"), std::string()}) {
    ASSERT_TRUE(out.begin_chunk(small_, text.size()));
    ASSERT_TRUE(out.chunk_part(as_bytes(wrong)));
    const status done = out.end_chunk();
    ASSERT_FALSE(done) << wrong;
    EXPECT_NE(done.error().detail.find(small_.hex()), std::string::npos);
  }
  ASSERT_TRUE(out.begin_chunk(small_, text.size()));
  ASSERT_TRUE(out.chunk_part(as_bytes(text)));
  EXPECT_TRUE(out.end_chunk());
}

TEST_F(Archive, AVisitorMayEndTheReading) {
  memory_file from(written());
  const auto read = archive_reader::open(from, {});
  ASSERT_TRUE(read);
  listener heard;
  heard.refuse = true;
  EXPECT_EQ((*read)->visit(heard).error().code, errc::no_space);
  EXPECT_EQ(heard.files.size(), 1u);
}

TEST_F(Archive, NoticesThatTheFileChangedUnderIt) {
  memory_file from(written());
  const auto read = archive_reader::open(from, {});
  ASSERT_TRUE(read);
  from.data.back() ^= 1;
  const auto& last = chunks_.rbegin()->first;
  EXPECT_EQ((*read)->chunk(last).error().code, errc::corrupt);
}

TEST(NameSet, KeepsEachNameOnceHoweverOftenItComes) {
  name_set names;
  chunk_sid sid;
  for (int i = 0; i < 300'000; ++i) {
    sid.raw[0] = static_cast<std::uint8_t>(i % 7);
    names.add(sid);
  }
  ASSERT_EQ(names.sorted().size(), 7u);
  EXPECT_TRUE(std::is_sorted(names.sorted().begin(), names.sorted().end()));
}

}  // namespace
}  // namespace obsync::wire
