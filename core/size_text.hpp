// Sizes as people write them: a whole number, then nothing, `B`, or a binary unit `Ki Mi Gi Ti` with or
// without a final `B`. Case matters, for `m` has meant both milli and mega in too many configuration files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace obsync {

// Bytes; nothing for any other spelling, a sign, a fraction, a space, or a value beyond int64.
std::optional<std::int64_t> parse_size(std::string_view text);

// The shortest exact spelling: 65536 is `64KiB`, 1000 is `1000`. Precondition: bytes >= 0.
std::string size_text(std::int64_t bytes);

// For a glance, with one decimal: 1536 is `1.5 KiB`, 1000 is `1000 B`. Not read back by
// parse_size. Precondition: bytes >= 0.
std::string rounded_size_text(std::int64_t bytes);

}  // namespace obsync
