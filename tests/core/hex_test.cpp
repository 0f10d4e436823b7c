#include "core/hex.hpp"

#include <gtest/gtest.h>

#include <array>

#include "core/ids.hpp"

namespace obsync {
namespace {

TEST(Hex, RoundTripsEveryByteValue) {
  std::array<std::uint8_t, 256> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint8_t>(i);
  std::array<std::uint8_t, 256> back{};
  ASSERT_TRUE(from_hex(to_hex(all), back));
  EXPECT_EQ(back, all);
}

TEST(Hex, RefusesUpperCaseWrongLengthAndOtherCharacters) {
  std::array<std::uint8_t, 1> out{};
  EXPECT_FALSE(from_hex("AB", out));
  EXPECT_FALSE(from_hex("a", out));
  EXPECT_FALSE(from_hex("abc", out));
  EXPECT_FALSE(from_hex("g0", out));
  EXPECT_FALSE(from_hex("", out));
  EXPECT_TRUE(from_hex("ab", out));
}

TEST(Ids, ParseTakesExactlyTheirOwnLength) {
  EXPECT_TRUE(device_id::parse("00112233445566778899aabbccddeeff").has_value());
  EXPECT_FALSE(device_id::parse("00112233445566778899aabbccddeef").has_value());
  EXPECT_FALSE(device_id::parse("00112233445566778899aabbccddeeff00").has_value());
}

TEST(Ids, OrderIsBytewise) {
  const auto low = device_id::parse("00ffffffffffffffffffffffffffffff");
  const auto high = device_id::parse("01000000000000000000000000000000");
  EXPECT_LT(*low, *high);
}

}  // namespace
}  // namespace obsync
