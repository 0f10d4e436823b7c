#include "actors/query.hpp"

#include <algorithm>
#include <charconv>

namespace obsync::actors {

std::optional<std::int64_t> decimal(std::string_view text) {
  const bool digits =
      !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!digits) return std::nullopt;
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<device_id> signed_by(const credentials& signer) {
  if (!signer.device || !signer.timestamp || !signer.nonce || !signer.signature) return std::nullopt;
  const bool shaped =
      decimal(*signer.timestamp) && request_nonce::parse(*signer.nonce) && digest::parse(*signer.signature);
  return shaped ? device_id::parse(*signer.device) : std::nullopt;
}

std::optional<std::int64_t> number_of(const request& req, std::string_view name, std::int64_t otherwise) {
  const auto text = req.query_value(name);
  if (!text) return otherwise;
  return decimal(*text);
}

}  // namespace obsync::actors
