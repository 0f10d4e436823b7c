#include "core/utf8.hpp"

#include <gtest/gtest.h>

namespace obsync {
namespace {

TEST(Utf8, RoundTripsEveryScalarValue) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c >= 0xD800 && c <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, c);
    std::string_view rest = text;
    ASSERT_EQ(take_character(rest), c);
    ASSERT_TRUE(rest.empty());
  }
}

TEST(Utf8, RefusesLongFormsSurrogatesAndWhatLiesBeyond) {
  for (const std::string_view text :
       {"\x80", "\xBF", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xE0\x9F\xBF", "\xED\xA0\x80",
        "\xED\xBF\xBF", "\xF0\x80\x80\x80", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80",
        "\xFF", "\xC3", "\xE2\x82", "\xF0\x9F\x98", "\xC3(", "\xE2(\xA1"}) {
    EXPECT_FALSE(is_utf8(text));
    std::string_view rest = text;
    EXPECT_FALSE(take_character(rest).has_value());
    EXPECT_EQ(rest, text);
  }
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("caf\xC3\xA9 \xF0\x9F\x98\x80"));
}

}  // namespace
}  // namespace obsync
