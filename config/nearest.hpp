// Which known name a mistyped one was probably meant to be.
#pragma once

#include <span>
#include <string_view>

namespace obsync::config {

// The fewest single-character insertions, removals, replacements and swaps of neighbours between two texts.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The closest of `known`, or empty when more than a third of its letters would have to change. Text longer
// than any plausible name has no neighbour: the cost of an answer stays small whatever was given.
std::string_view nearest(std::string_view text, std::span<const std::string_view> known);

}  // namespace obsync::config
