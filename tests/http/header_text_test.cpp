#include "http/header_text.hpp"

#include <gtest/gtest.h>

namespace obsync::http {
namespace {

using namespace std::string_view_literals;

TEST(HeaderText, ComparesLettersWithoutCaseAndNothingElse) {
  EXPECT_TRUE(equals_no_case("X-Forwarded-For", "x-forwarded-fOR"));
  EXPECT_FALSE(equals_no_case("a", "ab"));
  EXPECT_FALSE(equals_no_case("@[", "`{")) << "they differ by the bit that tells cases apart";
}

TEST(HeaderText, TrimsBlanksAtTheEndsAlone) {
  EXPECT_EQ(trimmed(" \ta b\t "), "a b");
  EXPECT_EQ(trimmed(" \t "), "");
}

TEST(HeaderText, NoControlSeparatorOrForeignByteIsATokens) {
  for (const char c : std::string_view("az09AZ!#$%&'*+-.^_`|~")) EXPECT_TRUE(is_token_char(c)) << c;
  for (const char c : "\0 \t\"(),/:;<=>?@[\\]{}\x7f\xe9"sv) EXPECT_FALSE(is_token_char(c)) << c;
}

}  // namespace
}  // namespace obsync::http
