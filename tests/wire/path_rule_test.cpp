#include "wire/path_rule.hpp"

#include <gtest/gtest.h>

namespace obsync::wire {
namespace {

using namespace std::string_view_literals;

TEST(VaultPath, TakesOrdinaryPaths) {
  for (const std::string_view path :
       {"a"sv, "Notes/Plan.md"sv, "a b/c  d"sv, "Caf\xC3\xA9/\xF0\x9F\x98\x80.md"sv, "a..b"sv, "a."sv, "~"sv,
        "ab:c"sv, "1:2"sv, "a/b:c"sv, " a"sv, "a "sv, "\xC2\xA0x"sv, "\xC2\x85"sv, "CON"sv}) {
    EXPECT_TRUE(is_vault_path(path)) << path;
  }
}

TEST(VaultPath, RefusesWhatLeavesTheVaultOrHides) {
  for (const std::string_view path :
       {""sv, "/"sv, "/a"sv, "a/"sv, "a//b"sv, "."sv, ".."sv, "../a"sv, "a/../b"sv, "a/./b"sv, "a/.."sv,
        ".git"sv, "a/.hidden"sv, ".../a"sv, "C:"sv, "c:/a"sv, "C:a"sv, "a\\b"sv, "..\\a"sv}) {
    EXPECT_FALSE(is_vault_path(path)) << path;
  }
}

TEST(VaultPath, RefusesControlCharactersBlankSegmentsAndBrokenText) {
  for (const std::string_view path :
       {"a\0b"sv, "\0"sv, "a\nb"sv, "a\tb"sv, "a\x1F"sv, "a\x7F"sv, " "sv, "a/  /b"sv, "\xC2\xA0"sv,
        "\xE3\x80\x80"sv, "\xEF\xBB\xBF"sv, "\xE2\x80\xA8"sv, "\xFF"sv, "a/\xC3"sv, "\xED\xA0\x80"sv,
        "\xC0\xAE\xC0\xAE/a"sv}) {
    EXPECT_FALSE(is_vault_path(path)) << path;
  }
}

}  // namespace
}  // namespace obsync::wire
