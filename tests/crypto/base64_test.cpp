#include "crypto/base64.hpp"

#include <gtest/gtest.h>

namespace obsync::crypto {
namespace {

// RFC 4648 section 10.
TEST(Base64, MatchesRfc4648) {
  const std::pair<std::string_view, std::string_view> known[] = {{"", ""},
                                                                 {"f", "Zg=="},
                                                                 {"fo", "Zm8="},
                                                                 {"foo", "Zm9v"},
                                                                 {"foob", "Zm9vYg=="},
                                                                 {"fooba", "Zm9vYmE="},
                                                                 {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, encoded] : known) {
    EXPECT_EQ(to_base64(as_bytes(plain)), encoded);
    EXPECT_EQ(from_base64(encoded), bytes(plain.begin(), plain.end()));
  }
}

TEST(Base64, RoundTripsEveryByteAtEveryPlace) {
  for (int value = 0; value < 256; ++value) {
    for (std::size_t place = 0; place < 4; ++place) {
      bytes data(4, 0x5A);
      data[place] = static_cast<std::uint8_t>(value);
      EXPECT_EQ(from_base64(to_base64(data)), data);
      EXPECT_EQ(from_base64url(to_base64url(data)), data);
    }
  }
}

TEST(Base64, AcceptsOnlyTheCanonicalSpelling) {
  for (const std::string_view text : {"Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Z===", "====", "=", "Zm9v\n",
                                      "Zm 9v", "Zm-_", "Zg==Zg==", "Z=g="}) {
    EXPECT_FALSE(from_base64(text)) << text;
  }
}

TEST(Base64Url, UsesItsOwnAlphabetAndNoPadding) {
  EXPECT_EQ(to_base64url(bytes{0xFB, 0xFF}), "-_8");
  EXPECT_EQ(to_base64(bytes{0xFB, 0xFF}), "+/8=");
  for (const std::string_view text : {"+/8", "-_8=", "-_9", "A"}) EXPECT_FALSE(from_base64url(text)) << text;
}

}  // namespace
}  // namespace obsync::crypto
