// Everybody the server knows, as one answer of a reader, and the ways an operator names them. Plain data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/catalog.hpp"
#include "wire/control.hpp"

namespace obsync::actors {

struct census {
  std::vector<store::account_row> accounts;
  std::vector<store::device_row> devices;
};

// The account whose whole name or the beginning of whose id is `text`; a name wins over an id. Refused:
// unknown_account; bad_request, naming the candidates, when it could be several.
wire::outcome<const store::account_row*> named_account(const census& all, const std::string& text);

// The device whose id begins with `prefix`, of the account where one is named. Refused: as named_account,
// unknown_device.
wire::outcome<const store::device_row*> named_device(const census& all,
                                                     const std::optional<std::string>& account,
                                                     const std::string& prefix);

// Of one account, or of all.
wire::device_entries devices_of(const census& all, const store::account_row* account);

}  // namespace obsync::actors
