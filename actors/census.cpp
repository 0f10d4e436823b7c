#include "actors/census.hpp"

namespace obsync::actors {

namespace {

using wire::failure;
using wire::refusal;

constexpr std::size_t shown_digits = 8;

failure several(const std::string& text, const std::string& candidates) {
  return {refusal::bad_request, "'" + text + "' could be any of" + candidates + "; name more of the id"};
}

}  // namespace

wire::outcome<const store::account_row*> named_account(const census& all, const std::string& text) {
  for (const bool by_name : {true, false}) {
    const store::account_row* found = nullptr;
    std::string candidates;
    for (const store::account_row& row : all.accounts) {
      const bool fits = by_name
                            ? row.name == text
                            : text.size() >= wire::device_prefix_digits_min && row.id.hex().starts_with(text);
      if (!fits) continue;
      candidates += " " + row.id.hex().substr(0, shown_digits);
      found = found == nullptr ? &row : found;
    }
    if (candidates.size() > 1 + shown_digits) return several(text, candidates);
    if (found != nullptr) return found;
  }
  return failure{refusal::unknown_account,
                 "no account is named '" + text + "'; `obsyncd account list` shows all"};
}

wire::outcome<const store::device_row*> named_device(const census& all,
                                                     const std::optional<std::string>& account,
                                                     const std::string& prefix) {
  std::optional<account_id> owner;
  if (account) {
    const auto found = named_account(all, *account);
    if (!found) return found.error();
    owner = (*found)->id;
  }
  if (prefix.size() < wire::device_prefix_digits_min)
    return failure{refusal::bad_request, "a device is named by at least 4 of its id's hex digits"};
  const store::device_row* found = nullptr;
  std::string candidates;
  for (const store::device_row& row : all.devices) {
    if ((owner && row.account != *owner) || !row.info.id.hex().starts_with(prefix)) continue;
    candidates += " " + row.info.id.hex().substr(0, 2 * shown_digits);
    found = found == nullptr ? &row : found;
  }
  if (candidates.size() > 1 + 2 * shown_digits) return several(prefix, candidates);
  if (found != nullptr) return found;
  return failure{refusal::unknown_device,
                 "no device's id begins with '" + prefix + "'; `obsyncd device list` shows all"};
}

wire::device_entries devices_of(const census& all, const store::account_row* account) {
  wire::device_entries out;
  for (const store::account_row& owner : all.accounts) {
    if (account != nullptr && owner.id != account->id) continue;
    for (const store::device_row& row : all.devices) {
      if (row.account != owner.id) continue;
      out.devices.push_back({row.info.id, owner.id, owner.name, row.info.card, row.info.created_ms,
                             row.info.last_seen_ms, row.info.state, row.read_only});
    }
  }
  return out;
}

}  // namespace obsync::actors
