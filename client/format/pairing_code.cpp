#include "client/format/pairing_code.hpp"

#include <algorithm>
#include <optional>

#include "core/utf8.hpp"
#include "crypto/base32.hpp"

namespace obsync::client {

namespace {

constexpr std::size_t code_bytes = 80;
constexpr std::size_t code_chars = 128;
constexpr std::size_t old_code_chars =
    103;  // 64 bytes: no commitment, so nothing to check the creator's key by
constexpr std::size_t text_bytes_max = 4096;
constexpr std::string_view link_start = "obsidian://obsync-private-sync/pair?code=";
constexpr std::string_view code_parameter = "code=";

// White space and dashes, as people and programs insert them, and the quotes and brackets text is pasted in.
bool is_noise(char32_t c) {
  constexpr std::u32string_view noise =
      U" \t\n\v\f\r\u00A0\u1680\u2028\u2029\u202F\u205F\u3000\uFEFF-\u2212\"'`<>()[]{}\u00AB\u00BB";
  return noise.find(c) != noise.npos || (c >= 0x2000 && c <= 0x2015) || (c >= 0x2018 && c <= 0x201F);
}

std::string_view code_value(std::string_view text) {
  const std::size_t found = text.find(code_parameter);
  if (found == std::string_view::npos) return text;
  text.remove_prefix(found + code_parameter.size());
  return text.substr(0, text.find_first_of("&#"));
}

// The bare characters of a code; nothing when there is one that cannot be meant.
std::optional<std::string> bare(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto character = take_character(text);
    if (!character) return std::nullopt;
    if (is_noise(*character)) continue;
    const char32_t upper = *character >= U'a' && *character <= U'z' ? *character - U'a' + U'A' : *character;
    const bool known = (upper >= U'A' && upper <= U'Z') || (upper >= U'2' && upper <= U'7') || upper == U'=';
    if (!known) return std::nullopt;
    out.push_back(static_cast<char>(upper));
  }
  while (out.ends_with('=')) out.pop_back();
  if (out.find('=') != std::string::npos) return std::nullopt;
  return out;
}

}  // namespace

std::string to_text(const pairing_code& code) {
  bytes joined;
  joined.reserve(code_bytes);
  append(joined, code.pairing.view());
  append(joined, code.enroll_token.view());
  append(joined, code.pairing_secret.view());
  append(joined, code.commitment.view());
  std::string text = crypto::to_base32(joined);
  crypto::wipe(joined.data(), joined.size());
  return text;
}

std::string to_link(const pairing_code& code) {
  return std::string(link_start) + to_text(code);
}

result<pairing_code> parse_pairing_code(std::string_view text) {
  if (text.size() > text_bytes_max)
    return error{errc::invalid, "this is no pairing code: it is far too long"};
  auto characters = bare(code_value(text));
  if (!characters || characters->empty()) {
    return error{errc::invalid, "this is no pairing code: it holds other characters than A to Z and 2 to 7"};
  }
  if (characters->size() == old_code_chars) {
    return error{errc::unsupported,
                 "this code comes from a device too old to pair with; update that device first"};
  }
  if (characters->size() < code_chars) {
    return error{errc::invalid, "the pairing code is incomplete: " + std::to_string(characters->size()) +
                                    " of " + std::to_string(code_chars) + " characters"};
  }
  characters->resize(code_chars);
  auto decoded = crypto::from_base32(*characters);
  crypto::wipe(characters->data(), characters->size());
  if (!decoded || decoded->size() != code_bytes) return error{errc::invalid, "this is no pairing code"};
  const byte_view all(*decoded);
  pairing_code code{*pairing_id::from(all.first(16)), *crypto::secret32::from(all.subspan(16, 32)),
                    *crypto::secret16::from(all.subspan(48, 16)),
                    *pairing_commitment::from(all.subspan(64, 16))};
  crypto::wipe(decoded->data(), decoded->size());
  return code;
}

}  // namespace obsync::client
