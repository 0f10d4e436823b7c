#include "wire/manifest.hpp"

#include <gtest/gtest.h>

#include "tests/support/vectors.hpp"

namespace obsync::wire {
namespace {

const std::string domain(32, 'd'), target(32, 'e'), sid(64, 'a'), cid(64, 'b'), sha(64, 'c');
constexpr std::int64_t mib = 1 << 20;

file_manifest file_of(std::vector<std::int64_t> lens) {
  file_manifest out{.path = "Notes/A.md", .domain = *domain_id::parse(domain)};
  for (const std::int64_t len : lens) {
    out.chunks.push_back({*chunk_sid::parse(sid), *chunk_cid::parse(cid), len});
    out.size += len;
  }
  return out;
}

errc refusal_of(const std::string& json) {
  const auto read = parse_manifest(json);
  EXPECT_FALSE(read.ok()) << json;
  return read.ok() ? errc::exists : read.error().code;
}

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

TEST(FileManifest, IsWrittenAsThePublishedOne) {
  const std::string json = test::vector_text("/published/manifest/json");
  const auto read = parse_manifest(json);
  ASSERT_TRUE(read.ok()) << read.error().detail;
  EXPECT_EQ(to_json(std::get<file_manifest>(*read)), json);
}

TEST(FileManifest, WritesAnswerAndKeeperOnlyWhenSet) {
  auto file = file_of({4});
  EXPECT_EQ(to_json(file), R"({"v":1,"path":"Notes/A.md","size":4,"mtime":0,"domain":")" + domain +
                               R"(","chunks":[{"sid":")" + sid + R"(","cid":")" + cid +
                               R"(","len":4}],"sha256":"","deleted":false})");
  file.answer = true;
  file.keeper = *file_id::parse(target);
  const std::string json = to_json(file);
  EXPECT_TRUE(json.ends_with(R"("deleted":false,"answer":true,"keeper":")" + target + R"("})"));
  const auto back = std::get<file_manifest>(*parse_manifest(json));
  EXPECT_TRUE(back.answer);
  EXPECT_EQ(back.keeper, file.keeper);
}

TEST(FileManifest, KeepsEveryDigitOfAModificationTime) {
  for (const auto& [mtime, written] : {std::pair<double, std::string>{1757200000000, "1757200000000"},
                                       {1757200000000.125, "1757200000000.125"},
                                       {1757200000123.4568, "1757200000123.4568"},
                                       {0.1, "0.1"},
                                       {-0.0, "0"},
                                       {-1.5, "-1.5"},
                                       {1e21, "1000000000000000000000"}}) {
    auto file = file_of({1});
    file.mtime_ms = mtime;
    EXPECT_NE(to_json(file).find("\"mtime\":" + written + ","), std::string::npos) << to_json(file);
    EXPECT_EQ(std::get<file_manifest>(*parse_manifest(to_json(file))).mtime_ms, mtime);
  }
}

// Spellings that once made the JSON library shift by 64 bits.
TEST(FileManifest, ReadsAZeroHoweverItIsSpelt) {
  const std::string good = to_json(file_of({1}));
  for (const std::string_view zero : {"0e1", "0e70", "0E-5", "0.0", "0.000", "-0", "-0.0e9"}) {
    const auto read = parse_manifest(replaced(good, "\"mtime\":0", "\"mtime\":" + std::string(zero)));
    ASSERT_TRUE(read.ok()) << zero;
    EXPECT_EQ(std::get<file_manifest>(*read).mtime_ms, 0);
  }
  EXPECT_EQ(
      std::get<file_manifest>(*parse_manifest(replaced(good, "\"mtime\":0", "\"mtime\":-15e-1"))).mtime_ms,
      -1.5);
  EXPECT_EQ(refusal_of(replaced(good, "\"mtime\":0", "\"mtime\":1e999")), errc::invalid);
}

TEST(FileManifest, EscapesPathsAsJsonStringifyDoes) {
  folder_manifest folder{.path = "a\"b\x7F\xC3\xA9\xE2\x80\xA8", .domain = *domain_id::parse(domain)};
  EXPECT_NE(to_json(folder).find("\"path\":\"a\\\"b\x7F\xC3\xA9\xE2\x80\xA8\""), std::string::npos);
  folder.path = "\b\f\n\r\t\x01\x1F\\";
  EXPECT_NE(to_json(folder).find(R"("path":"\b\f\n\r\t\u0001\u001f\\")"), std::string::npos);
}

TEST(FileManifest, ReadsAnyOrderAndUnknownMembers) {
  const std::string json = R"({"deleted":false,"later":[1],"sha256":")" + sha +
                           R"(","chunks":[{"len":1,"cid":")" + cid + R"(","sid":")" + sid +
                           R"("}],"domain":")" + domain + R"(","mtime":1.5,"size":1,"path":"A.md","v":1})";
  const auto read = parse_manifest(json);
  ASSERT_TRUE(read.ok()) << read.error().detail;
  EXPECT_EQ(std::get<file_manifest>(*read).sha256->hex(), sha);
}

TEST(FileManifest, ChunksFollowTheCutter) {
  for (const auto& lens : std::vector<std::vector<std::int64_t>>{
           {0}, {1}, {8 * mib}, {8 * mib, 1}, {mib, 8 * mib, 0}, {4 * mib, 4 * mib, 1}}) {
    EXPECT_TRUE(parse_manifest(to_json(file_of(lens))).ok());
  }
  for (const auto& lens : std::vector<std::vector<std::int64_t>>{
           {}, {0, 0}, {4 * mib, 4 * mib}, {8 * mib + 1}, {mib - 1, 8 * mib}, {8 * mib, 8 * mib + 1}}) {
    EXPECT_EQ(refusal_of(to_json(file_of(lens))), errc::invalid);
  }
}

TEST(FileManifest, TheSizeIsTheSumOfItsChunks) {
  auto file = file_of({5});
  file.size = 6;
  EXPECT_EQ(refusal_of(to_json(file)), errc::invalid);
}

TEST(FileManifest, ATombstoneHasNeitherChunksNorSize) {
  file_manifest gone{.path = "A.md", .domain = *domain_id::parse(domain), .deleted = true};
  EXPECT_TRUE(parse_manifest(to_json(gone)).ok());
  auto file = file_of({0});
  file.deleted = true;
  EXPECT_EQ(refusal_of(to_json(file)), errc::invalid);
  gone.size = 1;
  EXPECT_EQ(refusal_of(to_json(gone)), errc::invalid);
}

TEST(FileManifest, RefusesEachBrokenMember) {
  const std::string good = to_json(file_of({4}));
  ASSERT_TRUE(parse_manifest(good).ok());
  const std::pair<std::string, std::string> changes[] = {
      {"\"Notes/A.md\"", "\"../A.md\""},
      {"\"Notes/A.md\"", "\"/A.md\""},
      {"\"Notes/A.md\"", "7"},
      {"\"size\":4", "\"size\":-4"},
      {"\"size\":4", "\"size\":4.0"},
      {"\"mtime\":0", "\"mtime\":\"0\""},
      {"\"mtime\":0", "\"mtime\":null"},
      {domain, "D"},
      {"\"chunks\":[{", "\"chunks\":[1,{"},
      {sid, "A" + sid.substr(1)},
      {cid, ""},
      {"\"len\":4", "\"len\":\"4\""},
      {"\"sha256\":\"\"", "\"sha256\":\"ab\""},
      {"\"sha256\":\"\"", "\"sha256\":null"},
      {"\"deleted\":false", "\"deleted\":0"},
      {",\"deleted\":false", ""},
      {"\"deleted\":false", "\"deleted\":false,\"keeper\":\"x\""}};
  for (const auto& [what, with] : changes)
    EXPECT_EQ(refusal_of(replaced(good, what, with)), errc::invalid) << with;
}

TEST(FolderManifest, ReadsBackAndRefusesContent) {
  const folder_manifest folder{.path = "Notes", .domain = *domain_id::parse(domain), .deleted = true};
  const std::string json = to_json(folder);
  EXPECT_EQ(json, R"({"v":2,"kind":"directory","path":"Notes","domain":")" + domain +
                      R"(","size":0,"chunks":[],"sha256":"","deleted":true})");
  EXPECT_TRUE(std::get<folder_manifest>(*parse_manifest(json)).deleted);
  EXPECT_EQ(refusal_of(replaced(json, "directory", "folder")), errc::invalid);
  EXPECT_EQ(refusal_of(replaced(json, "\"size\":0", "\"size\":1")), errc::invalid);
  EXPECT_EQ(refusal_of(replaced(json, "\"chunks\":[]", "\"chunks\":[1]")), errc::invalid);
  EXPECT_EQ(refusal_of(replaced(json, "\"Notes\"", "\".obsidian\"")), errc::invalid);
}

TEST(PauseManifest, IsRecognised) {
  const std::string json = R"({"v":3,"kind":"pause","path":"A.md","target":")" + target +
                           R"(","paused":true,"domain":")" + domain +
                           R"(","size":0,"chunks":[],"sha256":"","deleted":false})";
  const auto read = parse_manifest(json);
  ASSERT_TRUE(read.ok()) << read.error().detail;
  EXPECT_TRUE(std::get<pause_manifest>(*read).paused);
  EXPECT_EQ(std::get<pause_manifest>(*read).target.hex(), target);
  EXPECT_EQ(refusal_of(replaced(json, "\"deleted\":false", "\"deleted\":true")), errc::invalid);
  EXPECT_EQ(refusal_of(replaced(json, "true", "1")), errc::invalid);
}

TEST(Manifest, OfAnUnknownVersionIsUnsupportedAndOfNoneIsInvalid) {
  EXPECT_EQ(refusal_of(R"({"v":4,"path":"../x"})"), errc::unsupported);
  EXPECT_EQ(refusal_of(R"({"v":0})"), errc::unsupported);
  EXPECT_EQ(refusal_of(R"({"v":"1"})"), errc::invalid);
  EXPECT_EQ(refusal_of("{}"), errc::invalid);
  EXPECT_EQ(refusal_of("[]"), errc::invalid);
  EXPECT_EQ(refusal_of(""), errc::invalid);
}

TEST(DomainMapJson, HasOneOwnerForTheRootAndForEachPath) {
  const std::string one(32, '1'), two(32, '2');
  const auto map = [&](const std::string& first, const std::string& second, const std::string& second_id) {
    return R"({"v":1,"domains":[{"id":")" + one + R"(","paths":[)" + first + R"(]},{"id":")" + second_id +
           R"(","paths":[)" + second + "]}]}";
  };
  const std::string good = map(R"("")", R"("Family","Trips/2025")", two);
  ASSERT_TRUE(parse_domain_map(good).ok());
  EXPECT_EQ(to_json(*parse_domain_map(good)), good);
  for (const std::string& bad :
       {map(R"("")", R"("")", two), map(R"("A")", R"("B")", two), map(R"("","A")", R"("A")", two),
        map(R"("")", R"("A")", one), map(R"("")", R"("/A")", two), map(R"("")", R"("A/")", two),
        map(R"("")", "7", two), std::string(R"({"v":2,"domains":[]})"),
        std::string(R"({"v":1,"domains":[]})"), std::string(R"({"domains":[]})"), std::string("[]")}) {
    const auto read = parse_domain_map(bad);
    ASSERT_FALSE(read.ok()) << bad;
    EXPECT_EQ(read.error().code, errc::invalid);
  }
}

}  // namespace
}  // namespace obsync::wire
