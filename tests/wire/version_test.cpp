#include "wire/version.hpp"

#include <gtest/gtest.h>

#include "crypto/base64.hpp"
#include "tests/support/vectors.hpp"
#include "wire/limits.hpp"

namespace obsync::wire {
namespace {

using test::vector_bytes;
using test::vector_id;

const std::string hex_a(64, 'a'), hex_b(64, 'b'), hex_c(64, 'c');
const std::string id16 = "00112233445566778899aabbccddeeff";

template <class Id>
Id parse(const std::string& hex) {
  return *Id::parse(hex);
}

version_record sample_record() {
  return {.id = parse<version_id>(hex_a),
          .parents = {parse<version_id>(hex_b)},
          .sids = {parse<chunk_sid>(hex_c)},
          .bytes = 21,
          .manifest_ct = {1, 2, 3, 4},
          .manifest_nonce = *seal_nonce::parse("6e4f64716e3a362133f3ce72"),
          .device = *device_id::parse(id16),
          .ts_ms = 1757200000000,
          .deleted = false};
}

const std::string record_json =
    R"("version_id":")" + hex_a + R"(","parents":[")" + hex_b + R"("],"sids":[")" + hex_c +
    R"("],"bytes":21,"manifest_ct":"AQIDBA==","manifest_nonce":"6e4f64716e3a362133f3ce72","device_id":")" +
    id16 + R"(","ts":1757200000000,"deleted":false)";

// A post with one member replaced, or left out when `json` is empty.
std::string post_with(const std::string& member, const std::string& json) {
  std::vector<std::pair<std::string, std::string>> members = {
      {"version_id", "\"" + hex_a + "\""},
      {"parents", "[]"},
      {"sids", "[]"},
      {"bytes", "0"},
      {"domain_id", "\"" + id16 + "\""},
      {"manifest_ct", "\"AQID\""},
      {"manifest_nonce", "\"6e4f64716e3a362133f3ce72\""},
      {"deleted", "false"},
      {"accept_existing", "false"}};
  std::string text = "{";
  for (const auto& [name, value] : members) {
    const std::string& written = name == member ? json : value;
    if (written.empty()) continue;
    text += (text.size() > 1 ? ",\"" : "\"") + name + "\":" + written;
  }
  return text + "}";
}

TEST(VersionPost, WritesItsMembersInOrderAndReadsThemBack) {
  const version_post post{.id = parse<version_id>(hex_a),
                          .parents = {parse<version_id>(hex_b)},
                          .sids = {parse<chunk_sid>(hex_c)},
                          .bytes = 21,
                          .domain = *domain_id::parse(id16),
                          .manifest_ct = {1, 2, 3, 4},
                          .manifest_nonce = *seal_nonce::parse("6e4f64716e3a362133f3ce72"),
                          .deleted = false,
                          .accept_existing = true};
  const std::string json = to_json(post);
  EXPECT_EQ(json, R"({"version_id":")" + hex_a + R"(","parents":[")" + hex_b + R"("],"sids":[")" + hex_c +
                      R"("],"bytes":21,"domain_id":")" + id16 +
                      R"(","manifest_ct":"AQIDBA==","manifest_nonce":"6e4f64716e3a362133f3ce72",)" +
                      R"("deleted":false,"accept_existing":true})");
  const auto back = from_json<version_post>(json);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(to_json(*back), json);
}

TEST(VersionPost, RefusesEachMalformedMember) {
  ASSERT_TRUE(from_json<version_post>(post_with("", "")).ok());
  const std::pair<std::string, std::string> wrong[] = {{"version_id", ""},
                                                       {"version_id", "\"ab\""},
                                                       {"parents", ""},
                                                       {"parents", "[1]"},
                                                       {"sids", "{}"},
                                                       {"sids", "[\"zz\"]"},
                                                       {"bytes", "-1"},
                                                       {"bytes", "1.5"},
                                                       {"domain_id", "null"},
                                                       {"manifest_ct", "\"A\""},
                                                       {"manifest_ct", "\"AQ\""},
                                                       {"manifest_ct", ""},
                                                       {"manifest_nonce", "\"00\""}};
  for (const auto& [member, json] : wrong) {
    const auto read = from_json<version_post>(post_with(member, json));
    ASSERT_FALSE(read.ok()) << member << json;
    EXPECT_EQ(read.error().code, refusal::bad_request) << member << json;
  }
}

TEST(VersionPost, FlagsThatAreAbsentOrNoBooleansAreFalse) {
  EXPECT_FALSE(from_json<version_post>(post_with("deleted", ""))->deleted);
  EXPECT_FALSE(from_json<version_post>(post_with("deleted", "1"))->deleted);
  EXPECT_FALSE(from_json<version_post>(post_with("accept_existing", "\"true\""))->accept_existing);
  EXPECT_TRUE(from_json<version_post>(post_with("deleted", "true"))->deleted);
}

TEST(VersionPost, ADeletedVersionWithChunksIsABadRequest) {
  const std::string text =
      R"({"version_id":")" + hex_a + R"(","parents":[],"sids":[")" + hex_c + R"("],"bytes":0,"domain_id":")" +
      id16 + R"(","manifest_ct":"","manifest_nonce":"6e4f64716e3a362133f3ce72","deleted":true})";
  EXPECT_EQ(from_json<version_post>(text).error().code, refusal::bad_request);
}

TEST(VersionPost, AManifestOverItsLimitIsTooLargeAndChecksBeforeItComeFirst) {
  const std::string at_limit = "\"" + std::string(manifest_base64_chars_max, 'A') + "\"";
  const std::string over = "\"" + std::string(manifest_base64_chars_max + 1, 'A') + "\"";
  EXPECT_TRUE(from_json<version_post>(post_with("manifest_ct", at_limit)).ok());
  EXPECT_EQ(from_json<version_post>(post_with("manifest_ct", over)).error().code, refusal::body_too_large);
  std::string both = post_with("manifest_ct", over);
  both.replace(both.find("\"bytes\":0"), 9, "\"bytes\":x");
  EXPECT_EQ(from_json<version_post>(both).error().code, refusal::bad_json);
  both.replace(both.find("\"bytes\":x"), 9, "\"bytes\":[]");
  EXPECT_EQ(from_json<version_post>(both).error().code, refusal::bad_request);
}

TEST(VersionPost, CountsParentsAndChunks) {
  const auto list = [](std::size_t count) {
    std::string text = "[";
    for (std::size_t i = 0; i < count; ++i) text += (i > 0 ? ",\"" : "\"") + hex_b + "\"";
    return text + "]";
  };
  EXPECT_TRUE(from_json<version_post>(post_with("parents", list(version_parents_max))).ok());
  EXPECT_FALSE(from_json<version_post>(post_with("parents", list(version_parents_max + 1))).ok());
  EXPECT_FALSE(from_json<version_post>(post_with("sids", list(version_sids_max + 1))).ok());
}

TEST(VersionAnswer, SaysWhetherTheFileIsConflicted) {
  version_answer answer{.seq = 7, .id = parse<version_id>(hex_a), .heads = {parse<version_id>(hex_a)}};
  EXPECT_EQ(to_json(answer),
            R"({"seq":7,"version_id":")" + hex_a + R"(","heads":[")" + hex_a + R"("],"conflicted":false})");
  answer.heads.push_back(parse<version_id>(hex_b));
  EXPECT_NE(to_json(answer).find(R"("conflicted":true)"), std::string::npos);
  EXPECT_EQ(from_json<version_answer>(to_json(answer))->heads, answer.heads);
}

TEST(VersionRecord, WritesItsMembersInOrderAndReadsThemBack) {
  EXPECT_EQ(to_json(sample_record()), "{" + record_json + "}");
  EXPECT_EQ(to_json(*from_json<version_record>("{" + record_json + "}")), "{" + record_json + "}");
}

TEST(FileRecord, WritesItsMembersInOrderAndReadsThemBack) {
  const file_record record{
      *file_id::parse(id16), *domain_id::parse(id16), {parse<version_id>(hex_a)}, {sample_record()}};
  const std::string json = R"({"file_id":")" + id16 + R"(","domain_id":")" + id16 + R"(","heads":[")" +
                           hex_a + R"("],"conflicted":false,"versions":[{)" + record_json + "}]}";
  EXPECT_EQ(to_json(record), json);
  EXPECT_EQ(to_json(*from_json<file_record>(json)), json);
}

TEST(FilePage, EndsWithTheLastIdOrNull) {
  file_page page{{{*file_id::parse(id16), *domain_id::parse(id16), {parse<version_id>(hex_a)}, 5}},
                 *file_id::parse(id16)};
  const std::string files = R"({"files":[{"file_id":")" + id16 + R"(","domain_id":")" + id16 +
                            R"(","heads":[")" + hex_a + R"("],"conflicted":false,"latest_ts":5}],"next":)";
  EXPECT_EQ(to_json(page), files + "\"" + id16 + "\"}");
  EXPECT_EQ(from_json<file_page>(to_json(page))->next, page.next);
  page.next.reset();
  EXPECT_EQ(to_json(page), files + "null}");
  EXPECT_FALSE(from_json<file_page>(to_json(page))->next.has_value());
}

TEST(ChangePage, WritesItsMembersInOrderAndReadsThemBack) {
  const change entry{
      3, *file_id::parse(id16), *domain_id::parse(id16), sample_record(), {parse<version_id>(hex_a)}};
  const std::string entry_json = R"({"seq":3,"file_id":")" + id16 + R"(","domain_id":")" + id16 + R"(",)" +
                                 record_json + R"(,"heads":[")" + hex_a + R"("],"conflicted":false})";
  EXPECT_EQ(to_json(entry), entry_json);
  const std::string json = R"({"seq":3,"head_seq":4,"changes":[)" + entry_json + "," + entry_json + "]}";
  EXPECT_EQ(to_json(change_page{3, 4, {entry, entry}}), json);
  EXPECT_EQ(to_json(*from_json<change_page>(json)), json);
  EXPECT_EQ(to_json(change_page{0, 0, {}}), R"({"seq":0,"head_seq":0,"changes":[]})");
}

TEST(VersionIdentity, MatchesThePublishedVectorWhateverTheOrderOfParents) {
  const std::string at = "/published/manifest";
  const auto file = vector_id<file_id>(at + "/file_id");
  std::vector<version_id> parents = {vector_id<version_id>(at + "/parents_as_given/0"),
                                     vector_id<version_id>(at + "/parents_as_given/1")};
  const std::vector<chunk_sid> sids = {vector_id<chunk_sid>(at + "/sids/0"),
                                       vector_id<chunk_sid>(at + "/sids/1")};
  const bytes cipher = vector_bytes(at + "/cipher_hex");
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_EQ(content_version_id(file, parents, sids), vector_id<digest>(at + "/content_version_id"));
    EXPECT_EQ(identify_version(file, parents, cipher, sids), vector_id<version_id>(at + "/version_id"));
    std::swap(parents[0], parents[1]);
  }
}

TEST(MissingOf, ReadsTheListOfAnErrorBodyAndNothingFromOthers) {
  const auto missing =
      missing_of(R"({"error":"missing_chunks","detail":"x","missing":[")" + hex_c + R"("]})");
  ASSERT_EQ(missing.size(), 1u);
  EXPECT_EQ(missing[0].hex(), hex_c);
  EXPECT_TRUE(missing_of("<html>").empty());
  EXPECT_TRUE(missing_of(R"({"missing":["zz"]})").empty());
}

}  // namespace
}  // namespace obsync::wire
