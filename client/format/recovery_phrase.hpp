// The vault's root key as 24 English words for paper, and back.
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"
#include "crypto/secret.hpp"

namespace obsync::client {

inline constexpr std::size_t recovery_word_count = 24;

// Words parted by single spaces. The text is as secret as the key.
std::string to_recovery_phrase(const crypto::secret32& vault_root_key);

// Case and white space do not matter. errc::invalid names what is wrong by the word's place, never by the
// word.
result<crypto::secret32> from_recovery_phrase(std::string_view phrase);

}  // namespace obsync::client
