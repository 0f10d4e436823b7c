// What a server may take however many strangers hold on to it. Resident, in bytes.
#pragma once

#include <cstdint>

namespace obsync::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
// What it takes to watch every byte counts here too.
inline constexpr std::int64_t memory_max = 1024 << 20;
#else
inline constexpr std::int64_t memory_max = 128 << 20;
#endif

}  // namespace obsync::test
