// Batches over real sockets: every item is judged as it would be alone.
#include <gtest/gtest.h>

#include "crypto/digest.hpp"
#include "tests/e2e/device.hpp"
#include "tests/e2e/raw_device.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::test {
namespace {

class Batch : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(server_.start());
    device_ = std::make_unique<raw_device>(server_, "family");
    ASSERT_TRUE(device_->ok());
  }

  scratch_folder scratch_;
  server_process server_{scratch_.path()};
  std::unique_ptr<raw_device> device_;
};

int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST_F(Batch, IsOfferedWithItsLimits) {
  const auto limits = device_->server().batch_limits();
  ASSERT_TRUE(limits.has_value());
  EXPECT_EQ(limits->chunks_max, 256);
  EXPECT_EQ(limits->posts_max, 256);
  EXPECT_EQ(limits->chunk_bytes_max, 65'536);
  EXPECT_EQ(limits->body_bytes_max, 16'777'216);
}

TEST_F(Batch, StoresWhatItCarriesAndAnswersEachItemInOrder) {
  seeded_random random(1);
  const made_note first = make_note(random, 2'000), second = make_note(random, 65'536);
  made_note lacking = make_note(random, 10);
  made_note forged = make_note(random, 10);
  forged.post.id.raw[0] ^= 1;
  const bytes too_large(65'537);
  const chunk_sid large_sid{crypto::sha256(too_large).raw};
  chunk_sid wrong = first.sid;
  wrong.raw[0] ^= 1;

  const auto answer = device_->server().batch({{{first.sid, first.sealed},
                                                {wrong, first.sealed},
                                                {second.sid, second.sealed},
                                                {large_sid, too_large}},
                                               {{first.file, first.post},
                                                {lacking.file, lacking.post},
                                                {forged.file, forged.post},
                                                {second.file, second.post}}});
  ASSERT_TRUE(answer.ok()) << answer.error().detail;
  EXPECT_TRUE(answer->chunks[0]->created);
  EXPECT_EQ(answer->chunks[1].error().code, wire::refusal::sid_mismatch);
  EXPECT_TRUE(answer->chunks[2]->created);
  EXPECT_EQ(answer->chunks[3].error().code, wire::refusal::body_too_large);
  EXPECT_TRUE(answer->posts[0]->created);
  EXPECT_EQ(answer->posts[1].error().code, wire::refusal::missing_chunks);
  EXPECT_EQ(wire::missing_of("{" + answer->posts[1].error().members + "}"), std::vector{lacking.sid});
  EXPECT_EQ(answer->posts[2].error().code, wire::refusal::version_id_mismatch);
  EXPECT_TRUE(answer->posts[3]->created);
  EXPECT_GT(answer->posts[3]->answer.seq, answer->posts[0]->answer.seq);
  EXPECT_EQ(*device_->server().get_chunk(second.sid), second.sealed);
  EXPECT_EQ(device_->server().changes(0, 0, 100)->changes.size(), 2u);
}

TEST_F(Batch, SentAgainChangesNothingAndIsAnsweredAsStored) {
  seeded_random random(2);
  const made_note note = make_note(random, 100);
  const wire::batch_request request{{{note.sid, note.sealed}}, {{note.file, note.post}}};
  const auto first = device_->server().batch(request);
  const auto again = device_->server().batch(request);
  ASSERT_TRUE(first.ok() && again.ok());
  EXPECT_TRUE(first->chunks[0]->created && first->posts[0]->created);
  EXPECT_FALSE(again->chunks[0]->created || again->posts[0]->created);
  EXPECT_EQ(again->posts[0]->answer.seq, first->posts[0]->answer.seq);
}

TEST_F(Batch, AnEmptyOneIsAnsweredEmpty) {
  const auto answer = device_->server().batch({});
  ASSERT_TRUE(answer.ok());
  EXPECT_TRUE(answer->chunks.empty() && answer->posts.empty());
}

TEST(BatchOfAFolder, ThreeHundredNotesTravelInAHandfulOfRequests) {
  const scratch_folder scratch;
  server_process server{scratch.path()};
  ASSERT_TRUE(server.start());
  const device phone(scratch.path(), "phone");
  ASSERT_EQ(phone.init(server.url(), server.setup_token()).status, 0);
  for (int i = 0; i < 300; ++i) phone.write("note " + std::to_string(i) + ".md", "text " + std::to_string(i));
  phone.sync();
  ASSERT_EQ(server.stop(), 0);
  // Two hold them all. The last notes written may be too young to be read in the first round, and follow in a
  // third.
  EXPECT_GE(count_of(server.log(), "path_class=/v1/batch "), 2);
  EXPECT_LE(count_of(server.log(), "path_class=/v1/batch "), 3);
}

}  // namespace
}  // namespace obsync::test
