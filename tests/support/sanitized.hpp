// What a sanitizer changes of what a test may expect. `memory_max`: what a server may take however many
// strangers hold on to it, resident, in bytes.
#pragma once

#include <cstdint>

namespace obsync::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
// Everything takes several times as long: who meets whom on the way says nothing of the real program.
inline constexpr bool is_slowed_down = true;
// What it takes to watch every byte counts here too.
inline constexpr std::int64_t memory_max = 1024 << 20;
#else
inline constexpr bool is_slowed_down = false;
inline constexpr std::int64_t memory_max = 128 << 20;
#endif

}  // namespace obsync::test
