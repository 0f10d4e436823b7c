#include "crypto/base32.hpp"

#include <gtest/gtest.h>

namespace obsync::crypto {
namespace {

// RFC 4648 section 10, without the padding.
TEST(Base32, MatchesRfc4648) {
  const std::pair<std::string_view, std::string_view> known[] = {{"", ""},
                                                                 {"f", "MY"},
                                                                 {"fo", "MZXQ"},
                                                                 {"foo", "MZXW6"},
                                                                 {"foob", "MZXW6YQ"},
                                                                 {"fooba", "MZXW6YTB"},
                                                                 {"foobar", "MZXW6YTBOI"}};
  for (const auto& [plain, encoded] : known) {
    EXPECT_EQ(to_base32(as_bytes(plain)), encoded);
    EXPECT_EQ(from_base32(encoded), bytes(plain.begin(), plain.end()));
  }
}

TEST(Base32, RefusesLengthsNoEncoderProduces) {
  for (const std::string_view text : {"A", "AAA", "AAAAAA", "AAAAAAAAA"})
    EXPECT_FALSE(from_base32(text)) << text;
}

TEST(Base32, RefusesOtherAlphabets) {
  for (const std::string_view text : {"my", "M1", "M0", "M8", "M=", "M Y", "M\xC3"}) {
    EXPECT_FALSE(from_base32(text)) << text;
  }
}

TEST(Base32, IgnoresSpareBits) {
  EXPECT_EQ(from_base32("MZ"), bytes{'f'});
}

}  // namespace
}  // namespace obsync::crypto
