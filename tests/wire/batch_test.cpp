#include "wire/batch.hpp"

#include <gtest/gtest.h>

#include "wire/capabilities.hpp"
#include "wire/limits.hpp"

namespace obsync::wire {
namespace {

const std::string id16 = "00112233445566778899aabbccddeeff";

chunk_sid sid_of(std::uint8_t byte) {
  chunk_sid sid;
  sid.raw.fill(byte);
  return sid;
}

batch_post sample_post() {
  batch_post out;
  out.file = *file_id::parse(id16);
  out.post.id.raw.fill(7);
  out.post.sids = {sid_of(1)};
  out.post.bytes = 3;
  out.post.domain = *domain_id::parse(id16);
  out.post.manifest_ct = {1, 2, 3};
  return out;
}

std::string body_with(const std::string& index, const std::string& chunks) {
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8)
    out.push_back(static_cast<char>((index.size() >> shift) & 0xFF));
  return out + index + chunks;
}

TEST(Batch, ABodyIsReadBackAsItWasWritten) {
  const bytes one = {9, 8, 7}, two = {};
  const std::string body = to_body({{{sid_of(1), one}, {sid_of(2), two}}, {sample_post()}});
  const auto read = read_batch(body);
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read->chunks.size(), 2u);
  EXPECT_EQ(read->chunks[0].sid, sid_of(1));
  EXPECT_EQ(bytes(read->chunks[0].sealed.begin(), read->chunks[0].sealed.end()), one);
  EXPECT_TRUE(read->chunks[1].sealed.empty());
  ASSERT_EQ(read->posts.size(), 1u);
  ASSERT_TRUE(read->posts[0].ok());
  EXPECT_EQ(read->posts[0]->file, sample_post().file);
  EXPECT_EQ(to_json(read->posts[0]->post), to_json(sample_post().post));
}

TEST(Batch, AMalformedPostIsItsOwnFailureAndNotItsNeighbours) {
  const std::string body = to_body({{}, {sample_post()}});
  std::string index = body.substr(4);
  index.replace(index.find("\"posts\":[") + 9, 0, "{\"file_id\":\"short\"},17,");
  const auto read = read_batch(body_with(index, ""));
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read->posts.size(), 3u);
  EXPECT_EQ(read->posts[0].error().code, refusal::bad_request);
  EXPECT_EQ(read->posts[1].error().code, refusal::bad_request);
  EXPECT_TRUE(read->posts[2].ok());
}

TEST(Batch, SizesThatDoNotFitTheBodyAreALengthMismatch) {
  const std::string index = R"({"chunks":[{"sid":")" + sid_of(1).hex() + R"(","size":3}],"posts":[]})";
  EXPECT_TRUE(read_batch(body_with(index, "abc")).ok());
  for (const std::string& wrong : {body_with(index, "ab"), body_with(index, "abcd"), std::string("\0\0", 2),
                                   std::string("\0\0\0\x09{}", 6), std::string("\xff\xff\xff\xff{}", 6)})
    EXPECT_EQ(read_batch(wrong).error().code, refusal::length_mismatch);
}

TEST(Batch, ASizeBeyondAnyBodyDoesNotWrapAround) {
  const std::string entry = R"({"sid":")" + sid_of(1).hex() + R"(","size":9223372036854775807})";
  const std::string index = R"({"chunks":[)" + entry + "," + entry + R"(],"posts":[]})";
  EXPECT_EQ(read_batch(body_with(index, "abc")).error().code, refusal::length_mismatch);
}

TEST(Batch, TooManyItemsAndBrokenIndexesAreRefusedWhole) {
  batch_request many;
  many.chunks.assign(batch_chunks_max + 1, {sid_of(1), {}});
  EXPECT_EQ(read_batch(to_body(many)).error().code, refusal::batch_too_large);
  EXPECT_EQ(read_batch(body_with("{", "")).error().code, refusal::bad_json);
  EXPECT_EQ(read_batch(body_with("[]", "")).error().code, refusal::bad_request);
  EXPECT_EQ(read_batch(body_with(R"({"chunks":[]})", "")).error().code, refusal::bad_request);
  EXPECT_EQ(read_batch(body_with(std::string(batch_index_bytes_max + 1, ' '), "")).error().code,
            refusal::body_too_large);
}

TEST(Batch, AnAnswerKeepsEveryItemsOutcomeInOrder) {
  batch_answer answer;
  answer.chunks.emplace_back(batch_stored{true});
  answer.chunks.emplace_back(failure{refusal::sid_mismatch, "no"});
  answer.posts.emplace_back(
      failure{refusal::missing_chunks, "m", "\"missing\":[\"" + sid_of(3).hex() + "\"]"});
  batch_posted posted{false, {}};
  posted.answer.seq = 12;
  posted.answer.heads = {posted.answer.id};
  answer.posts.emplace_back(posted);
  const std::string text = to_json(answer);
  EXPECT_TRUE(
      text.starts_with(R"({"chunks":[{"status":201},{"status":422,"error":"sid_mismatch","detail":"no"}])"))
      << text;
  const auto read = from_json<batch_answer>(text);
  ASSERT_TRUE(read.ok()) << text;
  EXPECT_TRUE(read->chunks[0]->created);
  EXPECT_EQ(read->chunks[1].error().code, refusal::sid_mismatch);
  EXPECT_EQ(read->posts[0].error().code, refusal::missing_chunks);
  EXPECT_EQ(missing_of("{" + read->posts[0].error().members + "}"), std::vector<chunk_sid>{sid_of(3)});
  EXPECT_EQ(read->posts[1]->answer.seq, 12);
  EXPECT_FALSE(read->posts[1]->created);
}

TEST(Batch, ARefusalOfANewerServerKeepsItsKindAndItsWord) {
  const auto read = from_json<batch_answer>(
      R"({"chunks":[{"status":599,"error":"strange","detail":"d"},{"status":477,"error":"odd"}],"posts":[]})");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->chunks[0].error().code, refusal::io_error);
  EXPECT_EQ(read->chunks[0].error().detail, "strange: d");
  EXPECT_EQ(read->chunks[1].error().code, refusal::bad_request);
}

TEST(Capabilities, AreReadBackAsWrittenAndABatchMayBeAbsent) {
  const auto full =
      from_json<capabilities>(to_json(capabilities{"obsyncd 1", epoch_id{{7}}, batch_limits{1, 2, 3, 4}}));
  ASSERT_TRUE(full.ok());
  EXPECT_EQ(full->batch->body_bytes_max, 4);
  const auto bare = from_json<capabilities>(to_json(capabilities{"obsyncd 1"}));
  ASSERT_TRUE(bare.ok());
  EXPECT_FALSE(bare->batch.has_value());
}

}  // namespace
}  // namespace obsync::wire
