#include "client/format/chunker.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.hpp"
#include "crypto/digest.hpp"
#include "tests/support/vectors.hpp"

namespace obsync::client {
namespace {

using lengths = std::vector<std::uint64_t>;

// The stream the published cut lengths belong to.
bytes published_stream(std::size_t size) {
  auto x = static_cast<std::uint32_t>(test::vector_number("/published/chunker/stream/seed"));
  bytes out(size);
  for (std::uint8_t& byte : out) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    byte = static_cast<std::uint8_t>(x);
  }
  return out;
}

lengths cut(byte_view file, std::size_t piece) {
  chunker cutter(file.size());
  lengths out;
  std::uint64_t length = 0;
  while (!cutter.done()) {
    const auto step = cutter.feed(file.first(std::min(piece, file.size())));
    file = file.subspan(step.taken);
    length += step.taken;
    if (!step.chunk_ends) continue;
    out.push_back(length);
    length = 0;
  }
  EXPECT_TRUE(file.empty());
  return out;
}

// The rule as it is stated, without the shortcut past the minimum.
lengths cut_slowly(byte_view file) {
  if (file.size() <= whole_file_bytes_max) return {file.size()};
  lengths out;
  while (!file.empty()) {
    const std::uint64_t window = std::min<std::uint64_t>(chunk_bytes_max, file.size());
    std::uint64_t length = window;
    std::uint32_t hash = 0;
    for (std::uint64_t i = 0; i < window && window > chunk_bytes_min; ++i) {
      hash = 2 * hash + gear_table()[file[i]];
      if (i + 1 >= chunk_bytes_min && (hash & 0xFFFFFC00u) == 0) {
        length = i + 1;
        break;
      }
    }
    out.push_back(length);
    file = file.subspan(length);
  }
  return out;
}

TEST(GearTable, IsThePublishedOne) {
  bytes written;
  for (std::size_t i = 0; i < gear_table().size(); ++i) {
    const std::uint32_t word = gear_table()[i];
    if (i < 8) {
      EXPECT_EQ(word, test::vector_number("/published/chunker/gear_first_8/" + std::to_string(i)));
    }
    for (const int shift : {24, 16, 8, 0}) written.push_back(static_cast<std::uint8_t>(word >> shift));
  }
  EXPECT_EQ(crypto::sha256(written).hex(),
            test::vector_text("/published/chunker/gear_sha256_of_256_u32_big_endian"));
}

TEST(GearTable, EqualsTheListedValues) {
  rapidjson::Document listed;
  listed.Parse(test::read_whole_file(std::string(OBSYNC_SOURCE_DIR) + "/tests/data/gear.json").c_str());
  const auto words = listed["gear"].GetArray();
  ASSERT_EQ(words.Size(), gear_table().size());
  for (rapidjson::SizeType i = 0; i < words.Size(); ++i) EXPECT_EQ(gear_table()[i], words[i].GetUint());
}

TEST(Chunker, CutsThePublishedStreamWhateverThePieces) {
  const bytes stream =
      published_stream(static_cast<std::size_t>(test::vector_number("/published/chunker/stream/bytes")));
  lengths published;
  for (const auto& length : test::vector_at("/published/chunker/cut_lengths").GetArray()) {
    published.push_back(length.GetUint64());
  }
  for (const std::size_t piece : {stream.size(), std::size_t{1} << 20, std::size_t{65521}}) {
    EXPECT_EQ(cut(stream, piece), published) << piece;
  }
}

TEST(Chunker, ASmallFileIsOneChunk) {
  const bytes file = published_stream(whole_file_bytes_max);
  EXPECT_EQ(cut({}, 4096), lengths{0});
  EXPECT_EQ(cut(byte_view(file).first(1), 4096), lengths{1});
  EXPECT_EQ(cut(file, 1 << 20), lengths{whole_file_bytes_max});
}

TEST(Chunker, AFileOneByteOverTheLimitIsCutByContent) {
  const bytes file = published_stream(whole_file_bytes_max + 1);
  EXPECT_EQ(cut(file, 1 << 20), cut_slowly(file));
  EXPECT_GT(cut(file, 1 << 20).size(), 1u);
}

TEST(Chunker, ContentWithoutACutIsCutAtTheMaximum) {
  const bytes zeros(2 * chunk_bytes_max + 5, 0);
  EXPECT_EQ(cut_slowly(zeros), cut(zeros, 1 << 20));
  EXPECT_EQ(cut(zeros, 1 << 20), (lengths{chunk_bytes_max, chunk_bytes_max, 5}));
}

// A hash of zero just at the minimum: the shortcut must still see all 32 bytes that make it.
TEST(Chunker, TheShortcutMovesNoCut) {
  seeded_random random(7);
  for (int turn = 0; turn < 3; ++turn) {
    bytes file(10 * chunk_bytes_min + static_cast<std::size_t>(turn) * 4097);
    random.fill(file);
    EXPECT_EQ(cut(file, 99991), cut_slowly(file));
  }
}

TEST(Chunker, SaysHowMuchTheChunkCanStillTake) {
  chunker small(10);
  EXPECT_EQ(small.room(), 10u);
  small.feed(bytes(4));
  EXPECT_EQ(small.room(), 6u);
  EXPECT_FALSE(small.done());
  EXPECT_TRUE(small.feed(bytes(6)).chunk_ends);
  EXPECT_TRUE(small.done());
  EXPECT_EQ(chunker(100 * chunk_bytes_max).room(), chunk_bytes_max);
}

TEST(Chunker, AnInsertionMovesOnlyTheCutsNearIt) {
  bytes file = published_stream(24 << 20);
  const lengths before = cut(file, 1 << 20);
  file.insert(file.begin() + 100, 3, 0x55);
  const lengths after = cut(file, 1 << 20);
  ASSERT_EQ(after.size(), before.size());
  EXPECT_EQ(after[0], before[0] + 3);
  EXPECT_TRUE(std::equal(before.begin() + 1, before.end(), after.begin() + 1));
}

}  // namespace
}  // namespace obsync::client
