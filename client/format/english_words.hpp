// The 2048 words recovery phrases are made of, in alphabetical order, which is also their numbering.
#pragma once

#include <array>
#include <string_view>

namespace obsync::client {

inline constexpr std::size_t english_word_count = 2048;

const std::array<std::string_view, english_word_count>& english_words();

}  // namespace obsync::client
