#include "wire/account.hpp"

#include <gtest/gtest.h>

#include "wire/chunk.hpp"
#include "wire/limits.hpp"

namespace obsync::wire {
namespace {

const std::string id16 = "00112233445566778899aabbccddeeff", hex(64, 'a');

TEST(AccountInfo, WritesItsMembersInOrderAndReadsThemBack) {
  for (const std::string_view quota : {"null", "1073741824"}) {
    const std::string text = R"({"account_id":")" + id16 + R"(","name":"Family","created":1,"quota_bytes":)" +
                             std::string(quota) + R"(,"used_bytes":5,"device_count":2})";
    EXPECT_EQ(to_json(*from_json<account_info>(text)), text);
  }
}

TEST(RecoveryRegistration, IsOneDigest) {
  const std::string text = R"({"recovery_verifier":")" + hex + "\"}";
  EXPECT_EQ(to_json(*from_json<recovery_registration>(text)), text);
  EXPECT_EQ(from_json<recovery_registration>(R"({"recovery_verifier":"aa"})").error().code,
            refusal::bad_request);
}

TEST(PluginManifest, KeepsItsMembersInTheirOrderAndEndsWithBothHashes) {
  const auto answer = plugin_manifest_answer(
      R"({ "id" : "obsync", "styles_sha256":"old", "version":"1.1.5", "nested":{"a":[1,-2,2.5,null]}, "bundle_sha256":1 })",
      *digest::parse(hex), *digest::parse(std::string(64, 'b')));
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(*answer, R"({"id":"obsync","version":"1.1.5","nested":{"a":[1,-2,2.5,null]},"bundle_sha256":")" +
                         hex + R"(","styles_sha256":")" + std::string(64, 'b') + "\"}");
  EXPECT_EQ(from_json<plugin_manifest>(*answer)->version, "1.1.5");
  EXPECT_EQ(from_json<plugin_manifest>(*answer)->id, "obsync");
}

TEST(PluginManifest, OfABrokenFileIsUnavailable) {
  for (const std::string_view text : {"", "[]", "{", R"({"a":1,"a":2})"}) {
    EXPECT_EQ(plugin_manifest_answer(text, {}, {}).error().code, refusal::plugin_unavailable) << text;
  }
  EXPECT_EQ(*plugin_manifest_answer("{}", *digest::parse(hex), *digest::parse(hex)),
            R"({"bundle_sha256":")" + hex + R"(","styles_sha256":")" + hex + "\"}");
}

std::string sids(std::size_t count) {
  std::string text = R"({"sids":[)";
  for (std::size_t i = 0; i < count; ++i) text += (i > 0 ? ",\"" : "\"") + hex + "\"";
  return text + "]}";
}

TEST(ChunkRequests, HoldAsManyNamesAsTheProtocolAllows) {
  EXPECT_EQ(from_json<exists_request>(sids(exists_sids_max))->sids.size(), exists_sids_max);
  EXPECT_EQ(from_json<exists_request>(sids(exists_sids_max + 1)).error().code, refusal::bad_request);
  EXPECT_EQ(from_json<get_request>(sids(get_sids_max))->sids.size(), get_sids_max);
  EXPECT_EQ(from_json<get_request>(sids(get_sids_max + 1)).error().code, refusal::bad_request);
  EXPECT_EQ(to_json(*from_json<get_request>(sids(2))), sids(2));
}

TEST(ChunkAnswers, KeepOrderAndRepetition) {
  const std::string text =
      R"({"missing":[")" + hex + R"(",")" + std::string(64, 'b') + R"(",")" + hex + "\"]}";
  EXPECT_EQ(to_json(*from_json<exists_answer>(text)), text);
  EXPECT_EQ(to_json(put_answer{*chunk_sid::parse(hex)}), R"({"sid":")" + hex + "\"}");
  EXPECT_EQ(from_json<put_answer>(R"({"sid":")" + hex + "\"}")->sid.hex(), hex);
}

}  // namespace
}  // namespace obsync::wire
