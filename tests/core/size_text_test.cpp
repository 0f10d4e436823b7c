#include "core/size_text.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace obsync {
namespace {

TEST(SizeText, ReadsEveryUnitWithAndWithoutTheFinalB) {
  EXPECT_EQ(parse_size("0"), 0);
  EXPECT_EQ(parse_size("1000"), 1000);
  EXPECT_EQ(parse_size("7B"), 7);
  EXPECT_EQ(parse_size("64Ki"), 65536);
  EXPECT_EQ(parse_size("64KiB"), 65536);
  EXPECT_EQ(parse_size("3MiB"), 3 << 20);
  EXPECT_EQ(parse_size("2Gi"), 2LL << 30);
  EXPECT_EQ(parse_size("5TiB"), 5LL << 40);
}

TEST(SizeText, RefusesEveryOtherSpelling) {
  for (const char* text : {"", " 1", "1 ", "1 KiB", "-1", "+1", "1.5GiB", "1kib", "1KB", "1k", "1mi", "1KiBB",
                           "KiB", "1BB", "0x10", "1e3", "1PiB"}) {
    EXPECT_EQ(parse_size(text), std::nullopt) << text;
  }
}

TEST(SizeText, RefusesWhatDoesNotFit) {
  EXPECT_EQ(parse_size("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(parse_size("9223372036854775808"), std::nullopt);
  EXPECT_EQ(parse_size("8388607TiB"), 8388607LL << 40);
  EXPECT_EQ(parse_size("8388608TiB"), std::nullopt);
}

TEST(SizeText, PrintsTheLargestUnitThatIsExact) {
  EXPECT_EQ(size_text(0), "0");
  EXPECT_EQ(size_text(1000), "1000");
  EXPECT_EQ(size_text(65536), "64KiB");
  EXPECT_EQ(size_text(1 << 20), "1MiB");
  EXPECT_EQ(size_text((1 << 20) + 1024), "1025KiB");
  EXPECT_EQ(size_text(2LL << 30), "2GiB");
}

TEST(SizeText, RoundsToOneDecimalForAGlance) {
  EXPECT_EQ(rounded_size_text(0), "0 B");
  EXPECT_EQ(rounded_size_text(1023), "1023 B");
  EXPECT_EQ(rounded_size_text(1536), "1.5 KiB");
  EXPECT_EQ(rounded_size_text(71063068LL << 10), "67.8 GiB");
}

}  // namespace
}  // namespace obsync
