// The names below `<blobs>/v1`. Internal to store/.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/ids.hpp"

namespace obsync::store {

inline constexpr std::size_t blob_folder_count = 256;
inline constexpr std::string_view blob_temp_folder = "tmp";

// `00` to `ff`: the first byte of the sids inside.
inline std::string blob_folder_name(std::uint8_t first) {
  return to_hex({&first, 1});
}

// `<sid>.<account>`, both in lowercase hex.
inline std::string blob_file_name(const account_id& account, const chunk_sid& sid) {
  return sid.hex() + "." + account.hex();
}

inline std::optional<std::pair<account_id, chunk_sid>> parse_blob_file_name(std::string_view name) {
  constexpr std::size_t sid_digits = 2 * chunk_sid::size;
  if (name.size() <= sid_digits || name[sid_digits] != '.') return std::nullopt;
  const auto sid = chunk_sid::parse(name.substr(0, sid_digits));
  const auto account = account_id::parse(name.substr(sid_digits + 1));
  if (!sid || !account) return std::nullopt;
  return std::pair{*account, *sid};
}

}  // namespace obsync::store
