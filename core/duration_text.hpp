// Spans of time as people write them: a whole number and one of `ms s min h d`. The unit is mandatory,
// because nobody remembers which one a bare number meant.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace obsync {

// Nothing for any other spelling, a sign, a fraction, a space, or more than a hundred years.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

// The shortest exact spelling: 60 s is `1min`. Precondition: not negative.
std::string duration_text(std::chrono::milliseconds span);

}  // namespace obsync
