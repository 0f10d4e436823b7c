#include "crypto/secret.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <new>

namespace obsync::crypto {
namespace {

TEST(Secret32, ReadsItsOwnHexAndNothingElse) {
  const std::string hex(64, 'a');
  ASSERT_TRUE(secret32::parse(hex).has_value());
  EXPECT_EQ(secret32::parse(hex)->hex(), hex);
  EXPECT_FALSE(secret32::parse(std::string(63, 'a')).has_value());
  EXPECT_FALSE(secret32::parse(std::string(64, 'A')).has_value());
  EXPECT_FALSE(secret32::from(bytes(31)).has_value());
}

TEST(Secret32, WipesItselfWhenItEnds) {
  alignas(secret32) std::array<std::uint8_t, sizeof(secret32)> room{};
  auto* const secret = new (room.data()) secret32(*secret32::from(bytes(32, 0xEE)));
  EXPECT_EQ(room[0], 0xEE);
  std::destroy_at(secret);
  EXPECT_EQ(room, (std::array<std::uint8_t, sizeof(secret32)>{}));
}

}  // namespace
}  // namespace obsync::crypto
