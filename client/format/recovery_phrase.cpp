#include "client/format/recovery_phrase.hpp"

#include <algorithm>
#include <vector>

#include "client/format/english_words.hpp"
#include "crypto/digest.hpp"

namespace obsync::client {

namespace {

constexpr std::size_t bits_per_word = 11;
constexpr std::size_t key_bytes = 32;

std::uint8_t checksum(const crypto::secret32& key) {
  return crypto::sha256(key.view()).raw[0];
}

std::vector<std::string> lower_words(std::string_view phrase) {
  constexpr std::string_view white = " \t\n\v\f\r";
  std::vector<std::string> words;
  for (std::size_t at = phrase.find_first_not_of(white); at != std::string_view::npos;) {
    const std::size_t end = std::min(phrase.find_first_of(white, at), phrase.size());
    std::string& word = words.emplace_back(phrase.substr(at, end - at));
    for (char& c : word) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    at = phrase.find_first_not_of(white, end);
  }
  return words;
}

void wipe_words(std::vector<std::string>& words) {
  for (std::string& word : words) crypto::wipe(word.data(), word.size());
}

result<crypto::secret32> read_words(const std::vector<std::string>& words) {
  if (words.size() != recovery_word_count) {
    return error{errc::invalid, "a recovery phrase has 24 words; this has " + std::to_string(words.size())};
  }
  const auto& known = english_words();
  crypto::secret32 key;
  std::uint32_t held = 0;
  std::size_t held_bits = 0, filled = 0;
  std::uint8_t check = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto found = std::lower_bound(known.begin(), known.end(), words[i]);
    if (found == known.end() || *found != words[i]) {
      return error{errc::invalid, "word " + std::to_string(i + 1) + " is not on the list of recovery words"};
    }
    held = held << bits_per_word | static_cast<std::uint32_t>(found - known.begin());
    held_bits += bits_per_word;
    while (held_bits >= 8) {
      held_bits -= 8;
      const auto byte = static_cast<std::uint8_t>(held >> held_bits);
      filled < key_bytes ? key.raw[filled] = byte : check = byte;
      ++filled;
    }
    held &= (1u << held_bits) - 1;
  }
  if (check != checksum(key)) {
    return error{errc::invalid, "the recovery phrase does not add up: a word is wrong or out of place"};
  }
  return key;
}

}  // namespace

std::string to_recovery_phrase(const crypto::secret32& vault_root_key) {
  const auto& known = english_words();
  std::string phrase;
  phrase.reserve(recovery_word_count *
                 9);  // no word is longer than 8, so no copy of the secret is left behind
  std::uint32_t held = 0;
  std::size_t held_bits = 0;
  const auto take_byte = [&](std::uint8_t byte) {
    held = held << 8 | byte;
    held_bits += 8;
    if (held_bits < bits_per_word) return;
    held_bits -= bits_per_word;
    if (!phrase.empty()) phrase.push_back(' ');
    phrase.append(known[held >> held_bits]);
    held &= (1u << held_bits) - 1;
  };
  for (const std::uint8_t byte : vault_root_key.raw) take_byte(byte);
  take_byte(checksum(vault_root_key));
  return phrase;
}

result<crypto::secret32> from_recovery_phrase(std::string_view phrase) {
  std::vector<std::string> words = lower_words(phrase);
  auto read = read_words(words);
  wipe_words(words);
  return read;
}

}  // namespace obsync::client
